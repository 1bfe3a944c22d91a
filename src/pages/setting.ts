// The setting of a page: language of its address, origin that was asked, that of the push server, assets.
import type { FastifyRequest } from 'fastify';
import type { Config } from '../config.ts';
import { type OriginOf, ownOrigins } from '../http/asked-origin.ts';
import { createLru } from '../lru.ts';
import { socketOrigin } from '../push/endpoints.ts';
import type { Assets } from './assets.ts';
import type { Setting } from './frame/page.ts';
import { spokenAt, wordsOf } from './locales/languages.ts';

/** @param locale as it stands in the address; undefined when none does */
export type SettingOf = (request: Asked, locale: string | undefined) => Setting;

type Asked = Pick<FastifyRequest, 'host' | 'protocol' | 'socket'>;

export function settingsOf(
  config: Config,
  { assets, originOf, bound }: { assets: Assets; originOf: OriginOf; bound: () => string },
): SettingOf {
  const { DEFAULT_LANGUAGE: defaultLanguage } = config;
  const isOwnOrigin = ownOrigins(config, bound);
  const known = createLru<Kept>(MOST_KEPT_CHARACTERS);

  // Everything of a request that a setting is made of; hosts are read as URLs several times.
  function keyOf({ host, protocol, socket }: Asked, locale = ''): string {
    return `${bound()} ${socket.localAddress} ${socket.localPort} ${protocol} ${locale} ${host}`;
  }

  function settingOf(request: Asked, locale: string | undefined): Setting {
    const { language, prefix } = spokenAt(locale, defaultLanguage);
    const origin = originOf(request);
    return {
      language,
      prefix,
      defaultLanguage,
      words: wordsOf(language),
      origin,
      isOwnOrigin: isOwnOrigin(request),
      pushOrigin: socketOrigin(config, { asked: origin, bound: bound() }),
      asset: assets.path,
      assetImports: assets.imports,
      assetVersion: assets.version,
    };
  }

  return (request, locale) => {
    const key = keyOf(request, locale);
    const found = known.get(key);
    if (found) return found.setting;
    const setting = settingOf(request, locale);
    known.set(key, { setting, bytes: key.length });
    return setting;
  };
}

type Kept = { setting: Setting; bytes: number };

// Some hundred: those under which a service is really asked, and clients may make up as many as they like.
const MOST_KEPT_CHARACTERS = 32_768;
