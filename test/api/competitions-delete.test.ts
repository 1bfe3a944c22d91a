import { afterAll, describe, expect, test } from 'vitest';
import { startTestApp } from '../helpers/app.ts';
import { competition, competitor, event } from '../helpers/factories.ts';
import { outboxReader } from '../helpers/outbox.ts';
import { snapshot } from '../helpers/snapshot.ts';
import { uploadsInto } from '../helpers/uploads.ts';

const api = await startTestApp();
const admin = await api.as('ADMIN_GBR');
afterAll(api.close);

async function stored(overrides: Record<string, unknown> = {}) {
  const { body } = await admin.post('/api/v1/competitions/', competition(overrides));
  return { record: body, path: `/api/v1/competitions/${body.id}` };
}

describe('deleting a competition', () => {
  test('answers 204 without a body, and everything in it is gone', async () => {
    const before = await snapshot(api.db);
    const { record, path } = await stored({
      competitors: [competitor({ events_entered: [{ event_id: 'E' }] })],
      teams: [{ team_id: 'T' }],
      relay_teams: [{ relay_team_id: 'R', event_id: 'E' }],
      events: [event({ event_id: 'E' })],
    });
    await admin.post(path, { slug: `${record.slug}-moved` });
    const { status, text } = await admin.delete(path);
    expect([status, text]).toEqual([204, '']);
    // But for what calendars of readers cancel, and what the feed of changes tells of.
    const { deleted_competitions: cancelled, ...after } = await snapshot(api.db);
    const told = { deleted_competitions: [], change_hints: [] };
    expect({ ...after, ...told }).toEqual({ ...before, ...told });
    expect(cancelled).toHaveLength(before['deleted_competitions']!.length + 1);
  });

  test('makes every address of it a 404', async () => {
    const { record, path } = await stored({ events: [event({ event_id: 'E' })] });
    await admin.delete(path);
    const page = `/x/${record.year}/GBR/${record.slug}`;
    for (const gone of [path, `${path}/settings`, `${page}/json/`, `${page}/event/E/1/1/json/`]) {
      expect((await admin.get(gone)).status).toBe(404);
    }
    expect((await admin.post(path, { city: 'X' })).status).toBe(404);
    expect((await admin.delete(path)).status).toBe(404);
    expect((await admin.get('/api/v1/competitions/')).text).not.toContain(record.id);
  });

  test('frees its slug and id', async () => {
    const { record, path } = await stored();
    await admin.delete(path);
    const { id, slug } = record;
    const answer = await admin.post('/api/v1/competitions/', competition({ id, slug }));
    expect(answer.body).toMatchObject({ id, slug });
  });

  test('twice at the same moment succeeds once', async () => {
    const { path } = await stored();
    const answers = await Promise.all([admin.delete(path), admin.delete(path)]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([204, 404]);
  });
});

describe('settings', () => {
  test('a new competition pushes nothing and is directed by its creator', async () => {
    const { path } = await stored();
    const { status, body } = await admin.get(`${path}/settings`);
    expect(status).toBe(200);
    expect(body).toStrictEqual({ push_notifications: false, directors: [admin.email] });
  });

  test('change one by one', async () => {
    const { path } = await stored();
    const [one, two] = [await api.as(), await api.as()];
    const on = await admin.patch(`${path}/settings`, { push_notifications: true });
    expect(on.body).toEqual({ push_notifications: true, directors: [admin.email] });
    const emails = [two.email.toUpperCase(), one.email, ` ${one.email} `];
    const directed = await admin.patch(`${path}/settings/`, { directors: emails });
    expect(directed.body).toEqual({ push_notifications: true, directors: [one.email, two.email].toSorted() });
    expect((await admin.patch(`${path}/settings`, {})).body).toEqual(directed.body);
    expect((await admin.patch(`${path}/settings`, { directors: [] })).body.directors).toEqual([]);
    expect((await admin.get(`${path}/settings`)).body).toEqual({ push_notifications: true, directors: [] });
  });

  test.for<[string, unknown]>([
    ['push_notifications', 'perhaps'],
    ['push_notifications', null],
    ['directors', 'someone@example.org'],
    ['directors', [7]],
    ['directors', ['nobody']],
    ['directors', ['somebody@example.org', 'no body@example.org']],
    ['directors', null],
  ])('%s %j is a 422 that names it', async ([field, value]) => {
    const { path } = await stored();
    const { status, body } = await admin.patch(`${path}/settings`, { [field]: value });
    expect(status).toBe(422);
    expect(body.detail[0].loc.slice(0, 2)).toEqual(['body', field]);
  });

  test('a director appears in what the account directs', async () => {
    const { record, path } = await stored();
    const director = await api.as();
    await admin.patch(`${path}/settings`, { directors: [director.email] });
    expect((await director.get('/api/v1/auth/me')).body).toEqual({
      email: director.email,
      groups: [],
      competitions: [record.id],
    });
  });

  test('turning push on or off is a new revision of the competition, of which nothing is pushed', async () => {
    const { store, path, page, unit } = await uploadsInto(admin);
    await store({ events: [{ event_id: 'E', units: [{ round: 1, heat: 1, results: [{ bib: '1' }] }] }] });
    const pushed = outboxReader(api.db);
    await pushed();
    const read = async () => (await api.get(`${page}/json/`)).body;
    const before = { document: await read(), unit: await unit('E') };
    let { revision } = before.document;
    for (const push_notifications of [true, false]) {
      await admin.patch(`${path}/settings`, { push_notifications });
      const document = await read();
      expect(document.revision).toBeGreaterThan(revision);
      expect({ ...document, revision: 0 }).toEqual({ ...before.document, revision: 0 });
      revision = document.revision;
    }
    expect(await unit('E')).toEqual(before.unit);
    expect(await pushed()).toEqual([]);
  });

  test('that stay as they are raise nothing, nor do other directors', async () => {
    const { path, page } = await uploadsInto(admin, { push: true });
    const director = await api.as();
    const { headers } = await api.get(`${page}/json/`);
    for (const same of [{}, { push_notifications: true }, { directors: [director.email] }]) {
      expect((await admin.patch(`${path}/settings`, same)).status).toBe(200);
      expect((await api.get(`${page}/json/`)).headers['etag']).toBe(headers['etag']);
    }
  });

  test('changing them does not touch the public record', async () => {
    const { record, path } = await stored();
    await admin.patch(`${path}/settings`, { push_notifications: true });
    expect((await admin.get(path)).body).toEqual(record);
  });
});
