// Whatever is sent to the operations of the OpenAPI document, the answers are proper.  FUZZ_RUNS=100000 npm test -- fuzz
import { inArray } from 'drizzle-orm';
import * as fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { hashPassword } from '../../src/accounts/passwords.ts';
import { accounts } from '../../src/db/schema.ts';
import { type Answer, startTestApp } from '../helpers/app.ts';
import { type FuzzRequest, requestsOf } from '../helpers/fuzz-requests.ts';
import { liveBytes } from '../helpers/memory.ts';
import { readDocument } from '../helpers/openapi-document.ts';
import { runSql } from '../helpers/sql.ts';
import { uploadsInto } from '../helpers/uploads.ts';

const RUNS = Number(process.env['FUZZ_RUNS'] ?? 300);
/** From here on times and memory are judged: a few requests say nothing about either. */
const LONG = RUNS >= 10_000;
/** Of the processor's time, whatever else the machine is busy with; and of waiting, on the slowest of machines. */
const COMPUTING_MS = 500;
const WAITING_MS = 10_000;
const GROWTH_BYTES = 64 * 1024 * 1024;
const REQUESTS_OF_A_PLACE = 300;

const api = await startTestApp({
  RATE_LIMIT_WRITE: '0',
  RATE_LIMIT_LOGIN: '0',
  BODY_LIMIT_MB: '1',
  CACHE_MB: '16',
});
afterAll(api.close);
const document = readDocument((await api.get('/openapi.json')).body);

// What the document's examples call it.
const passwordHash = hashPassword('correct horse');

const MEETING = {
  push: true,
  competitors: [1, 2, 3].map((id) => ({ competitor_id: `${id}`, last_name: `L${id}`, team_id: 'T' })),
  teams: [{ team_id: 'T', team_name: 'Team' }],
  relay_teams: [{ relay_team_id: 'RT', event_id: 'R', runners: ['1', '2'] }],
  events: [
    ...['LJ', 'HJ', '100'].map((code) => ({
      event_id: code,
      event_code: code,
      rounds: '2,1',
      units: [{ round: 1, heat: 1, results: ['1', '2', '3'].map((bib) => ({ bib })) }],
    })),
    { event_id: 'R', event_code: '4x100', units: [{ round: 1, heat: 1, results: [{ bib: 'RT' }] }] },
  ],
};

/** Who asks, and what is there to be asked for. Nothing of it lasts: requests delete, move and revoke. */
async function newPlace() {
  // What requests before have made would be listed by each that comes: a long run would become a slow one.
  await runSql(api.ownerUrl, 'delete from competitions');
  const [admin, plain] = await Promise.all([api.as('ADMIN_GBR'), api.as()]);
  await api.db
    .update(accounts)
    .set({ passwordHash })
    .where(inArray(accounts.id, [admin.id, plain.id]));
  const { id, page } = await uploadsInto(admin, MEETING);
  const [, , year, country_id, slug] = page.split('/');
  const segments: Record<string, string> = {
    comp_id: id,
    year: year!,
    country_id: country_id!,
    slug: slug!,
    round_no: '1',
    heat_no: '1',
    competitor_id: '1',
    team_id: 'T',
    relay_team_id: 'RT',
    attempt_id: id,
    group: 'euroath',
    name: 'european_calendar_2026.json',
  };
  const forged = `${admin.token.slice(0, -3)}AAA`;
  return { tokens: { admin: admin.token, plain: plain.token, nobody: undefined, forger: forged }, segments };
}
type Place = Awaited<ReturnType<typeof newPlace>>;

const EVENTS = ['LJ', 'HJ', '100', 'R'];

function toInject({ operation, method, segments, query, headers, payload, as }: FuzzRequest, place: Place) {
  const event_id = EVENTS[query.length % EVENTS.length]!;
  const path = operation.path.replaceAll(
    /\{(\w+)\}/g,
    (_, name: string) => segments[name] ?? { event_id, ...place.segments }[name]!,
  );
  const token = place.tokens[as];
  const form = operation.types.length > 1 && typeof payload === 'string' && !payload.startsWith('{');
  return {
    method: method as 'GET' | 'HEAD',
    url: query ? `${path}?${query}` : path,
    headers: {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(form && { 'content-type': 'application/x-www-form-urlencoded' }),
      ...headers,
    },
    ...(payload !== undefined && { payload }),
  };
}

type Sent = ReturnType<typeof toInject>;

/** Refusals that have to do with the address or the method, and not with what the operation declares. */
const ELSEWHERE = ['400', '404', '405', '413', '415'];

/** Why an answer is not as answers are; undefined when it is. */
function faultOf({ status, headers, body, text }: Answer, sent: Sent, { operation }: FuzzRequest) {
  if (status >= 500) return `a failure of the service: ${status} ${text}`;
  if (!headers['x-request-id']) return 'no x-request-id';
  if (headers['x-injected'] !== undefined) return 'a header of the request';
  if (({} as { polluted?: unknown }).polluted !== undefined) return 'a prototype was changed';
  if (sent.method === 'HEAD') return text === '' ? undefined : 'a body for no body';
  // An empty segment, or dots, lead to another operation. Some paths end in a stroke of their own.
  const path = sent.url.split('?', 1)[0]!.slice(0, operation.path.endsWith('/') ? -1 : undefined);
  const own = sent.method === operation.method && !/\/(?:\.|%2e){0,2}(?:\/|$)/i.test(path);
  if (own && ![...operation.statuses, ...ELSEWHERE].includes(String(status)))
    return `${status} is not declared`;
  if (status >= 400 && Object.keys(Object(body)).join() !== 'detail')
    return `a refusal of another dialect: ${text}`;
  if (status === 204 || status < 200 || (status >= 300 && status < 400))
    return text === '' ? undefined : 'a body for no body';
  // The other spelling of names is not the one declared.
  if (!own || headers['content-encoding'] || /case=camel/.test(sent.url)) return undefined;
  return operation.fault(status, body);
}

/** What ends a place: hardly anything is found there from then on. */
const ENDING = /^(delete(Competition|Event|Unit)|revokeTokens|changePassword)$/;

/** By the method that was sent: that of another operation at the same path may have taken the place of its own. */
const operationOf = (sent: Sent, { operation: { path } }: FuzzRequest) =>
  document.operations.find((one) => one.path === path && one.method === sent.method)?.id ?? '';

async function timed(sent: Sent) {
  const startMs = performance.now();
  const before = process.cpuUsage();
  const answer = await api.request(sent);
  const { user, system } = process.cpuUsage(before);
  const stalled = (user + system) / 1000 > COMPUTING_MS || performance.now() - startMs > WAITING_MS;
  return { answer, stalled };
}

test(
  `of ${RUNS} requests none fails, stalls or is answered otherwise than declared`,
  { timeout: 60_000 + RUNS * 100 },
  async () => {
    let place = await newPlace();
    let asked = 0;
    let heapThen = 0;
    const statuses = new Map<number, number>();
    await fc.assert(
      fc.asyncProperty(requestsOf(document), async (request) => {
        asked += 1;
        if (asked % REQUESTS_OF_A_PLACE === 0) place = await newPlace();
        if (LONG && asked === Math.floor(RUNS / 2)) heapThen = liveBytes();
        const sent = toInject(request, place);
        const { answer, stalled } = await timed(sent);
        statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
        expect(faultOf(answer, sent, request)).toBeUndefined();
        // What is slow by its nature is slow again; else it was the machine.
        const stallsAgain = LONG && stalled && (await timed(sent)).stalled;
        expect(stallsAgain ? sent : undefined).toBeUndefined();
        if (answer.status === 200 && answer.body && request.operation.id === 'updateCompetition') {
          const { year, country_id, slug } = answer.body;
          Object.assign(place.segments, { year: String(year), country_id, slug });
        }
        if (answer.body?.attempt?.attempt_id) place.segments['attempt_id'] = answer.body.attempt.attempt_id;
        if (answer.status < 300 && ENDING.test(operationOf(sent, request))) place = await newPlace();
      }),
      { numRuns: RUNS },
    );
    if (process.env['FUZZ_RUNS'] !== undefined)
      process.stdout.write(`${JSON.stringify(Object.fromEntries(statuses))}\n`);
    // Half of the requests have filled what is kept; the other half may not add to it.
    expect(LONG ? liveBytes() - heapThen : 0).toBeLessThan(GROWTH_BYTES);
    // And not all of it was refused.
    expect(statuses.get(200)).toBeGreaterThan(RUNS / 10);
  },
);
