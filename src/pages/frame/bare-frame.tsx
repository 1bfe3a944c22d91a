// A page without header and footer: what it shows is shown elsewhere, in a frame, on a screen, over a picture, on paper.
import { ICON, liveData, PageScript } from './page-frame.tsx';
import type { Bare, Setting, TitledPage } from './page.ts';

type Props = { page: TitledPage; bare: Bare; setting: Setting };

export function BareFrame({ page, bare, setting }: Props) {
  const { language, asset } = setting;
  return (
    <html lang={language} data-theme={bare.theme}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{page.title}</title>
        <meta name="robots" content="noindex" />
        <link rel="icon" href={ICON} />
        {bare.linksLeave && <base target="_blank" />}
        {bare.styles.map((name) => (
          <link key={name} rel="stylesheet" href={asset(name)} />
        ))}
        {bare.pageScript && <PageScript page={page} setting={setting} />}
        {bare.scripts.map((name) => (
          <script key={name} defer src={asset(name)} />
        ))}
        {page.json && <link rel="alternate" type="application/json" href={page.json} />}
      </head>
      <body>
        <main
          id="content"
          data-page={page.name}
          tabindex={page.name === 'card' ? 0 : undefined}
          {...liveData(page)}
          {...bare.data}
        >
          {page.main(setting)}
        </main>
      </body>
    </html>
  );
}
