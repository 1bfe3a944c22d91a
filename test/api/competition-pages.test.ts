// The pages of a competition and its parts over HTTP: complete without a script, by the hooks that host pages rely on.
import { Client } from 'pg';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { startTestApp } from '../helpers/app.ts';
import { uploadsInto } from '../helpers/uploads.ts';

const api = await startTestApp();
const admin = await api.as('ADMIN_GBR');
afterAll(api.close);

const PEOPLE = [
  {
    competitor_id: '1',
    first_name: 'Åsa',
    last_name: 'Öst',
    team_id: 'T',
    nationality: 'SWE',
    date_of_birth: '2001-02-03',
    events_entered: [
      { event_id: 'J', event_code: 'LJ', sb: '6.40' },
      { event_id: 'S', event_code: '100' },
    ],
  },
  { competitor_id: '2', first_name: 'Bea', last_name: '<b>Hop', licence: 'SECRET-7' },
];

const MEETING = {
  competitors: PEOPLE,
  teams: [{ team_id: 'T', team_name: 'Town' }],
  events: [
    {
      event_id: 'J',
      event_code: 'LJ',
      name: 'Long jump',
      day: 2,
      units: [
        {
          round: 1,
          heat: 1,
          scheduled_start_time: '9:05',
          results: [{ bib: '1' }, { bib: '2' }],
          trials: [
            { bib: '1', round: 1, result: '6.01' },
            { bib: '2', round: 1, result: 'x' },
          ],
        },
      ],
    },
    {
      event_id: 'S',
      event_code: '100',
      name: '100 m',
      rounds: '2,1',
      units: [
        {
          round: 1,
          heat: 1,
          scheduled_start_time: '15:45',
          results_status: 'official',
          results: [{ bib: '1', place: 1, performance: '11.82', qualification: 'Q' }],
        },
        {
          round: 1,
          heat: 2,
          results_status: 'official',
          results: [{ bib: '2', place: 1, performance: '11.99', qualification: 'q' }],
        },
        { round: 2, heat: 1, scheduled_start_time: '17:00', results: [{ bib: '1', lane: 4 }] },
      ],
    },
    { event_id: 'P', event_code: 'TRI', name: 'Triathlon', units: [{ round: 1, heat: 1 }] },
    { event_id: 'P1', event_code: '60', name: 'Triathlon 60 m', parent: 'P', units: [{ round: 1, heat: 1 }] },
  ],
};

async function world(fields: Record<string, unknown> = {}) {
  const uploads = await uploadsInto(admin, fields);
  await uploads.store(MEETING);
  return { ...uploads, read: async (path: string) => api.get(`${uploads.page}${path}`) };
}

/** The text between a tag with this attribute and the next end of that tag. */
const textOf = (html: string, attribute: string, tag: string) =>
  new RegExp(`<${tag}[^>]*${attribute}[^>]*>([\\s\\S]*?)</${tag}>`).exec(html)?.[1]?.replace(/<[^>]*>/g, '');

const unitsIn = (html: string) => Array.from(html.matchAll(/data-unit="([^"]+)"/g), ([, name]) => name);
const bibsIn = (html: string) => Array.from(html.matchAll(/<tr data-bib="([^"]+)"/g), ([, bib]) => bib);

describe('the page of a competition', () => {
  test('shows attempts and winners, the newest first', async () => {
    const { read } = await world();
    const { status, text } = await read('/');
    const ticker = textOf(text, 'data-region="ticker"', 'section')!;
    expect(status).toBe(200);
    expect(text).toContain('data-page="competition"');
    expect(ticker).toContain('Åsa Öst');
    expect(ticker).toContain('6.01');
    expect(ticker).toContain('won by Åsa Öst');
  });

  test('has a timetable by day and hour, with the state of each unit', async () => {
    const { read } = await world({ date: '2026-06-13', finish_date: '2026-06-14' });
    const { text } = await read('/');
    const timetable = textOf(text, 'data-region="timetable"', 'section')!;
    expect(timetable.replace(/\s+/g, ' ')).toMatch(
      /13 June 2026.*15:45.*100 m.*Official.*17:00.*Start list.*14 June 2026.*9:05.*Long jump.*Live/,
    );
  });

  test('writes names out in its timetable as they are, tags among them', async () => {
    const { read, store } = await world();
    const units = [{ round: 1, heat: 1, heat_name: '"A" & <i>B</i>', scheduled_start_time: '9:00' }];
    await store({ events: [{ event_id: '<J"&', event_code: '60', name: '60 m <b>& "more"</b>', units }] });
    const { text } = await read('/');
    const [row] = /<tr>(?:(?!<tr>).)*60 m.*?<\/tr>/s.exec(text.slice(text.indexOf('id="timetable"')))!;
    expect(row).not.toMatch(/<[bi]>|more"/);
    expect(row).toContain('/event/%3CJ%22%26/1/1/">');
    expect(row).toContain('&#60;b&#62;&#38; &#34;more&#34;&#60;/b&#62;</a>');
    expect(row).toContain('&#34;A&#34; &#38; &#60;i&#62;B&#60;/i&#62;</a>');
  });

  test('lists a part below its combined event', async () => {
    const { read } = await world();
    const { text } = await read('/');
    expect(text).toMatch(/data-event="P"(?:(?!data-event).)*data-event="P1"/s);
  });

  test('says where its JSON, its channel and its embed code are, and draws its address as a QR code', async () => {
    const { read, page } = await world();
    const { text } = await read('/');
    expect(text).toContain(`<code data-channel="true">${page.slice(1).replaceAll('/', '-')}-overview</code>`);
    expect(text).toContain('&lt;athletics-competition src=');
    expect(text).toMatch(/<svg class="qr" role="img" aria-label="[^"]+"/);
  });

  test('describes itself to search engines, a name that looks like a tag included', async () => {
    const { read } = await world({
      full_name: 'A </script> meeting',
      city: 'Bay',
      latitude: 51.5,
      longitude: -1,
    });
    const { text } = await read('/');
    const [, data = ''] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(text) ?? [];
    expect(JSON.parse(data)).toMatchObject({
      '@type': 'SportsEvent',
      name: 'A </script> meeting',
      eventStatus: 'https://schema.org/EventScheduled',
      location: { '@type': 'Place', address: { addressLocality: 'Bay' }, geo: { latitude: 51.5 } },
      subEvent: [{ name: 'Long jump' }, { name: '100 m' }, { name: 'Triathlon' }, { name: 'Triathlon 60 m' }],
    });
    expect(JSON.parse(data)).not.toHaveProperty('organizer');
  });

  test('without a place on record names none', async () => {
    const { read } = await world();
    const [, data = ''] = /ld\+json">(.*?)<\/script>/s.exec((await read('/')).text) ?? [];
    expect(JSON.parse(data)).not.toHaveProperty('location');
  });

  test('of a competition with nothing in it is a page all the same', async () => {
    const { page } = await uploadsInto(admin);
    const { status, text } = await api.get(`${page}/`);
    expect(status).toBe(200);
    expect(text).toContain('No events are published yet.');
  });
});

describe('the pages of an event and a round', () => {
  test('show their units, and who advanced', async () => {
    const { read } = await world();
    const event = await read('/event/S/');
    const round = await read('/event/S/1/');
    expect(event.text).toContain('data-page="event"');
    expect(round.text).toContain('data-page="round"');
    expect(unitsIn(event.text)).toEqual(['S-1-1', 'S-1-2', 'S-2-1']);
    expect(unitsIn(round.text)).toEqual(['S-1-1', 'S-1-2']);
    const advanced = Array.from(round.text.matchAll(/data-qualified="([^"]+)"/g), ([, bib]) => bib);
    expect(advanced).toEqual(['1', '2']);
  });

  test('of a combined event lead to its parts', async () => {
    const { read } = await world();
    expect((await read('/event/P/')).text).toContain('data-event="P1"');
  });

  test('with more than twenty units draw twenty and link the others', async () => {
    const { store, page } = await uploadsInto(admin);
    const units = Array.from({ length: 23 }, (_, index) => ({ round: 1, heat: index + 1 }));
    await store({ events: [{ event_id: 'M', event_code: '100', units }] });
    const { text } = await api.get(`${page}/event/M/`);
    expect(text.match(/data-unit="/g)).toHaveLength(20);
    expect(text).toContain('Shown above: 20 of 23.');
    expect(text).toContain(`href="${page}/event/M/1/23/"`);
  });

  test('that there are none of are not found', async () => {
    const { read } = await world();
    const asked = await Promise.all(['/event/X/', '/event/S/3/', '/event/S/0/', '/competitor/X/'].map(read));
    expect(asked.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
  });
});

describe('the page of all competitors', () => {
  test('shows what is public of everybody, as text', async () => {
    const { read } = await world();
    const { text } = await read('/competitors/');
    expect(bibsIn(text)).toEqual(['2', '1']);
    expect(text).toContain('&lt;b>Hop');
    expect(text).not.toMatch(/SECRET|2001-02-03/);
  });

  test.for([
    ['öst', ['1']],
    ['Öst åsa', ['1']],
    ['town', ['1']],
    ['hop', ['2']],
    ['%', []],
    ['SECRET', []],
  ] as const)('finds by %s', async ([wanted, bibs]) => {
    const { read } = await world();
    const { text } = await read(`/competitors/?q=${encodeURIComponent(wanted)}`);
    expect(bibsIn(text)).toEqual(bibs);
  });

  test('has a hundred on each page, and shows the nearest of a page that there is not', async () => {
    const { store, page } = await uploadsInto(admin);
    const competitors = Array.from({ length: 130 }, (_, index) => ({
      competitor_id: String(index),
      last_name: 'A',
    }));
    await store({ competitors });
    const counts = await Promise.all(
      ['', '?page=2', '?page=9999', '?page=-1', '?page=2&page=1'].map(async (query) => {
        const { status, text } = await api.get(`${page}/competitors/${query}`);
        return [status, bibsIn(text).length];
      }),
    );
    expect(counts).toEqual([
      [200, 100],
      [200, 30],
      [200, 30],
      [200, 100],
      [200, 100],
    ]);
  });
});

describe('the page of a competitor', () => {
  test('shows results, entries and where they start next', async () => {
    const { read } = await world();
    const { text } = await read('/competitor/1/');
    expect(text).toContain('data-page="competitor"');
    expect(text).toContain('data-result="S-1-1"');
    expect(textOf(text, 'data-region="next-start"', 'div')).toContain('100 m · Final');
    expect(textOf(text, 'data-region="entries"', 'section')).toContain('6.40');
    expect(text).not.toContain('2001-02-03');
  });
});

async function headOf(path: string) {
  const { text } = await api.get(path);
  return [/<title>([^<]*)/, /name="description" content="([^"]*)/].map((part) => part.exec(text)?.[1]);
}

test('the heads of the pages speak the language of their address', async () => {
  const { page } = await world({ full_name: 'Town Open', date: '2026-05-30', finish_date: '2026-05-31' });
  expect(await headOf(`${page}/competitors/`)).toEqual(['Competitors · Town Open', 'Competitors, Town Open']);
  expect(await headOf(`/fr${page}/competitors/`)).toEqual(['Athlètes · Town Open', 'Athlètes, Town Open']);
  expect(await headOf(`/el${page}/competitors/`)).toEqual(['Αθλητές · Town Open', 'Αθλητές, Town Open']);
  expect(await headOf(`/de${page}/competitor/1/`)).toEqual([
    'Åsa Öst · Town Open',
    'Teilnehmer, Åsa Öst, Town, Town Open',
  ]);
  expect((await headOf(`/de${page}/`))[1]).toBe('Town Open, GBR, 30.–31. Mai 2026');
  expect((await headOf(`/de${page}/event/J/1/1/card/`))[0]).toBe(
    'Wettkampfkarte · Long jump · Final · Town Open',
  );
});

test.each(['/', '/event/S/1/1/'])(
  'the page at %s is read with one question beside that of its revision',
  async (path) => {
    const { read } = await world();
    const asked = vi.spyOn(Client.prototype, 'query');
    const { status } = await read(path);
    const times = asked.mock.calls.length;
    asked.mockRestore();
    expect({ status, times }).toEqual({ status: 200, times: 2 });
  },
);
