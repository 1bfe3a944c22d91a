import type { NetworkInterfaceInfo } from 'node:os';
import { expect, it } from 'vitest';
import { serverAddress } from '../../src/push/endpoints.ts';

const ipv4 = (address: string, internal = false): NetworkInterfaceInfo => ({
  family: 'IPv4',
  address,
  internal,
  netmask: '',
  mac: '',
  cidr: null,
});
const ipv6 = (address: string, scopeid: number): NetworkInterfaceInfo => ({
  family: 'IPv6',
  address,
  scopeid,
  internal: false,
  netmask: '',
  mac: '',
  cidr: null,
});
const LOOPBACK = { lo: [ipv4('127.0.0.1', true)] };
const NETWORK = { ...LOOPBACK, eth0: [ipv6('fe80::1', 2), ipv6('2001:db8::5', 0), ipv4('10.1.2.3')] };

it.each([
  ['127.0.0.1', NETWORK, 'http://127.0.0.1:3000'],
  ['10.1.2.3', NETWORK, 'http://10.1.2.3:3000'],
  ['::1', NETWORK, 'http://[::1]:3000'],
  ['0.0.0.0', NETWORK, 'http://10.1.2.3:3000'],
  ['::', NETWORK, 'http://10.1.2.3:3000'],
  ['::', { eth0: NETWORK.eth0.slice(0, 2) }, 'http://[2001:db8::5]:3000'],
  ['0.0.0.0', { eth0: NETWORK.eth0.slice(0, 2) }, 'http://127.0.0.1:3000'],
  ['::', LOOPBACK, 'http://127.0.0.1:3000'],
])('a server that listens on %s is reached where others can reach it', (host, interfaces, address) => {
  expect(serverAddress({ host, port: 3000 }, interfaces)).toBe(address);
});
