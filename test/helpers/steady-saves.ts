// A meeting with many units, each saved by one judge after the other, and a record of what was answered.
import { setTimeout as sleep } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import type { ApiClient, Reply } from './http-client.ts';

export type Save = {
  channel: string;
  /** Names the overview event that the save must cause; undefined when it causes none. */
  overviewKey: string | undefined;
  revision: number;
  startedMs: number;
  answeredMs: number;
  /** How often it got no answer before it got one. */
  unanswered: number;
};

type Request = { method: string; path: string; body: object; overviewKey: string | undefined };
type Lane = { channel: string; jsonPath: string; saves: number; request: (n: number) => Request };
export type Meeting = { overview: string; channels: string[]; lanes: Lane[] };

const ATHLETES = Array.from({ length: 8 }, (_, index) => String(index + 1));
const ROUNDS = 6;
const PAUSE_MS = 20;

/** Half of the units are long jumps with an attempt in each save, the others sprints that become official in every other. */
export async function createMeeting(api: ApiClient, slug: string, units = 20): Promise<Meeting> {
  const fields = { full_name: `Meeting ${slug}`, slug, country_id: 'GBR', date: '2026-07-18' };
  const { id } = (await api('POST', '/competitions/', fields)).body;
  await api('PATCH', `/competitions/${id}/settings`, { push_notifications: true });
  const eventIds = Array.from({ length: units }, (_, index) => (index % 2 ? `T${index}` : `F${index}`));
  const stored = await api('POST', `/competitions/${id}`, {
    competitors: ATHLETES.map((bib) => ({ competitor_id: bib, first_name: 'Ana', last_name: `Lind ${bib}` })),
    events: eventIds.map((event_id) => ({
      event_id,
      event_code: event_id.startsWith('F') ? 'LJ' : '100',
      name: event_id,
      units: [
        {
          round: 1,
          heat: 1,
          results: ATHLETES.map((bib) => ({ bib })),
          // Said, so that no results arrive when the last round is over: attempts are corrected then.
          ...(event_id.startsWith('F') && { results_status: 'in_progress' }),
        },
      ],
    })),
  });
  if (stored.status !== 200) throw new Error(stored.text);
  const overview = `x-2026-GBR-${slug}-overview`;
  const lanes = eventIds.map((eventId) => ({
    channel: `${overview}-${eventId}-1-1`,
    jsonPath: `/x/2026/GBR/${slug}/event/${eventId}/1/1/json/`,
    saves: 0,
    request: (eventId.startsWith('F') ? attempt : sprint)(
      `/competitions/${id}/events/${eventId}/units/1/1`,
      eventId,
    ),
  }));
  return { overview, channels: [overview, ...lanes.map(({ channel }) => channel)], lanes };
}

const attempt = (path: string, eventId: string) => (n: number) => {
  const bib = ATHLETES[n % ATHLETES.length]!;
  const round = 1 + (Math.floor(n / ATHLETES.length) % ROUNDS);
  // After the last round the first attempts are corrected: each save has a mark of its own.
  const result = (5 + n / 100).toFixed(2);
  const overviewKey = `${eventId} ${bib} ${round} ${result}`;
  return { method: 'POST', path: `${path}/attempts`, body: { bib, round, result }, overviewKey };
};

const sprint = (path: string, eventId: string) => (n: number) => {
  const arrives = n % 2 === 1;
  const performance = (10 + n / 100).toFixed(2);
  const results = ATHLETES.map((bib) => ({ bib, place: Number(bib), performance }));
  const body = { results_status: arrives ? 'official_results' : 'in_progress', results };
  return { method: 'PATCH', path, body, overviewKey: arrives ? `${eventId} ${performance}` : undefined };
};

// oxlint-disable-next-line typescript/no-explicit-any -- the fields of either event; what is missing matches no save
export function overviewKeyOf({ event, data }: { event: string; data: any }): string {
  return event === 'results_arrived'
    ? `${data.event_id} ${data.winner_performance}`
    : `${data.event_id} ${data.bib} ${data.round} ${data.result}`;
}

/** @param number counts the tries, so that it may ask another server */
export type Send = (method: string, path: string, body: object, number: number) => Promise<Reply>;

/** Saves so often in a second, or as often as answers come; a save without an answer is sent again. */
export function startSaving(meeting: Meeting, { perSecond, send }: { perSecond: number; send: Send }) {
  const { lanes } = meeting;
  const saves: Save[] = [];
  const startMs = performance.now();
  const state = { finishing: false, abandoned: false };
  // A test that has failed leaves nothing behind that saves.
  onTestFinished(() => {
    state.finishing = state.abandoned = true;
  });
  const judge = async (lane: Lane, index: number) => {
    for (let n = 0; ; n += 1) {
      await sleepUntil(startMs + ((n * lanes.length + index) * 1000) / perSecond);
      if (state.finishing) return;
      saves.push(await saveOnce(lane, send, () => state.abandoned));
    }
  };
  const finished = Promise.all(lanes.map(judge));
  finished.catch(() => {});
  return {
    saves,
    /** Waits for the answers that are outstanding. */
    async finish() {
      state.finishing = true;
      await finished;
    },
  };
}

export async function saveOnce(lane: Lane, send: Send, giveUp = () => false): Promise<Save> {
  const { method, path, body, overviewKey } = lane.request(lane.saves++);
  const startedMs = performance.now();
  for (let unanswered = 0; !giveUp(); unanswered += 1) {
    const reply = await send(method, path, body, unanswered).catch(() => undefined);
    if (!reply) {
      await sleep(PAUSE_MS);
      continue;
    }
    if (reply.status !== 200 && reply.status !== 201) throw new Error(`${reply.status} ${reply.text}`);
    const { revision } = reply.body.unit ?? reply.body;
    const answeredMs = performance.now();
    return { channel: lane.channel, overviewKey, revision, startedMs, answeredMs, unanswered };
  }
  throw new Error('given up');
}

async function sleepUntil(atMs: number): Promise<void> {
  await sleep(Math.max(0, atMs - performance.now()));
}
