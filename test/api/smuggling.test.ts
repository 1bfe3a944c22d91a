// Requests whose end two programs may see in different places: whoever stands in front must never be led to take one's answer for
// another's. Raw sockets, since no client sends such things.
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, describe, expect, test } from 'vitest';
import { buildApp } from '../../src/app.ts';
import { startTestApp } from '../helpers/app.ts';

const api = await startTestApp();
const { token } = await api.as('ADMIN_GBR');
const server = await buildApp(api.deps, { baseUrl: () => '', pushServer: null });
await server.listen({ port: 0, host: '127.0.0.1' });
afterAll(async () => {
  await server.close();
  await api.close();
});

const SIGNED_IN = `Host: a\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\n`;
const TEST = `POST /api/v1/competitions/test HTTP/1.1\r\n${SIGNED_IN}`;
/** What hides behind: it would be answered 200, with a name that nothing else has. */
const HIDDEN = 'GET /api/v1/ping/ HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';

/** The status codes of everything that came back until the server ended the connection. */
async function answersTo(sent: string): Promise<{ statuses: number[]; ponged: boolean }> {
  const socket = connect((server.server.address() as AddressInfo).port, '127.0.0.1');
  socket.on('error', () => {});
  socket.write(sent, 'latin1');
  const giveUp = setTimeout(() => socket.destroy(), 20_000);
  const answer = await text(socket).catch(() => '');
  clearTimeout(giveUp);
  const statuses = Array.from(answer.matchAll(/HTTP\/1\.1 (\d{3})/g), ([, status]) => Number(status));
  return { statuses, ponged: answer.includes('"pong"') };
}

const CHUNKED = 'Transfer-Encoding: chunked\r\n';
const length = (body: string) => `Content-Length: ${body.length}\r\n`;

describe('what hides behind', () => {
  test.for<[string, string]>([
    ['a length and chunks', `${TEST}${length(`0\r\n\r\n${HIDDEN}`)}${CHUNKED}\r\n0\r\n\r\n${HIDDEN}`],
    ['chunks and a length', `${TEST}${CHUNKED}Content-Length: 4\r\n\r\n0\r\n\r\n${HIDDEN}`],
    ['two lengths', `${TEST}Content-Length: 2\r\nContent-Length: ${2 + HIDDEN.length}\r\n\r\n{}${HIDDEN}`],
    ['a list of lengths', `${TEST}Content-Length: 2, ${2 + HIDDEN.length}\r\n\r\n{}${HIDDEN}`],
    ['a length with a sign', `${TEST}Content-Length: +2\r\n\r\n{}${HIDDEN}`],
    ['a length in another base', `${TEST}Content-Length: 0x2\r\n\r\n{}${HIDDEN}`],
    ['chunked twice', `${TEST}Transfer-Encoding: chunked, chunked\r\n\r\n0\r\n\r\n${HIDDEN}`],
    ['chunked, then as it is', `${TEST}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n${HIDDEN}`],
    ['an unknown encoding', `${TEST}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n${HIDDEN}`],
    ['a blank before the colon', `${TEST}Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n${HIDDEN}`],
    ['a folded header', `${TEST}X: a\r\n Transfer-Encoding: chunked\r\n\r\n${HIDDEN}`],
    ['a folded encoding', `${TEST}Transfer-Encoding:\r\n chunked\r\n\r\n0\r\n\r\n${HIDDEN}`],
    ['lines that end bare', `${TEST.replaceAll('\r\n', '\n')}${length('{}')}\n{}${HIDDEN}`],
    ['a carriage return alone', `${TEST}X: a\rContent-Length: 2\r\n\r\n${HIDDEN}`],
    ['a chunk that has no size', `${TEST}${CHUNKED}\r\n\r\n{}\r\n0\r\n\r\n${HIDDEN}`],
    ['a chunk with a sign', `${TEST}${CHUNKED}\r\n-2\r\n{}\r\n0\r\n\r\n${HIDDEN}`],
    ['a chunk beyond all numbers', `${TEST}${CHUNKED}\r\nffffffffffffffff2\r\n{}\r\n0\r\n\r\n${HIDDEN}`],
    ['a chunk larger than said', `${TEST}${CHUNKED}\r\n1\r\n{}\r\n0\r\n\r\n${HIDDEN}`],
    ['a chunk that ends bare', `${TEST}${CHUNKED}\r\n2\n{}\n0\n\n${HIDDEN}`],
    ['an older version', `${TEST.replace('1.1', '1.0')}${CHUNKED}\r\n0\r\n\r\n${HIDDEN}`],
    ['a version before all', `GET /\r\n\r\n${HIDDEN}`],
  ])('%s is not answered as a request of its own', async ([, sent]) => {
    const { statuses, ponged } = await answersTo(sent);
    expect(ponged).toBe(false);
    expect(statuses.length).toBeLessThan(2);
    expect(statuses.filter((status) => status < 400 || status >= 500)).toEqual([]);
  });

  test('an ordinary request is answered: the hidden one is one', async () => {
    expect(await answersTo(`${TEST}${length('{}')}\r\n{}${HIDDEN}`)).toEqual({
      statuses: [422, 200],
      ponged: true,
    });
    expect(
      await answersTo(`${TEST}${CHUNKED}\r\n2;note=x\r\n{}\r\n0\r\nTrailer: x\r\n\r\n${HIDDEN}`),
    ).toEqual({
      statuses: [422, 200],
      ponged: true,
    });
  });

  test.for<[string, string]>([
    ['a target with its host', 'GET http://elsewhere.example/api/v1/auth/me HTTP/1.1'],
    ['the same with a respelled path', 'GET http://elsewhere.example/%61pi/v1/auth/me HTTP/1.1'],
    ['a tunnel', 'CONNECT 127.0.0.1:80 HTTP/1.1'],
    ['a trace', 'TRACE /api/v1/auth/me HTTP/1.1'],
  ])('%s opens nothing', async ([, line]) => {
    const { statuses, ponged } = await answersTo(`${line}\r\nHost: a\r\nConnection: close\r\n\r\n`);
    expect(ponged).toBe(false);
    expect(statuses.every((status) => status >= 400 && status < 500)).toBe(true);
  });
});
