import { expect, test } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { originsOf } from '../../src/http/asked-origin.ts';
import type { Assets } from '../../src/pages/assets.ts';
import { settingsOf } from '../../src/pages/setting.ts';

const bound = () => 'http://127.0.0.1:3000';
const assets = { path: (name: string) => name, imports: () => [], version: '1' } as unknown as Assets;
const config = loadConfig({});
const settingOf = settingsOf(config, { assets, originOf: originsOf(config, bound), bound });

/** A request that asked this host, and came in at this address of the machine. */
const asked = (host: string, localAddress: string, protocol: 'http' | 'https' = 'http') =>
  ({ host, protocol, socket: { localAddress, localPort: 3000 } }) as Parameters<typeof settingOf>[0];

test('who asks alike gets one setting, made once', () => {
  const first = settingOf(asked('10.0.0.7:3000', '10.0.0.7'), 'de');
  expect(settingOf(asked('10.0.0.7:3000', '10.0.0.7'), 'de')).toBe(first);
});

test('host, protocol, language and the address that it came in at each make another', () => {
  const reader = asked('10.0.0.7:3000', '10.0.0.7');
  expect(settingOf(reader, undefined)).toMatchObject({
    language: 'en',
    origin: 'http://10.0.0.7:3000',
    isOwnOrigin: true,
  });
  expect(settingOf(reader, 'de')).toMatchObject({ language: 'de', prefix: '/de' });
  expect(settingOf(asked('10.0.0.7:3000', '10.0.0.8'), undefined).isOwnOrigin).toBe(false);
  expect(settingOf(asked('10.0.0.7:3000', '10.0.0.7', 'https'), undefined).origin).toBe(
    'https://10.0.0.7:3000',
  );
  expect(settingOf(asked('other.example', '10.0.0.7'), undefined)).toMatchObject({
    origin: 'http://other.example',
    isOwnOrigin: false,
  });
  expect(settingOf(reader, undefined).origin).toBe('http://10.0.0.7:3000');
});
