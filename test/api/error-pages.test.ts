// Refusals as people see them, and as programs read them.
import { afterAll, describe, expect, test } from 'vitest';
import { type Answer, startTestApp } from '../helpers/app.ts';
import { competition } from '../helpers/factories.ts';

const api = await startTestApp();
const admin = await api.as('ADMIN_GBR');
afterAll(() => api.close());

const BROWSER = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };

const kindOf = ({ status, headers, text }: Answer) => {
  const isHtml = String(headers['content-type']).startsWith('text/html');
  return `${status} ${isHtml ? (/data-page="(\w+)"/.exec(text)?.[1] ?? 'other html') : 'json'}`;
};

describe('an address that leads nowhere', () => {
  test.for([
    ['/x/2026/GBR/nobody-there/', '404 error'],
    ['/x/2026/GBR/nobody-there', '404 error'],
    ['/de/x/2026/GBR/nobody-there/screen/', '404 error'],
    ['/x/20', '404 error'],
    ['/x/2026/QQQ/', '404 error'],
    ['/x/2026/GBR/nobody-there/json/', '404 json'],
    ['/x/2026/GBR/nobody-there/event/F1/json', '404 json'],
    ['/de/x/nothing/at/all/json/', '404 json'],
    ['/nothing', '404 json'],
  ] as const)('%s is for anybody %s', async ([path, expected]) => {
    expect(kindOf(await api.get(path))).toBe(expected);
    expect(kindOf(await api.get(path, { accept: '*/*' }))).toBe(expected);
  });

  test.for([
    ['/nothing', '404 error'],
    ['/de/nothing', '404 error'],
    ['/assets/nothing.js', '404 error'],
    ['/api/v1/nothing', '404 json'],
    ['/apps/1/nothing', '404 json'],
    ['/live/nothing', '404 json'],
    ['/x/2026/GBR/nobody-there/json/', '404 json'],
  ] as const)('%s is for a browser %s', async ([path, expected]) => {
    expect(kindOf(await api.get(path, BROWSER))).toBe(expected);
  });

  test.for([
    ['text/html', '404 error'],
    ['application/json', '404 json'],
    ['application/json, text/html;q=0.9', '404 json'],
    ['text/html;q=0.5, */*', '404 json'],
    ['text/html, application/json;q=0.9', '404 error'],
    ['text/html;q=0', '404 json'],
    ['nonsense;;q=', '404 json'],
  ] as const)('is answered to whoever accepts %s with %s', async ([accept, expected]) => {
    const answer = await api.get('/nothing', { accept });
    expect(kindOf(answer)).toBe(expected);
    expect(answer.headers['vary']).toContain('Accept');
  });

  test('says so in the language of the address, keeps nothing, and has no address of its own', async () => {
    const { headers, text } = await api.get('/de/x/2026/GBR/nobody-there/');
    expect(text).toContain('<html lang="de">');
    expect(text).toContain('href="/de/"');
    expect(text).not.toContain('hreflang');
    expect(text).not.toContain('canonical');
    expect(text).toContain('noindex');
    expect(headers['cache-control']).toBe('no-store');
    expect(headers['content-security-policy']).toContain("script-src 'self'");
    expect(headers['x-request-id']).toBeDefined();
  });

  test('keeps the status of a method that is not there, as JSON', async () => {
    expect(kindOf(await api.post('/x/2026/GBR/nobody-there/', {}))).toMatch(/^40[45] json$/);
    const head = await api.request({ method: 'HEAD', url: '/x/2026/GBR/nobody-there/' });
    expect([head.status, head.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
  });
});

test('a page of something deleted meanwhile leads to its competition, and that of a deleted competition to the start', async () => {
  const record = competition({ full_name: 'Fell <b>& Moor</b>', events: [{ event_id: 'F1', rounds: '1' }] });
  const { body } = await admin.post('/api/v1/competitions/', record);
  const page = `/x/${body.year}/GBR/${body.slug}/`;
  expect(kindOf(await api.get(`${page}event/F1/1/1/`))).toBe('200 unit');
  await admin.delete(`/api/v1/competitions/${body.id}/events/F1`);
  const gone = await api.get(`/de${page}event/F1/1/1/`);
  expect(kindOf(gone)).toBe('404 error');
  expect(gone.text).toContain(`<a href="/de${page}">Fell &lt;b>&amp; Moor&lt;/b></a>`);
  await admin.delete(`/api/v1/competitions/${body.id}`);
  const nothing = await api.get(`${page}event/F1/1/1/`);
  expect(nothing.text).not.toContain('Moor');
  expect(nothing.text).toContain('href="/"');
});

test('who reads too often gets a page that says how long to wait', async () => {
  const limited = await startTestApp({ RATE_LIMIT_READ: '1' });
  try {
    await limited.get('/x/2026/');
    const refused = await limited.get('/x/2026/', BROWSER);
    expect(kindOf(refused)).toBe('429 error');
    expect(refused.headers['retry-after']).toBeDefined();
    expect(kindOf(await limited.get('/x/2026/json/', BROWSER))).toBe('429 json');
  } finally {
    await limited.close();
  }
});

test('maintenance is a page where people look, with the time to come back', async () => {
  const paused = await startTestApp({ MAINTENANCE_MODE: 'true' });
  try {
    for (const path of ['/', '/de/', '/x/2026/', '/de/x/2026/GBR/a/event/F1/1/1/']) {
      const answer = await paused.get(path, BROWSER);
      expect([path, kindOf(answer)]).toEqual([path, '503 error']);
      expect(answer.headers['retry-after']).toBeDefined();
      expect(answer.headers['cache-control']).toBe('no-store');
    }
    expect(kindOf(await paused.get('/x/2026/json/', BROWSER))).toBe('503 json');
    expect(kindOf(await paused.get('/api/v1/competitions/', BROWSER))).toBe('503 json');
  } finally {
    await paused.close();
  }
});

test('without a database pages say that they are not available, and probes stay as programs read them', async () => {
  const cut = await startTestApp();
  try {
    await cut.deps.reads.$client.end();
    expect(kindOf(await cut.get('/x/2026/GBR/a/event/F1/1/1/'))).toBe('503 error');
    expect(kindOf(await cut.get('/', BROWSER))).toBe('503 error');
    expect(kindOf(await cut.get('/x/2026/GBR/a/screens/'))).toBe('404 error');
    const ready = await cut.get('/readyz', BROWSER);
    expect(ready.headers['content-type']).toContain('json');
  } finally {
    await cut.close().catch(() => {});
  }
});
