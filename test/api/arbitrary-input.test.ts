import * as fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { type Answer, startTestApp } from '../helpers/app.ts';
import { competition } from '../helpers/factories.ts';
import { uploadsInto } from '../helpers/uploads.ts';

const api = await startTestApp({ RATE_LIMIT_WRITE: '0', RATE_LIMIT_LOGIN: '0' });
const admin = await api.as('ADMIN_GBR');
const { path } = await uploadsInto(admin, {
  push: true,
  events: ['LJ', 'HJ', '100'].map((code) => ({ event_id: code, event_code: code, rounds: '1' })),
});
afterAll(api.close);

const COLLECTION = '/api/v1/competitions/';

/** Near the values that somebody might send, and far from them. */
const value = fc.oneof(
  { weight: 6, arbitrary: fc.jsonValue({ maxDepth: 2 }) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      '',
      ' ',
      '0',
      '1',
      '-1',
      'GBR',
      '2026-06-13',
      'x',
      '\u0000',
      '\ud800',
      '1e999',
      '٣',
    ),
  },
  { weight: 1, arbitrary: fc.constantFrom(0, -1, 1.5, 1e300, -0, 2 ** 53, 2 ** 31, 1, 1000) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 300 }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom({ toString: 1 }, { toJSON: 'x' }, [[[]]], { length: -1 }),
  },
);
const sometimes = <Shape extends Record<string, unknown>>(shape: {
  [Key in keyof Shape]: fc.Arbitrary<Shape[Key]>;
}) => fc.record(shape, { requiredKeys: [] });
const key = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('1', '2', 'A', 3) },
  { weight: 1, arbitrary: value },
);
const listOf = (item: fc.Arbitrary<unknown>) =>
  fc.oneof({ weight: 5, arbitrary: fc.array(item, { maxLength: 3 }) }, { weight: 1, arbitrary: value });
const small = fc.oneof({ weight: 4, arbitrary: fc.constantFrom(1, 2, '1') }, { weight: 1, arbitrary: value });

const result = sometimes({
  bib: key,
  place: value,
  performance: value,
  points: value,
  athlete_name: value,
  splits: value,
});
const trial = sometimes({ bib: key, round: small, height: value, result: value, jump_off: value });
const unit = sometimes({
  round: small,
  heat: small,
  status: value,
  results_status: fc.oneof(fc.constantFrom('official', 'empty', 'in_progress'), value),
  heat_name: value,
  heights: value,
  wind_assistance: value,
  results: listOf(result),
  trials: listOf(trial),
});
const event = sometimes({
  event_id: key,
  event_code: fc.oneof(fc.constantFrom('HJ', 'LJ', '4x100', '100'), value),
  name: value,
  age_groups: value,
  rounds: fc.oneof(fc.constantFrom('1', '2,1', ''), value),
  parent: key,
  units: listOf(unit),
});
const fields = sometimes({
  full_name: value,
  slug: value,
  country_id: fc.oneof(fc.constant('GBR'), value),
  date: fc.oneof(fc.constant('2026-06-13'), value),
  finish_date: value,
  year: value,
  id: value,
  latitude: value,
  age_groups: value,
  wa_rankings_category_id: value,
  website: value,
  venue_id: value,
  override_token: value,
  competitors: listOf(
    sometimes({
      competitor_id: key,
      date_of_birth: value,
      team_id: key,
      gender: value,
      events_entered: listOf(value),
    }),
  ),
  teams: listOf(sometimes({ team_id: key, team_name: value })),
  relay_teams: listOf(sometimes({ relay_team_id: key, event_id: key, runners: value })),
  events: listOf(event),
  odd: value,
});
const body = fc.oneof({ weight: 4, arbitrary: fields }, { weight: 1, arbitrary: value });

const attempt = sometimes({
  bib: key,
  round: small,
  height: fc.oneof(fc.constantFrom('1.80', '1.85'), value),
  result: fc.oneof(fc.constantFrom('x', 'o', '-', 'r', '6.00'), value),
  wind: value,
  jump_off: value,
  attempt: value,
});

const isRefusal = (answer: unknown) =>
  typeof answer === 'object' && answer !== null && Object.keys(answer).join() === 'detail';
/** An answer of the service that is as it should be, whatever was asked. */
const isProper = ({ status, body: answer }: Answer) =>
  status < 300 || (status >= 400 && status < 500 && status !== 404 && isRefusal(answer));

describe('whatever JSON is sent, no answer is a failure of the service', () => {
  test.for<[string, (sent: unknown) => Promise<Answer>]>([
    ['create', (sent) => admin.post(COLLECTION, sent)],
    [
      'create with all that is required',
      (sent) => admin.post(COLLECTION, { ...Object(sent), ...competition() }),
    ],
    ['update', (sent) => admin.post(path, sent)],
    ['test', (sent) => admin.post(`${COLLECTION}test`, sent)],
    ['unit of a long jump', (sent) => admin.patch(`${path}/events/LJ/units/1/1`, sent)],
    ['unit of a high jump', (sent) => admin.patch(`${path}/events/HJ/units/1/1`, sent)],
    ['settings', (sent) => admin.patch(`${path}/settings`, sent)],
    ['token', (sent) => api.post('/api/v1/auth/token', sent)],
  ])('%s', async ([, send]) => {
    await fc.assert(
      fc.asyncProperty(body, async (sent) => {
        expect(await send(sent)).toSatisfy(isProper);
      }),
      { numRuns: 80 },
    );
  });

  test.for(['LJ', 'HJ', '100'])('attempt in event %s', async (code) => {
    const unit = `${path}/events/${code}/units/1/1`;
    const bibs = ['1', '2', 'A', '3'].map((bib) => ({ bib }));
    await fc.assert(
      fc.asyncProperty(fc.array(attempt, { maxLength: 6 }), async (attempts) => {
        await admin.patch(unit, { trials: [], results: bibs });
        for (const sent of attempts) expect(await admin.post(`${unit}/attempts`, sent)).toSatisfy(isProper);
      }),
      { numRuns: 20 },
    );
  });

  test('the list, whatever the query', async () => {
    const query = sometimes({
      country: fc.string(),
      from_date: fc.string({ unit: 'binary' }),
      '': fc.string(),
    });
    await fc.assert(
      fc.asyncProperty(query, async (sent) => {
        const text = Object.entries(sent).map(([name, given]) => `${name}=${escape(given ?? '')}`);
        expect(await admin.get(`${COLLECTION}?${text.join('&')}`)).toSatisfy(
          (answer: Answer) => isProper(answer) || answer.status === 404,
        );
      }),
      { numRuns: 80 },
    );
  });
});
