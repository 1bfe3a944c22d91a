// Scripts and styles of the pages, under names that change with their content: browsers keep them for ever.
import { readFile } from 'node:fs/promises';
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { NotFound } from '../errors.ts';
import { type Representation, sendCached, tagged } from '../http/cached-json.ts';
import { chosenEncoding, encodeForGood, type Encoding } from '../http/encoding.ts';
import type { Asset } from './bundle.ts';

export type Assets = {
  /** Path of an asset by its name without hash. */
  path: (name: string) => string;
  /** Paths of what it loads at once. */
  imports: (name: string) => string[];
  find: (file: string) => Asset | undefined;
  /** Of an asset by its name without hash. */
  named: (name: string) => Asset;
  /** Changes with any of them: pages name them. */
  version: string;
};

/** As the build left them beside this file, or bundled now. */
export async function loadAssets(): Promise<Assets> {
  const assets = await bundled();
  const byName = new Map(assets.map((asset) => [asset.name, asset]));
  const byFile = new Map(assets.map((asset) => [asset.file, asset]));
  return {
    path: (name) => pathOf(byName.get(name)!.file),
    imports: (name) => byName.get(name)!.imports.map(pathOf),
    find: (file) => byFile.get(file),
    named: (name) => byName.get(name)!,
    version: assets.map(({ file }) => file).join(),
  };
}

const pathOf = (file: string) => `/assets/${file}`;

let inMemory: Promise<Asset[]> | undefined;

async function bundled(): Promise<Asset[]> {
  try {
    return JSON.parse(await readFile(new URL('./assets/assets.json', import.meta.url), 'utf8')) as Asset[];
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    inMemory ??= import('./bundle.ts').then(({ bundle }) => bundle());
    return inMemory;
  }
}

const TYPES: Record<string, string> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
};

const FOR_EVER = 'public, max-age=31536000, immutable';

/** Registered under /assets. */
export const assetRoutes: FastifyPluginAsync<{ assets: Assets }> = async (app, { assets }) => {
  const send = senderOf(FOR_EVER);
  app.get('/:file', { schema: { hide: true } }, async (request, reply) => {
    const asset = assets.find((request.params as { file: string }).file);
    if (!asset) throw new NotFound('No such asset');
    return send(request, reply, asset);
  });
};

/** Under names that never change, as other sites have written them into their pages. */
const OF_OTHER_SITES = { 'v1.js': 'widget.js', 'v1.css': 'widget.css' };
const FIVE_MINUTES = 'public, max-age=300';

/** The custom elements for pages of other sites. Registered under /embed. */
export const widgetRoutes: FastifyPluginAsync<{ assets: Assets }> = async (app, { assets }) => {
  const send = senderOf(FIVE_MINUTES);
  for (const [file, name] of Object.entries(OF_OTHER_SITES)) {
    app.get(`/${file}`, { schema: { hide: true } }, async (request, reply) =>
      send(request, reply, assets.named(name)),
    );
  }
};

function senderOf(cacheControl: string) {
  const known = new Map<string, Promise<Representation>>();
  const inEncoding = ({ file, text }: Asset, encoding: Encoding) => {
    const key = `${encoding} ${file}`;
    const representation = known.get(key) ?? encodeForGood(text, encoding).then(tagged);
    known.set(key, representation);
    return representation;
  };
  return async (request: FastifyRequest, reply: FastifyReply, asset: Asset) => {
    const representation = await inEncoding(asset, chosenEncoding(request.headers['accept-encoding']));
    const type = TYPES[asset.file.split('.').at(-1)!]!;
    return sendCached(request, reply, representation, { type, cacheControl });
  };
}
