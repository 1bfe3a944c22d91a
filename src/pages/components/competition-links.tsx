// The ways to follow a competition elsewhere: its JSON, its push channel, code for other pages, a QR code.
import type { Words } from '../locales/en.ts';
import { escaped } from './escaped.ts';
import { QrCode } from './qr-code.tsx';

type Record = {
  full_name: string;
  website?: string | null;
  entry_link?: string | null;
  results_link?: string | null;
};
type Props = {
  record: Record;
  channel: string;
  setting: { words: Words; origin: string; prefix: string; language: string };
  /** Path of the page, without the language. */
  path: string;
};

// Named as their formats are, in every language.
const FILES = [
  { name: 'results.csv', type: 'text/csv', what: 'CSV' },
  { name: 'startlist.csv', type: 'text/csv', what: 'CSV' },
  { name: 'calendar.ics', type: 'text/calendar', what: 'iCalendar' },
];

export function CompetitionLinks({ record, channel, setting, path }: Props) {
  const { words, origin, prefix, language } = setting;
  const page = origin + prefix + path;
  const elsewhere = [
    { href: record.website, text: words.website },
    { href: record.entry_link, text: words.entry },
    { href: record.results_link, text: words.officialResults },
  ].flatMap(({ href, text }) => (isWebLink(href) ? [{ href, text }] : []));
  const code = `<script async src="${origin}/embed/v1.js"></script>
<athletics-competition src="${page}" lang="${language}">
  <a href="${page}">${escaped(record.full_name)}</a>
</athletics-competition>`;
  return (
    <section id="links" class="block links">
      <h2>{words.links}</h2>
      <div class="links-columns">
        <dl>
          {elsewhere.map(({ href, text }) => (
            <div key={text}>
              <dt>{text}</dt>
              <dd>
                <a href={href} rel="noopener nofollow">
                  {href}
                </a>
              </dd>
            </div>
          ))}
          <div>
            <dt>{words.json}</dt>
            <dd>
              <a href={`${path}json/`} type="application/json">
                {`${origin}${path}json/`}
              </a>
            </dd>
          </div>
          {FILES.map(({ name, type, what }) => (
            <div key={name}>
              <dt>{what}</dt>
              <dd>
                <a href={path + name} type={type}>
                  {name}
                </a>
              </dd>
            </div>
          ))}
          <div>
            <dt>{words.channel}</dt>
            <dd>
              <code data-channel>{channel}</code>
            </dd>
          </div>
          <div>
            <dt>{words.embedCode}</dt>
            <dd>
              <pre tabindex={0} role="region" aria-label={words.embedCode}>
                <code data-embed>{code}</code>
              </pre>
            </dd>
          </div>
        </dl>
        <QrCode text={page} label={words.qrCode} />
      </div>
    </section>
  );
}

const isWebLink = (href: string | null | undefined): href is string => /^https?:\/\//i.test(href ?? '');
