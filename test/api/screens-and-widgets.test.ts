import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import { Overview } from '../../src/site/documents/overview-shape.ts';
import { startTestApp } from '../helpers/app.ts';
import { uploadsInto } from '../helpers/uploads.ts';

const api = await startTestApp();
const admin = await api.as('ADMIN_GBR', 'ADMIN_DEU', 'ADMIN_ENG', 'ADMIN_MLT', 'ADMIN_XKX');
afterAll(api.close);

const MEETING = {
  competitors: [
    { competitor_id: '1', first_name: 'Ada', last_name: '<b>Quick</b>', team_id: 'T' },
    { competitor_id: '2', first_name: 'Bea', last_name: 'Hopper' },
  ],
  teams: [{ team_id: 'T', team_name: 'Town' }],
  events: [
    {
      event_id: 'T-1',
      event_code: '100',
      name: '100 m Women',
      units: [
        { round: 1, heat: 1, results: [{ bib: '1', lane: 3, place: 1, performance: '11.82' }] },
        { round: 1, heat: 2, scheduled_start_time: '14:05', results: [{ bib: '2', lane: 4 }] },
      ],
    },
    {
      event_id: 'F1',
      event_code: 'LJ',
      name: 'Long Jump Women',
      max_field_attempts: 4,
      units: [
        {
          round: 1,
          heat: 1,
          results: [
            { bib: '1', order: 1 },
            { bib: '2', order: 2 },
          ],
          trials: [{ bib: '1', round: 1, result: '6.21', wind: '+0.4' }],
        },
      ],
    },
    {
      event_id: 'F2',
      event_code: 'HJ',
      name: 'High Jump Women',
      units: [{ round: 1, heat: 1, heights: ['1.50'], results: [{ bib: '2', order: 1 }] }],
    },
  ],
};

async function world(fields: Record<string, unknown> = {}) {
  const uploads = await uploadsInto(admin, fields);
  await uploads.store(MEETING);
  return uploads;
}

const attribute = (html: string, name: string) => new RegExp(`\\s${name}="([^"]*)"`).exec(html)?.[1];
const all = (html: string, pattern: RegExp) => Array.from(html.matchAll(pattern), ([, value]) => value);
const unitsOn = (html: string) => all(html, /<section[^>]* data-unit="([^"]*)"/g);

describe('the overview of a competition', () => {
  test('names every unit with its state, the last attempt of what is under way, and who won', async () => {
    const { page } = await world();
    const { status, body } = await api.get(`${page}/overview/json/`);
    expect(status).toBe(200);
    expect(Overview.safeParse(body).error).toBeUndefined();
    const states = body.events.flatMap(({ event_id, units }: Overview['events'][number]) =>
      units.map((unit) => `${event_id}-${unit.round_no}-${unit.heat_no} ${unit.results_status}`),
    );
    expect(states).toEqual(['T-1-1-1 provisional', 'T-1-1-2 seeded', 'F1-1-1 in_progress', 'F2-1-1 seeded']);
    expect(body.latest_attempts).toMatchObject([
      { event_id: 'F1', event_name: 'Long Jump Women', bib: '1', round: 1, result: '6.21' },
    ]);
    expect(body.latest_results).toMatchObject([
      { event_id: 'T-1', heat_no: 1, winner_name: 'Ada <b>Quick</b>', winner_performance: '11.82' },
    ]);
  });

  test('of one event has that alone; of none there is none', async () => {
    const { page } = await world();
    const { body } = await api.get(`${page}/event/F1/overview/json/`);
    expect(Overview.safeParse(body).error).toBeUndefined();
    expect(body.events).toMatchObject([{ event_id: 'F1', max_field_attempts: '4', units: [{ heat_no: 1 }] }]);
    expect(body.latest_results).toEqual([]);
    expect((await api.get(`${page}/event/F9/overview/json/`)).status).toBe(404);
  });

  test('is spelled in camelCase for who asks for that', async () => {
    const { page } = await world();
    const { body } = await api.get(`${page}/overview/json/?case=camel`);
    expect(body.events[0]).toMatchObject({ eventId: 'T-1', units: [{ roundNo: 1 }, {}] });
  });
});

describe('the script of the widget', () => {
  test('may be loaded by any page, is asked for again soon, and small', async () => {
    const { status, headers, text } = await api.get('/embed/v1.js');
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
      'cache-control': 'public, max-age=300',
    });
    expect(gzipSync(text).length).toBeLessThan(45 * 1024);
    expect(text).not.toMatch(/^\s*(import|export)\b/m);
    const again = await api.get('/embed/v1.js', { 'if-none-match': String(headers['etag']) });
    expect(again.status).toBe(304);
  });

  test('has its style beside it, for browsers that take none from a script', async () => {
    const { status, headers, text } = await api.get('/embed/v1.css');
    expect([status, headers['content-type']]).toEqual([200, 'text/css; charset=utf-8']);
    expect(text).toContain('--ath-accent');
    expect((await api.get('/embed/v2.js')).status).toBe(404);
  });
});

describe('a frame for other sites', () => {
  test.for(['/event/F1/1/1/embed/', '/embed/'])('%s may stand in any page', async (path) => {
    const { page } = await world();
    const { status, headers, text } = await api.get(page + path);
    expect(status).toBe(200);
    expect(headers['content-security-policy']).toContain('frame-ancestors *');
    expect(headers).not.toHaveProperty('x-frame-options');
    expect(text).toContain('<meta name="robots" content="noindex"');
    expect(attribute(text, 'data-page')).toBe('embed');
    expect(text).not.toMatch(/<header|<footer|<b>Quick/);
    expect(text).toContain('6.21');
  });

  test('is what other pages are not', async () => {
    const { page } = await world();
    for (const path of ['/event/F1/1/1/', '/screen/', '/overlay/', '/event/F1/1/1/card/']) {
      const { status, headers } = await api.get(page + path);
      expect([path, status, headers['x-frame-options']]).toEqual([path, 200, 'SAMEORIGIN']);
      expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
    }
  });
});

const ask = (url: string, more = '') =>
  api.get(`/oembed?url=${encodeURIComponent(url)}${more}`, { host: 'results.test' });

describe('oEmbed', () => {
  test('says how a unit is shown elsewhere, in the language of its address', async () => {
    const { page } = await world();
    const { status, body } = await ask(`http://results.test/de${page}/event/F1/1/1/`, '&maxwidth=300');
    expect(status).toBe(200);
    expect(body).toMatchObject({ version: '1.0', type: 'rich', width: 300, height: 480 });
    expect(attribute(body.html, 'src')).toBe(`http://results.test/de${page}/event/F1/1/1/embed/`);
  });

  test('is found from the page', async () => {
    const { page } = await world();
    const { text } = await api.get(`${page}/event/F1/1/1/`, { host: 'results.test' });
    const link = /<link[^>]*application\/json\+oembed[^>]*>/.exec(text)![0];
    const { status, body } = await api.get(
      attribute(link, 'href')!.replaceAll('&amp;', '&').replace('http://results.test', ''),
      { host: 'results.test' },
    );
    expect([status, body.type]).toEqual([200, 'rich']);
  });

  test('knows no page of others, none that is not there, and no XML', async () => {
    const { page } = await world();
    for (const url of [
      `http://elsewhere.test${page}/`,
      `http://results.test${page}x/`,
      `http://results.test${page}/event/F1/9/9/`,
      `http://results.test${page}/event/%ff/1/1/`,
      `http://results.test${page}/event/%00/1/1/`,
      'http://results.test/docs',
      'nonsense',
    ])
      expect([url, (await ask(url)).status]).toEqual([url, 404]);
    expect((await ask(`http://results.test${page}/`, '&format=xml')).status).toBe(501);
    const { status, body } = await api.get('/oembed');
    expect(status).toBe(422);
    expect(body.detail[0].loc).toEqual(['query', 'url']);
  });

  test('gives no title a way into the page around it', async () => {
    const { page } = await world({ full_name: `"><script>alert(1)</script> ${Date.now()}` });
    const { body } = await ask(`http://results.test${page}/`);
    expect(body.html).not.toContain('<script');
  });
});

describe('a big screen', () => {
  test('shows what is live when nobody says what', async () => {
    const { page } = await world();
    const { text } = await api.get(`${page}/screen/`);
    expect(attribute(text, 'data-page')).toBe('screen');
    expect(unitsOn(text)).toEqual(['F1-1-1']);
    expect(text).toContain('content="noindex"');
  });

  test('shows the units that it is asked for, in that order, and leaves out those that are none', async () => {
    const { page } = await world();
    const { text } = await api.get(`${page}/screen/?units=F1-1-1,nothing,T-1-1-2,F9-1-1`);
    expect(unitsOn(text)).toEqual(['F1-1-1', 'T-1-1-2']);
  });

  test('of an event shows its results when nothing of it is live, of a unit that unit', async () => {
    const { page } = await world();
    expect(unitsOn((await api.get(`${page}/event/T-1/screen/`)).text)).toEqual(['T-1-1-1']);
    expect(unitsOn((await api.get(`${page}/event/T-1/1/2/screen/`)).text)).toEqual(['T-1-1-2']);
    expect((await api.get(`${page}/event/T-1/1/9/screen/`)).status).toBe(404);
    expect((await api.get(`${page}/event/T9/screen/`)).status).toBe(404);
  });

  test('keeps numbers within bounds, and takes no value that it does not know', async () => {
    const { page } = await world();
    const { text } = await api.get(`${page}/screen/?rows=900&page=0&scale=x&theme=pink&clock=maybe`);
    expect(
      ['data-rows', 'data-seconds', 'data-scale', 'data-theme'].map((name) => attribute(text, name)),
    ).toEqual(['40', '2', '1', 'dark']);
    expect(text).not.toContain('data-clock');
    const full = (await api.get(`${page}/screen/?theme=lowres&clock=1&qr=1`)).text;
    expect([attribute(full, 'data-theme'), attribute(full, 'data-rows')]).toEqual(['lowres', '4']);
    expect(full).toMatch(/data-clock/);
    expect(full).toMatch(/class="qr"/);
  });
});

describe('a graphic over the picture', () => {
  test('is complete as it is sent', async () => {
    const { page } = await world();
    const { text } = await api.get(`${page}/event/T-1/1/1/overlay/?show=table`);
    expect(attribute(text, 'data-page')).toBe('overlay');
    expect(text).toMatch(/<tr data-bib="1">.*11\.82/);
    expect(text).not.toContain('style=');
  });

  test('takes colours that are colours', async () => {
    const { page } = await world();
    const keyOf = async (key: string) =>
      attribute((await api.get(`${page}/overlay/?key=${key}`)).text, 'data-key');
    expect(await keyOf('00ff00')).toBe('00ff00');
    expect(await keyOf('red;x:1')).toBeUndefined();
  });

  test('of a list of starters shows lanes and no results', async () => {
    const { page } = await world();
    const { text } = await api.get(`${page}/event/T-1/1/1/overlay/?show=startlist`);
    expect(text).toMatch(/data-cell="lane">3</);
    expect(text).not.toContain('11.82');
  });
});

describe('the card for judges', () => {
  test.for([
    ['F1', 'data-round', ['1', '2', '3', '4']],
    ['F2', 'data-height', ['1.50']],
  ] as const)('of %s has a column for each attempt', async ([event, name, columns]) => {
    const { page } = await world();
    const { text } = await api.get(`${page}/event/${event}/1/1/card/`);
    expect(all(text.split('</thead>')[0]!, new RegExp(`<th[^>]* ${name}="([^"]*)"`, 'g'))).toEqual(columns);
    expect(text).toContain('content="noindex"');
  });

  test('holds what is known so far, or nothing but the start list', async () => {
    const { page } = await world();
    const filled = (await api.get(`${page}/event/F1/1/1/card/`)).text;
    const blank = (await api.get(`${page}/event/F1/1/1/card/?blank=1`)).text;
    expect([filled.includes('6.21'), blank.includes('6.21')]).toEqual([true, false]);
    expect(blank).toContain('Bea Hopper');
    const race = (await api.get(`${page}/event/T-1/1/1/card/`)).text;
    expect(race).toMatch(/data-cell="lane">3<.*11\.82/);
  });
});
