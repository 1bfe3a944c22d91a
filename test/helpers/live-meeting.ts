// A made-up meeting on a real server with push turned on, for pages that follow it.
import { rm } from 'node:fs/promises';
import { loadConfig } from '../../src/config.ts';
import { createLog } from '../../src/log.ts';
import { startServer } from '../../src/server.ts';
import { createTestDatabase } from './db.ts';
import { makeAccount } from './server.ts';
import { makeTestFolder } from './temporary.ts';

const PEOPLE = [
  { competitor_id: '11', first_name: 'Ada', last_name: 'Quick', gender: 'F', team_id: 'HTH' },
  { competitor_id: '12', first_name: 'Bea', last_name: 'Hopper', gender: 'F', team_id: 'SRC' },
  { competitor_id: '13', first_name: 'Cleo', last_name: 'Springer', gender: 'F', team_id: 'HTH' },
];
const TEAMS = [
  { team_id: 'HTH', team_name: 'Harbour Town Harriers' },
  { team_id: 'SRC', team_name: 'Summer Road Club' },
];
const STARTERS = PEOPLE.map(({ competitor_id: bib }, index) => ({ bib, order: index + 1 }));

/** One of each kind of unit, each with a start list. */
const EVENTS = [
  { event_id: 'F1', event_code: 'LJ', name: 'Long Jump Women', units: [unitWith(STARTERS)] },
  {
    event_id: 'F2',
    event_code: 'HJ',
    name: 'High Jump Women',
    units: [{ ...unitWith(STARTERS), heights: ['1.50', '1.55'] }],
  },
  {
    event_id: 'T1',
    event_code: '100',
    name: '100 m Women',
    units: [unitWith(STARTERS.map(({ bib }, index) => ({ bib, lane: index + 3 })))],
  },
];

function unitWith(results: object[]) {
  return { round: 1, heat: 1, results };
}

/** A server for a whole file of tests; to be stopped after them. Every test makes meetings of its own. */
export async function startLiveServer(settings: Record<string, string> = {}) {
  const database = await createTestDatabase();
  const folder = await makeTestFolder();
  const env = {
    DATABASE_URL: database.url,
    DATA_DIR: folder,
    JWT_SECRET: 'a secret of the tests in browsers that nobody guesses',
    PORT: '0',
    RATE_LIMIT_WRITE: '0',
  };
  const server = await startServer(loadConfig({ ...env, ...settings }), createLog('silent'));
  const { baseUrl } = server;
  return {
    baseUrl,
    meeting: await meetingsOn(baseUrl, await makeAccount(database.url, 'ADMIN_GBR')),
    stop: async () => {
      await server.close();
      await database.drop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Makes meetings on a running server. */
export async function meetingsOn(baseUrl: string, account: { email: string; password: string }) {
  const token = await tokenOf(baseUrl, account);
  return (changes: Record<string, unknown> = {}) => makeMeeting({ baseUrl, token }, changes);
}

let number = 0;

/** @param changes fields of the upload in place of the usual ones, `push: false` for a competition that does not push */
async function makeMeeting(
  { baseUrl, token }: { baseUrl: string; token: string },
  { push = true, ...changes }: Record<string, unknown>,
) {
  const send = async (method: string, path: string, body: unknown) => {
    const answer = await fetch(baseUrl + path, {
      method,
      body: JSON.stringify(body),
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as Record<string, unknown>;
  };
  // Not of the whole run, which may last beyond midnight.
  const today = new Date().toISOString().slice(0, 10);
  const slug = `live-meeting-${++number}`;
  const record = { full_name: `Live Meeting ${number}`, slug, country_id: 'GBR', date: today };
  const { id } = await send('POST', '/api/v1/competitions/', {
    ...record,
    competitors: PEOPLE,
    teams: TEAMS,
    events: EVENTS,
    ...changes,
  });
  const api = `/api/v1/competitions/${String(id)}`;
  if (push) await send('PATCH', `${api}/settings`, { push_notifications: true });
  const path = `/x/${today.slice(0, 4)}/GBR/${slug}/`;
  return {
    send,
    /** Path of the API for this competition. */
    api,
    /** Address of the competition's page. */
    page: baseUrl + path,
    /** Address of a unit's page. */
    pageOf: (eventId: string, round = 1, heat = 1) => `${baseUrl}${path}event/${eventId}/${round}/${heat}/`,
    attempt: (eventId: string, trial: object, round = 1, heat = 1) =>
      send('POST', `${api}/events/${eventId}/units/${round}/${heat}/attempts`, trial),
    save: (eventId: string, unit: object, round = 1, heat = 1) =>
      send('PATCH', `${api}/events/${eventId}/units/${round}/${heat}`, unit),
  };
}

async function tokenOf(baseUrl: string, { email, password }: { email: string; password: string }) {
  const answer = await fetch(`${baseUrl}/api/v1/auth/token`, {
    method: 'POST',
    body: new URLSearchParams({ username: email, password }),
  });
  const { access_token: token } = (await answer.json()) as { access_token: string };
  return token;
}
