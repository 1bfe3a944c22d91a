import { expect, test } from 'vitest';
import { appPath } from '../../src/push/server/app-path.ts';
import { signatureFault } from '../../src/push/server/signature.ts';
import { createSubscriptions } from '../../src/push/server/subscriptions.ts';

// The worked example of the protocol's own documentation.
const app = { id: '3', key: '278d425bdf160c739803', secret: '7ad3773142a6692b25b8' };
const example = {
  method: 'POST',
  path: '/apps/3/events',
  query: new URLSearchParams({
    auth_key: app.key,
    auth_timestamp: '1353088179',
    auth_version: '1.0',
    body_md5: 'ec365a775a4cd0599faeb73354201b6f',
    auth_signature: 'da454824c97ba181a32ccc17a72625ba02771f50b50e1e7430e47a1f3f457e6c',
  }),
  body: Buffer.from('{"name":"foo","channels":["project-3"],"data":"{\\"some\\":\\"data\\"}"}'),
};
const now = new Date(1353088179 * 1000);

test('the documented example of a signature is accepted, and any change to it is not', () => {
  expect(signatureFault(app, example, now)).toBeUndefined();
  expect(signatureFault(app, { ...example, method: 'GET' }, now)).toContain('auth_signature');
  expect(signatureFault(app, { ...example, path: '/apps/4/events' }, now)).toContain('auth_signature');
  expect(signatureFault(app, { ...example, body: Buffer.from('{}') }, now)).toContain('body_md5');
  expect(signatureFault({ ...app, secret: 'x' }, example, now)).toContain('auth_signature');
});

const at = (seconds: number) => signatureFault(app, example, new Date(now.getTime() + seconds * 1000));

test('a signature is good for ten minutes either way', () => {
  expect([at(-600), at(600)]).toEqual([undefined, undefined]);
  expect([at(-601), at(601)]).toEqual([
    expect.stringContaining('auth_timestamp'),
    expect.stringContaining('auth_timestamp'),
  ]);
});

test.each([
  ['/app/k?protocol=7', 'k'],
  ['//app//k//?protocol=7', 'k'],
  ['/app/k', 'k'],
  ['/app/', undefined],
  ['/app/k/more', undefined],
  ['/apps/k', undefined],
  ['', undefined],
])('the app key in %j is %j', (url, key) => {
  expect(appPath(url)?.key).toBe(key);
});

test('a member of a channel is counted once, and no channel is left behind when it goes', () => {
  const subscriptions = createSubscriptions<string>({ perMember: 2, perAddress: 9 }, () => '');
  expect(['a', 'a', 'b', 'c'].map((channel) => subscriptions.add(channel, 'one'))).toEqual([
    true,
    true,
    true,
    false,
  ]);
  subscriptions.add('a', 'two');
  expect([...subscriptions.occupied('')]).toEqual([
    ['a', 2],
    ['b', 1],
  ]);
  subscriptions.remove('a', 'one');
  subscriptions.remove('a', 'stranger');
  expect([...subscriptions.members('a')]).toEqual(['two']);
  expect(subscriptions.add('c', 'one')).toBe(true);
  subscriptions.removeAll('one');
  expect([...subscriptions.occupied('')]).toEqual([['a', 1]]);
});

test('those at one address share its subscriptions, what they give back is free again, and others are not concerned', () => {
  const subscriptions = createSubscriptions<string>({ perMember: 2, perAddress: 3 }, (member) => member[0]!);
  const add = (channel: string, member: string) => subscriptions.add(channel, member);
  expect([add('c', 'a1'), add('d', 'a1'), add('c', 'a2'), add('d', 'a2')]).toEqual([true, true, true, false]);
  expect(add('c', 'b1')).toBe(true);
  subscriptions.remove('c', 'a1');
  subscriptions.remove('c', 'a1');
  expect([add('d', 'a2'), add('e', 'a1')]).toEqual([true, false]);
  subscriptions.removeAll('a2');
  subscriptions.removeAll('a2');
  expect([add('e', 'a1'), add('c', 'a3'), add('d', 'a3')]).toEqual([true, true, false]);
});
