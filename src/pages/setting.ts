// The setting of a page: language of its address, origin that was asked, that of the push server, assets.
import type { FastifyRequest } from 'fastify';
import type { Config } from '../config.ts';
import { type OriginOf, ownOrigins } from '../http/asked-origin.ts';
import { socketOrigin } from '../push/endpoints.ts';
import type { Assets } from './assets.ts';
import type { Setting } from './frame/page.ts';
import { spokenAt, wordsOf } from './locales/languages.ts';

/** @param locale as it stands in the address; undefined when none does */
export type SettingOf = (
  request: Pick<FastifyRequest, 'host' | 'protocol' | 'socket'>,
  locale: string | undefined,
) => Setting;

export function settingsOf(
  config: Config,
  { assets, originOf, bound }: { assets: Assets; originOf: OriginOf; bound: () => string },
): SettingOf {
  const { DEFAULT_LANGUAGE: defaultLanguage } = config;
  const isOwnOrigin = ownOrigins(config, bound);
  return (request, locale) => {
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
  };
}
