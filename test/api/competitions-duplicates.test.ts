import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, test } from 'vitest';
import { type Answer, startTestApp } from '../helpers/app.ts';
import { competition } from '../helpers/factories.ts';

const api = await startTestApp();
const admin = await api.as('ADMIN_GBR', 'ADMIN_FRA');
afterAll(api.close);

const HOUR_MS = 3_600_000;
const statuses = (answers: Answer[]) => answers.map(({ status }) => status).toSorted((a, b) => a - b);
const create = (body: unknown) => admin.post('/api/v1/competitions/', body);

/** A stored competition, the payload that made it, and the token that a second create of it was refused with. */
async function refusedDuplicate(overrides: Record<string, unknown> = {}) {
  const sent = competition(overrides);
  const first = await create(sent);
  const refusal = await create(sent);
  return { sent, first: first.body, refusal, token: refusal.body.detail.override_token as string };
}

const DUPLICATE = 'A competition with the same name and date already exists';

describe('a competition of the same name and date', () => {
  test('is refused with a token and the records it matches', async () => {
    const { first, refusal } = await refusedDuplicate();
    expect(refusal.status).toBe(409);
    expect(refusal.body).toStrictEqual({
      detail: {
        error: `${DUPLICATE}. This account created ${first.id} a moment ago`,
        override_token: expect.stringMatching(/^[\w-]{20,}$/),
        mathing_competitions: [first],
      },
    });
  });

  test('is named as this account’s own for a minute, for who did not hear that it was created; to others never', async () => {
    const sent = competition();
    await create(sent);
    const other = await api.as('ADMIN_GBR');
    const error = async (client: typeof other) =>
      (await client.post('/api/v1/competitions/', sent)).body.detail.error;
    expect(await error(other)).toBe(DUPLICATE);
    expect(await error(admin)).toMatch(/This account created [\w-]{36} a moment ago$/);
    api.clock.advance(60_000);
    expect(await error(admin)).toBe(DUPLICATE);
    api.clock.advance(-60_000);
  });

  test.for([
    ['letter case', 'OPEN of ESSEX', 'open OF essex'],
    ['white space', 'Kent  Open ', 'Kent Open'],
    ['Unicode form', 'Málaga Cup', 'Ma\u0301laga Cup'],
    ['sharp s', 'Straßenlauf', 'STRASSENLAUF'],
    ['width', 'Tokyo Ｏｐｅｎ', 'Tokyo Open'],
  ])('is recognised whatever its %s', async ([, one, other]) => {
    const first = await create(competition({ full_name: one }));
    const second = await create(competition({ full_name: other, country_id: 'FRA' }));
    expect([first.status, second.status]).toEqual([201, 409]);
    expect(second.body.detail.mathing_competitions).toEqual([first.body]);
  });

  test('is no duplicate on another day, or under another name', async () => {
    const sent = competition();
    await create(sent);
    expect((await create({ ...sent, slug: 'day-two', date: '2026-06-14' })).status).toBe(201);
    expect((await create({ ...sent, slug: 'b-meeting', full_name: `${sent.full_name} B` })).status).toBe(201);
  });

  test('is no duplicate of one that was deleted, nor of one that was renamed', async () => {
    const gone = competition();
    const { body } = await create(gone);
    await admin.delete(`/api/v1/competitions/${body.id}`);
    expect((await create(gone)).status).toBe(201);
    const renamed = competition();
    const { body: stored } = await create(renamed);
    await admin.post(`/api/v1/competitions/${stored.id}`, { full_name: 'Renamed' });
    expect((await create({ ...renamed, slug: 'another' })).status).toBe(201);
  });

  test('created twice at the same moment exists once', async () => {
    const sent = competition({ slug: null });
    const answers = await Promise.all(Array.from({ length: 6 }, () => create(sent)));
    expect(statuses(answers)).toEqual([201, 409, 409, 409, 409, 409]);
  });
});

describe('the override token', () => {
  test('lets the same payload pass, with a free slug and a fresh id in place of the taken ones', async () => {
    const { sent, first, token } = await refusedDuplicate({ id: randomUUID() });
    api.clock.advance(1);
    const { status, body } = await create({ ...sent, override_token: token });
    expect(status).toBe(201);
    expect(body).toMatchObject({ full_name: first.full_name, slug: `${first.slug}-2`, override_token: null });
    expect(body.id).not.toBe(first.id);
    const again = await create(sent);
    expect(again.body.detail.mathing_competitions).toEqual([first, body]);
    const third = await create({ ...sent, override_token: again.body.detail.override_token });
    expect(third.body.slug).toBe(`${first.slug}-3`);
  });

  test('keeps a slug and an id that are free', async () => {
    const { sent, token } = await refusedDuplicate();
    const own = { slug: 'another-slug', id: randomUUID() };
    expect((await create({ ...sent, ...own, override_token: token })).body).toMatchObject(own);
  });

  test('leaves room for the number in a slug of full length', async () => {
    const { sent, token } = await refusedDuplicate({ slug: 'a'.repeat(80) });
    expect((await create({ ...sent, override_token: token })).body.slug).toBe(`${'a'.repeat(78)}-2`);
  });

  test('works once', async () => {
    const { sent, token } = await refusedDuplicate();
    await create({ ...sent, override_token: token });
    const { status, body } = await create({ ...sent, override_token: token });
    expect(status).toBe(409);
    expect(body.detail.error).toMatch(/has been used already/);
    expect(body.detail.override_token).not.toBe(token);
    expect((await create({ ...sent, override_token: body.detail.override_token })).status).toBe(201);
  });

  test('used twice at the same moment passes once', async () => {
    const { sent, token } = await refusedDuplicate();
    const answers = await Promise.all([1, 2, 3].map(() => create({ ...sent, override_token: token })));
    expect(statuses(answers)).toEqual([201, 409, 409]);
  });

  test('is not used up by a create that fails for another reason', async () => {
    const { sent, token } = await refusedDuplicate();
    expect((await create({ ...sent, latitude: 'x', override_token: token })).status).toBe(422);
    expect((await create({ ...sent, override_token: token })).status).toBe(201);
  });

  test('is good for three days and no longer', async () => {
    const early = await refusedDuplicate();
    const late = await refusedDuplicate();
    api.clock.advance(72 * HOUR_MS - 1000);
    // The access token is shorter lived than the override token.
    const later = await api.as('ADMIN_GBR');
    const send = ({ sent, token }: typeof early) =>
      later.post('/api/v1/competitions/', { ...sent, override_token: token });
    expect((await send(early)).status).toBe(201);
    api.clock.advance(1000);
    const { status, body } = await send(late);
    expect(status).toBe(409);
    expect(body.detail.error).toMatch(/has expired/);
    expect((await send({ ...late, token: body.detail.override_token })).status).toBe(201);
    api.clock.advance(-72 * HOUR_MS);
  });

  test.for([
    ['of another name', { full_name: 'Another Name' }],
    ['of another date', { date: '2026-06-20' }],
  ])('%s is refused', async ([, change]) => {
    const { sent } = await refusedDuplicate();
    const foreign = await refusedDuplicate({ full_name: sent.full_name, date: sent.date, ...Object(change) });
    const { status, body } = await create({ ...sent, override_token: foreign.token });
    expect(status).toBe(409);
    expect(body.detail.error).toMatch(/issued for another name or date/);
  });

  test('that nobody issued is refused', async () => {
    const { sent } = await refusedDuplicate();
    const { status, body } = await create({ ...sent, override_token: 'made-up' });
    expect(status).toBe(409);
    expect(body.detail.error).toMatch(/is not known/);
  });

  test('is not stored as it is', async () => {
    const { token } = await refusedDuplicate();
    const { rows } = await api.db.$client.query('select token_hash from override_tokens');
    expect(rows.length).toBeGreaterThan(0);
    expect(JSON.stringify(rows)).not.toContain(token);
  });
});

describe('a taken slug or id', () => {
  test('is a 409 that names a free slug', async () => {
    const { slug } = (await create(competition())).body;
    const { status, body } = await create(competition({ slug }));
    expect(status).toBe(409);
    expect(body).toEqual({ detail: `The slug ${slug} is taken in that country and year; ${slug}-2 is free` });
    expect((await create(competition({ slug: `${slug}-2` }))).status).toBe(201);
  });

  test('is taken in one country and year only', async () => {
    const { slug } = (await create(competition())).body;
    expect((await create(competition({ slug, country_id: 'FRA' }))).status).toBe(201);
    expect((await create(competition({ slug, date: '2027-06-13' }))).status).toBe(201);
  });

  test('an underscore in a slug is no wildcard', async () => {
    await create(competition({ slug: 'spring-open' }));
    expect((await create(competition({ slug: 'spring_open' }))).status).toBe(201);
  });

  test('a taken id is a 409', async () => {
    const { id } = (await create(competition())).body;
    const { status, body } = await create(competition({ id }));
    expect(status).toBe(409);
    expect(body.detail).toContain(id);
  });

  test('the duplicate is told first, then the id, then the slug', async () => {
    const stored = competition({ id: randomUUID() });
    await create(stored);
    const { id, slug } = stored as unknown as { id: string; slug: string };
    expect((await create(stored)).body.detail).toHaveProperty('override_token');
    expect((await create(competition({ id, slug }))).body.detail).toContain('id');
    expect((await create(competition({ slug }))).body.detail).toContain('slug');
  });

  test('two competitions that want one slug at the same moment: one gets it', async () => {
    const slug = 'wanted-by-two';
    const answers = await Promise.all([competition({ slug }), competition({ slug })].map(create));
    expect(statuses(answers)).toEqual([201, 409]);
  });
});
