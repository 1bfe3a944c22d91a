// The frame of every page: head, navigation, live bar, footer.
import { LANGUAGE_TAGS } from '../locales/languages.ts';
import { LanguageMenu, pathIn } from './language-menu.tsx';
import type { Setting, TitledPage } from './page.ts';

type Props = { page: TitledPage; setting: Setting };

export function PageFrame({ page, setting }: Props) {
  const { language, words, prefix } = setting;
  return (
    <html lang={language}>
      <Head page={page} setting={setting} />
      <body>
        <a class="skip" href="#content">
          {words.skip}
        </a>
        <header class="site">
          <a class="home" href={`${prefix}/`}>
            <Track />
            <span>{SERVICE}</span>
          </a>
          {page.path !== null && <LanguageMenu path={page.path} setting={setting} />}
          <button type="button" data-action="theme" hidden aria-label={words.theme}>
            <span aria-hidden="true">◐</span>
          </button>
        </header>
        <main id="content" data-page={page.name} {...liveData(page)}>
          {page.live && <LiveBar setting={setting} />}
          {page.main(setting)}
        </main>
        <footer class="site">
          {page.json && (
            <a href={page.json} type="application/json">
              {words.json}
            </a>
          )}
        </footer>
      </body>
    </html>
  );
}

const SERVICE = 'Athletics';

export const liveData = ({ live }: TitledPage) =>
  live && {
    'data-push': live.push ? 'on' : 'off',
    'data-finish': live.finish,
    'data-regions': live.regions,
  };

/** The script of every page, and what it is going to load, so that a browser asks for all of it at once. */
export function PageScript({ page, setting }: Props) {
  const { language, asset, assetImports } = setting;
  const script = `page-${language}.js`;
  const units = page.drawsUnits ? [asset('live-units.js'), ...assetImports('live-units.js')] : [];
  return (
    <>
      {[...new Set([...assetImports(script), ...units])].map((path) => (
        <link key={path} rel="modulepreload" href={path} />
      ))}
      <script type="module" src={asset(script)} />
    </>
  );
}

function Head({ page, setting }: Props) {
  const { origin, language, asset } = setting;
  const canonical = page.path === null ? undefined : origin + pathIn(language, page.path, setting);
  return (
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <title>{page.title}</title>
      {page.description && <meta name="description" content={page.description} />}
      {page.hidden && <meta name="robots" content="noindex" />}
      <link rel="icon" href={ICON} />
      <link rel="stylesheet" href={asset('pages.css')} />
      <PageScript page={page} setting={setting} />
      {page.json && <link rel="alternate" type="application/json" href={page.json} />}
      {canonical && page.embeddable && (
        <link
          rel="alternate"
          type="application/json+oembed"
          href={`${origin}/oembed?url=${encodeURIComponent(canonical)}&format=json`}
          title={page.title}
        />
      )}
      {canonical && !page.hidden && <Alternates page={page} setting={setting} canonical={canonical} />}
      {page.linkedData && (
        <script
          type="application/ld+json"
          dangerouslySetInnerHTML={{ __html: dataText(page.linkedData(setting)) }}
        />
      )}
    </head>
  );
}

/** JSON inside of a script element: no "<" can end it. */
const dataText = (data: object): string => JSON.stringify(data).replaceAll('<', '\\u003c');

function Alternates({ page, setting, canonical }: Props & { canonical: string }) {
  const { origin, defaultLanguage } = setting;
  const path = page.path!;
  return (
    <>
      <link rel="canonical" href={canonical} />
      {LANGUAGE_TAGS.map((tag) => (
        <link key={tag} rel="alternate" hreflang={tag} href={origin + pathIn(tag, path, setting)} />
      ))}
      <link rel="alternate" hreflang="x-default" href={origin + pathIn(defaultLanguage, path, setting)} />
      <meta property="og:type" content="website" />
      <meta property="og:site_name" content={SERVICE} />
      <meta property="og:title" content={page.title} />
      {page.description && <meta property="og:description" content={page.description} />}
      <meta property="og:url" content={canonical} />
    </>
  );
}

/** What the page hears just now. Without a script it hears nothing, and says so. */
export const LiveBar = ({ setting: { words } }: { setting: Setting }) => (
  <div class="live-bar" data-live="off">
    <span class="dot" aria-hidden="true" />
    <span data-live-text />
    <noscript>{words.noScript}</noscript>
    <button type="button" data-action="announce" aria-pressed="true" hidden>
      {words.announce}
    </button>
    <button type="button" data-action="pause" aria-pressed="false" hidden>
      {words.pause}
    </button>
    <span role="status" class="spoken" />
  </div>
);

// Without one browsers ask for /favicon.ico.
export const ICON =
  "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'><rect width='32' height='32' rx='7' fill='%230e1b33'/><rect x='4' y='9' width='24' height='14' rx='7' fill='none' stroke='white' stroke-width='2.5'/></svg>";

const Track = () => (
  <svg viewBox="0 0 32 20" width="32" height="20" aria-hidden="true" fill="none" stroke="currentColor">
    <rect x="1" y="1" width="30" height="18" rx="9" stroke-width="2" />
    <rect x="6" y="6" width="20" height="8" rx="4" stroke-width="2" />
  </svg>
);
