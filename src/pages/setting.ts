// The setting of a page: language of its address, origin that was asked, assets.
import type { FastifyRequest } from 'fastify';
import type { Config } from '../config.ts';
import type { OriginOf } from '../http/asked-origin.ts';
import type { Assets } from './assets.ts';
import type { Setting } from './frame/page.ts';
import { spokenAt, wordsOf } from './locales/languages.ts';

/** @param locale as it stands in the address; undefined when none does */
export type SettingOf = (
  request: Pick<FastifyRequest, 'host' | 'protocol'>,
  locale: string | undefined,
) => Setting;

export function settingsOf(
  { DEFAULT_LANGUAGE: defaultLanguage }: Pick<Config, 'DEFAULT_LANGUAGE'>,
  { assets, originOf }: { assets: Assets; originOf: OriginOf },
): SettingOf {
  return (request, locale) => {
    const { language, prefix } = spokenAt(locale, defaultLanguage);
    return {
      language,
      prefix,
      defaultLanguage,
      words: wordsOf(language),
      origin: originOf(request),
      asset: assets.path,
      assetImports: assets.imports,
    };
  };
}
