import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { clientAddress, type TrustProxy } from '../../src/http/client-address.ts';

function request(remoteAddress: string, forwardedFor?: string): IncomingMessage {
  const socket = new Socket();
  Object.defineProperty(socket, 'remoteAddress', { value: remoteAddress });
  const message = new IncomingMessage(socket);
  if (forwardedFor !== undefined) message.headers['x-forwarded-for'] = forwardedFor;
  return message;
}

const cases: [TrustProxy, string, string | undefined, string][] = [
  [false, '10.0.0.1', '1.2.3.4', '10.0.0.1'],
  [true, '10.0.0.1', '1.2.3.4, 5.6.7.8', '1.2.3.4'],
  [true, '10.0.0.1', undefined, '10.0.0.1'],
  [1, '10.0.0.1', '1.2.3.4, 5.6.7.8', '5.6.7.8'],
  [2, '10.0.0.1', '1.2.3.4, 5.6.7.8', '1.2.3.4'],
  [9, '10.0.0.1', '1.2.3.4, 5.6.7.8', '1.2.3.4'],
  ['loopback', '::ffff:127.0.0.1', '1.2.3.4', '1.2.3.4'],
  ['loopback', '::1', '1.2.3.4, 5.6.7.8', '5.6.7.8'],
  ['10.0.0.0/8, 5.6.7.8', '10.0.0.1', '1.2.3.4, 5.6.7.8', '1.2.3.4'],
  ['10.0.0.0/8', '11.0.0.1', '1.2.3.4', '11.0.0.1'],
  ['uniquelocal', '10.0.0.1', 'not an address', 'not an address'],
];

test.each(cases)(
  'trusting %j, a connection from %s forwarded for %s is one of %s',
  (trust, from, header, client) => {
    expect(clientAddress(trust)(request(from, header))).toBe(client);
  },
);
