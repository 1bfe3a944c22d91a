// The push client for web pages, served from here so that they work where there is no internet. Registered under /assets.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { FastifyPluginAsync } from 'fastify';
import { type Representation, represent, sendCached } from '../http/cached-json.ts';
import { chosenEncoding, type Encoding } from '../http/encoding.ts';

// A newer one is as good, so nobody needs to ask each time.
const CACHE_CONTROL = 'public, max-age=86400';

export const clientScriptRoutes: FastifyPluginAsync = async (app) => {
  const script = await readClient();
  const known = new Map<Encoding, Promise<Representation>>();
  const inEncoding = (encoding: Encoding) => {
    const representation = known.get(encoding) ?? represent([script], encoding);
    known.set(encoding, representation);
    return representation;
  };
  app.get('/pusher.js', { schema: { hide: true } }, async (request, reply) => {
    const representation = await inEncoding(chosenEncoding(request.headers['accept-encoding']));
    return sendCached(request, reply, representation, {
      type: 'text/javascript; charset=utf-8',
      cacheControl: CACHE_CONTROL,
    });
  });
};

async function readClient(): Promise<string> {
  const path = createRequire(import.meta.url).resolve('pusher-js/dist/web/pusher.min.js');
  const [script, notice] = await Promise.all(
    [path, `${path}.LICENSE.txt`].map((file) => readFile(file, 'utf8')),
  );
  // Neither is served as a file: the notice comes along, and browsers would look for the map in vain.
  return script!
    .replace(/^\/\*! For license information .*\*\/\n/, () => notice!)
    .replace(/\n\/\/# sourceMappingURL=.*\s*$/, '\n');
}
