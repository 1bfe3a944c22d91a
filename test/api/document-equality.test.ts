import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { startTestApp } from '../helpers/app.ts';
import { byLength } from '../helpers/length.ts';
import { documentFromTables } from '../helpers/tables.ts';

const api = await startTestApp({ RATE_LIMIT_WRITE: '0' });
const admin = await api.as('ADMIN_GBR', 'ADMIN_BRA');
afterAll(api.close);

const FOLDER = process.env['COMPETITION_DATA_DIR'];
const skipped = FOLDER ? '' : ' (skipped: COMPETITION_DATA_DIR is not set)';

type Fields = Record<string, unknown>;
type Unit = Fields & { round: number; heat: number; results: (Fields & { bib: string })[] };
type Event = Fields & { event_id: string; event_code: string; units: Unit[] };
type Document = Fields & {
  slug: string;
  competitors: (Fields & { competitor_id: string })[];
  teams: (Fields & { team_id: string })[];
  relay_teams: (Fields & { relay_team_id: string; event_id: string })[];
  events: Event[];
};

/** One change: what kind, and numbers that choose among what is there. */
type Step = { kind: keyof typeof STEPS; a: number; b: number; c: number };
type World = { path: string; document: Document; sent: Fields };

const pick = <Item>(items: Item[], number: number): Item | undefined => items[number % (items.length || 1)];
const events = (...changed: Fields[]) => ({ events: changed });
const upload = ({ path }: World, body: Fields) => admin.post(path, body);
const segment = encodeURIComponent;

function chosenUnit({ document }: World, { a, b }: Step) {
  const event = pick(
    document.events.filter(({ units }) => units.length > 0),
    a,
  );
  const unit = event && pick(event.units, b);
  return unit ? { event, unit } : undefined;
}

const unitPath = ({ path }: World, event: Event, unit: Unit) =>
  `${path}/events/${segment(event.event_id)}/units/${unit.round}/${unit.heat}`;

const STEPS = {
  city: (world: World, { c }: Step) => upload(world, { city: `City ${c}` }),
  birthday: (world: World, { c }: Step) =>
    upload(world, { date: `2020-0${1 + (c % 8)}-01`, finish_date: '2020-12-01' }),
  slug: (world: World, { c }: Step) => upload(world, { slug: `moved-${c % 3}` }),
  person: (world: World, { a, c }: Step) =>
    upload(world, {
      competitors: [{ ...pick(world.document.competitors, a), first_name: `Name ${c}`, odd: c }],
    }),
  newcomer: (world: World, { c }: Step) =>
    upload(world, {
      competitors: [{ competitor_id: `new ${c % 5}`, date_of_birth: '2001-05-05', dob: 'x' }],
    }),
  team: (world: World, { a, c }: Step) =>
    upload(world, { teams: [{ ...pick(world.document.teams, a), team_name: `Team ${c}` }] }),
  relay: (world: World, { a, c }: Step) =>
    upload(world, { relay_teams: [{ ...pick(world.document.relay_teams, a), name: `Relay ${c}` }] }),
  event: (world: World, { a, c }: Step) => {
    const { units: _units, ...event } = pick(world.document.events, a) ?? { units: [] };
    return upload(world, events({ ...event, name: `Event ${c}`, ...(c % 2 && { rounds: '2,1' }) }));
  },
  results: (world: World, step: Step) => {
    const chosen = chosenUnit(world, step);
    if (!chosen) return undefined;
    const { event, unit } = chosen;
    const results = unit.results.map((result, index) => ({ ...result, points: step.c + index }));
    return upload(world, events({ event_id: event.event_id, units: [{ ...unit, results }] }));
  },
  heat: (world: World, step: Step) => {
    const chosen = chosenUnit(world, step);
    const { event, unit } = chosen ?? {};
    return (
      event && upload(world, events({ event_id: event.event_id, units: [{ round: unit!.round, heat: 50 }] }))
    );
  },
  patch: (world: World, step: Step) => {
    const chosen = chosenUnit(world, step);
    return chosen && admin.patch(unitPath(world, chosen.event, chosen.unit), { status: `s${step.c}` });
  },
  attempt: (world: World, step: Step) => {
    const chosen = chosenUnit(world, step);
    const bib = chosen && pick(chosen.unit.results, step.c)?.bib;
    if (!bib) return undefined;
    const attempt = { bib, round: 1 + (step.c % 3), height: '1.80', result: 'x' };
    return admin.post(`${unitPath(world, chosen.event, chosen.unit)}/attempts`, attempt);
  },
  again: (world: World) => upload(world, world.sent),
  removedUnit: (world: World, step: Step) => {
    const chosen = chosenUnit(world, step);
    return chosen && admin.delete(unitPath(world, chosen.event, chosen.unit));
  },
  removedEvent: (world: World, { a }: Step) => {
    const event = pick(world.document.events, a);
    return event && admin.delete(`${world.path}/events/${segment(event.event_id)}`);
  },
  removedPerson: (world: World, { a }: Step) => {
    const person = pick(world.document.competitors, a);
    return person && admin.delete(`${world.path}/competitors/${segment(person.competitor_id)}`);
  },
  removedTeam: (world: World, { a }: Step) => {
    const team = pick(world.document.teams, a);
    return team && admin.delete(`${world.path}/teams/${segment(team.team_id)}`);
  },
  removedRelay: (world: World, { a }: Step) => {
    const team = pick(world.document.relay_teams, a);
    if (!team) return undefined;
    const event = `${world.path}/events/${segment(team.event_id)}`;
    return admin.delete(`${event}/relay_teams/${segment(team.relay_team_id)}`);
  },
};

const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom(...(Object.keys(STEPS) as (keyof typeof STEPS)[])),
  a: fc.nat(),
  b: fc.nat(),
  c: fc.nat(1000),
});

/** The document as a reader gets it, compressed and not. */
async function readDocument(path: string): Promise<Document> {
  const { year, country_id, slug } = (await admin.get(path)).body;
  const url = `/x/${year}/${country_id}/${slug}/json/`;
  const plain = await api.app.inject({ url });
  const packed = await api.app.inject({ url, headers: { 'accept-encoding': 'gzip' } });
  expect(gunzipSync(packed.rawPayload).toString()).toBe(plain.body);
  return plain.json();
}

let worlds = 0;

async function startWorld(name: string): Promise<World> {
  const text = await readFile(join(FOLDER!, name), 'utf8');
  const { id: _id, ...payload } = JSON.parse(text) as Fields;
  const sent = { ...payload, full_name: `World ${++worlds}`, slug: `world-${worlds}` };
  const { status, body } = await admin.post('/api/v1/competitions/', sent);
  expect(status).toBe(201);
  const path = `/api/v1/competitions/${body.id}`;
  return { path, sent, document: await readDocument(path) };
}

async function takeStep(world: World, next: Step): Promise<void> {
  const answer = await STEPS[next.kind](world, next);
  expect(answer?.status ?? 200).toBeLessThan(500);
  world.document = await readDocument(world.path);
}

async function fromTables({ path }: World): Promise<unknown> {
  return JSON.parse(JSON.stringify(await documentFromTables(api.db, path.split('/').at(-1)!)));
}

test.skipIf(!FOLDER).for([
  { name: 'full_competition_upload.json', runs: byLength(6, 60) },
  { name: 'rio2016_upload.json', runs: byLength(1, 5) },
])(
  `$name: the document is what its tables say, after any changes${skipped}`,
  { timeout: 120_000 },
  async ({ name, runs }) => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 8 }), async (steps) => {
        const world = await startWorld(name);
        for (const next of steps) {
          await takeStep(world, next);
          expect(world.document).toEqual(await fromTables(world));
        }
        await admin.delete(world.path);
      }),
      { numRuns: runs, endOnFailure: true },
    );
  },
);
