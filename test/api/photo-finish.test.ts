// Photo finish over HTTP: start lists out, results in.
import { afterAll, describe, expect, test } from 'vitest';
import { readEvt } from '../../src/exchange/lynx-evt.ts';
import { readPpl } from '../../src/exchange/lynx-ppl.ts';
import { startTestApp } from '../helpers/app.ts';
import { competition } from '../helpers/factories.ts';
import { madeLif } from '../helpers/lif-files.ts';
import { snapshot } from '../helpers/snapshot.ts';

const api = await startTestApp({ RATE_LIMIT_WRITE: '0' });
const admin = await api.as('ADMIN_GBR');
afterAll(api.close);

const SPRINTERS = ['101', '102', '103', '104'];
const PROGRAMME = {
  competitors: SPRINTERS.map((id, index) => ({
    competitor_id: id,
    first_name: 'Tove',
    last_name: `Runner${index + 1}`,
    team_id: 'HTAC',
  })),
  teams: [
    { team_id: 'HTAC', team_name: 'Harbour Town AC' },
    { team_id: 'MTNR', team_name: 'Mountaineers' },
  ],
  relay_teams: [
    { relay_team_id: 'R1', event_id: 'R', team_id: 'MTNR', name: 'Mountaineers A' },
    { relay_team_id: 'R2', event_id: 'R', team_id: 'MTNR', name: 'Mountaineers B' },
  ],
  events: [
    {
      event_id: 'S',
      event_code: '100',
      name: '100 m Women',
      units: [
        {
          round: 1,
          heat: 1,
          scheduled_start_time: '10:05',
          results: SPRINTERS.map((bib, index) => ({ bib, lane: index + 3, points: 1 })),
        },
      ],
    },
    { event_id: 'J', event_code: 'LJ', units: [{ round: 1, heat: 1, results: [{ bib: '101' }] }] },
    {
      event_id: 'R',
      event_code: '4x100',
      units: [
        {
          round: 1,
          heat: 1,
          scheduled_start_time: '9:40',
          results: [
            { bib: 'R1', lane: 4 },
            { bib: 'R2', lane: 5 },
          ],
        },
      ],
    },
  ],
};

async function meeting() {
  const { body } = await admin.post('/api/v1/competitions/', competition(PROGRAMME));
  const path = `/api/v1/competitions/${body.id}`;
  const unit = async (event: string) => (await admin.get(`${path}/events/${event}/units/1/1`)).body;
  const send = (lif: string | Buffer, query = '', type = 'application/octet-stream') =>
    admin.post(`${path}/lynx/results${query}`, lif, { 'content-type': type });
  const result = async (event: string, bib: string) =>
    (await unit(event)).results.find((one: { bib: string }) => one.bib === bib);
  return { path, unit, send, result };
}

const lif = (...lines: string[]) => `${lines.join('\r\n')}\r\n`;
const FINAL = lif(
  '1,1,1,100 m Women,"1,24",M/S E',
  '1,102,4,Runner2,Tove,HTAC,11.815,,11.815,0.146',
  '2,101,3,Runner1,Tove,HTAC,11.822',
  '2,103,5,Runner3,Tove,HTAC,11.822',
  'SCR,104,6,Runner4,Tove,HTAC,',
);

describe('start lists for the photo finish', () => {
  test('name races by number, starters by bib and relays by code, and leave the field events out', async () => {
    const { path } = await meeting();
    const evt = await admin.get(`${path}/lynx/lynx.evt`);
    expect(evt.text).toContain('1,1,1,100 m Women Final,,,,,,100\r\n,101,3,Runner1,Tove,Harbour Town AC\r\n');
    expect(readEvt(evt.text)).toMatchObject([
      { event: 1, athletes: [{ id: '101', lane: 3 }, {}, {}, {}] },
      { event: 3, athletes: [{ id: '', lane: 4, affiliation: 'MTNR A' }, { affiliation: 'MTNR B' }] },
    ]);
    expect(readPpl((await admin.get(`${path}/lynx/lynx.ppl`)).text)).toHaveLength(4);
    expect((await admin.get(`${path}/lynx/lynx.sch`)).text).toBe('3,1,1\r\n1,1,1\r\n');
  });

  test('come in the encoding asked for, and only when they have changed', async () => {
    const { path } = await meeting();
    const first = await admin.get(`${path}/lynx/lynx.ppl`);
    const known = { 'if-none-match': String(first.headers['etag']) };
    expect((await admin.get(`${path}/lynx/lynx.ppl`, known)).status).toBe(304);
    await admin.post(path, { competitors: [{ competitor_id: '105', last_name: 'Dvořák' }] });
    expect((await admin.get(`${path}/lynx/lynx.ppl`, known)).status).toBe(200);
    const headers = { authorization: `Bearer ${admin.token}` };
    const raw = (encoding: string) =>
      api.app
        .inject({ url: `${path}/lynx/lynx.ppl?encoding=${encoding}`, headers })
        .then((answer) => answer.rawPayload);
    expect((await raw('utf16le')).subarray(0, 4)).toEqual(Buffer.from([0xff, 0xfe, 0x31, 0]));
    expect((await raw('cp1252')).toString('latin1')).toContain('Dvor\u00e1k');
    expect((await admin.get(`${path}/lynx/lynx.ppl?encoding=ebcdic`)).status).toBe(422);
  });
});

describe('a .lif file', () => {
  test('is stored with places as given, thousandths rounded up, and the wind; the same again changes nothing', async () => {
    const { unit, send, result } = await meeting();
    const answer = await send(FINAL);
    expect([answer.status, answer.body.matched, answer.body.unmatched, answer.body.changed]).toEqual([
      200,
      4,
      [],
      true,
    ]);
    expect(answer.body.unit).toMatchObject({ results_status: 'provisional', wind_assistance: '+1.3' });
    expect(await result('S', '102')).toMatchObject({
      place: 1,
      performance: '11.82',
      time_exact: '11.815',
      reaction_time: '0.146',
      points: 1,
      lane: 4,
    });
    expect([(await result('S', '101')).place, (await result('S', '103')).place]).toEqual([2, 2]);
    expect(await result('S', '104')).toMatchObject({ performance: 'DNS', status_text: 'SCR' });
    const { revision } = await unit('S');
    expect((await send(FINAL, '', 'text/csv')).body).toMatchObject({ changed: false, unit: { revision } });
  });

  test('that is corrected changes exactly what differs', async () => {
    const { unit, send } = await meeting();
    await send(FINAL);
    const before = await unit('S');
    await send(FINAL.replace('2,101,3,Runner1,Tove,HTAC,11.822', 'DQ,101,3,Runner1,Tove,HTAC,'));
    const after = await unit('S');
    const [{ place: _place, time_exact: _exact, ...rest }, ...others] = before.results;
    expect(after.results).toEqual([{ ...rest, performance: 'DQ' }, ...others]);
  });

  test('with thousandths in any encoding comes to the same', async () => {
    for (const seed of [1, 2, 3, 4, 5, 6, 7, 8]) {
      const { send, result } = await meeting();
      const made = madeLif(seed, { bibs: SPRINTERS });
      expect((await send(made.bytes)).body).toMatchObject({ matched: 4, unmatched: [], changed: true });
      for (const row of made.rows.filter(({ announced }) => announced))
        expect(await result('S', row.id)).toMatchObject({
          place: Number(row.place),
          performance: row.announced,
        });
      expect((await send(made.bytes)).body.changed).toBe(false);
    }
  });

  test('finds relays by code and letter, then by lane, and athletes without a bib by lane', async () => {
    const { send, result } = await meeting();
    const relay = lif('3,1,1,4x100', '1,,5,Mountaineers B,,MTNR  B,45.121', '2,,4,Somebody,,XYZ,46.000');
    expect((await send(relay)).body).toMatchObject({ matched: 2, unmatched: [] });
    expect([(await result('R', 'R2')).place, (await result('R', 'R1')).place]).toEqual([1, 2]);
    await send(lif('1,1,1', '1,0,5,Runner3,Tove,,11.800'));
    expect(await result('S', '103')).toMatchObject({ place: 1, performance: '11.80' });
  });

  test('with somebody unknown names the line, stores him under bib and names, and stops nobody', async () => {
    const { send, result } = await meeting();
    const file = lif(
      '1,1,1',
      '1,999,7,Marsh,Ada,Club Nord,11.700',
      '2,102,4,Runner2,Tove,HTAC,11.815',
      '3,,8,Roy,Ines,,12.001',
    );
    const outcome = {
      matched: 1,
      unmatched: [
        { line: 2, reason: 'No competitor has the bib 999' },
        { line: 4, reason: 'Nobody is in lane 8' },
      ],
    };
    expect((await send(file)).body).toMatchObject({ ...outcome, changed: true });
    expect(await result('S', '999')).toMatchObject({
      place: 1,
      athlete_name: 'Ada Marsh',
      team_name: 'Club Nord',
      lane: 7,
    });
    expect((await send(file)).body).toMatchObject({ ...outcome, changed: false });
  });

  test('of official results is refused, unless it is forced', async () => {
    const { path, unit, send } = await meeting();
    await admin.patch(`${path}/events/S/units/1/1`, { results_status: 'official' });
    const { revision } = await unit('S');
    expect((await send(FINAL)).status).toBe(409);
    expect((await unit('S')).revision).toBe(revision);
    expect((await send(FINAL, '?force=true')).body.unit).toMatchObject({ results_status: 'provisional' });
  });

  test('tried dry tells what would be, and stores nothing', async () => {
    const { send } = await meeting();
    const before = await snapshot(api.db);
    const { body } = await send(FINAL, '?dry_run=true');
    expect(body).toMatchObject({ matched: 4, changed: true, unit: { results_status: 'provisional' } });
    expect(await snapshot(api.db)).toEqual(before);
    expect((await send(FINAL)).body.changed).toBe(true);
  });

  test('that is none, or of no race here, is refused by line and field, and stores nothing', async () => {
    const { send } = await meeting();
    const before = await snapshot(api.db);
    const loc = async (file: string | Buffer) => {
      const { status, body } = await send(file);
      return [status, ...body.detail[0].loc.slice(1)];
    };
    expect(await loc(lif('77,1,1', '1,102,4,A,B,C,11.8'))).toEqual([422, 'line', 1, 'event']);
    expect(await loc(lif('1,1,9', '1,102,4,A,B,C,11.8'))).toEqual([422, 'line', 1, 'heat']);
    expect(await loc(lif('2,1,1', '1,101,4,A,B,C,11.8'))).toEqual([422, 'line', 1, 'event']);
    expect(await loc(lif('1,1,1', '1,102,4,A,B,C,soon'))).toEqual([422, 'line', 2, 'time']);
    expect(await loc('')).toEqual([422, 'line', 1, 'file']);
    expect(await loc(Buffer.from([0, 1, 2, 255]))).toEqual([422, 'line', 1, 'file']);
    expect((await send(Buffer.alloc(10_000_000, '1'))).status).toBe(413);
    expect((await send(FINAL, '', 'application/json')).status).toBe(415);
    expect((await send(FINAL, '?dry_run=perhaps')).status).toBe(422);
    expect(await snapshot(api.db)).toEqual(before);
  });
});
