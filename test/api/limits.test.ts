import { expect, test } from 'vitest';
import { renderOutdatedUnits } from '../../src/competitions/render-outdated.ts';
import { units } from '../../src/db/schema.ts';
import { startTestApp } from '../helpers/app.ts';
import { outboxReader } from '../helpers/outbox.ts';
import { uploadsInto } from '../helpers/uploads.ts';

test('anonymous reads are counted by address, with and without a locale together, and signed-in calls are not', async () => {
  const api = await startTestApp({ RATE_LIMIT_READ: '3' });
  try {
    const read = (prefix: string) => api.get(`${prefix}/x/2026/GBR/nowhere/json/`);
    for (const prefix of ['', '/en', '/nb-no']) expect((await read(prefix)).status).toBe(404);
    for (const prefix of ['', '/en']) {
      expect(await read(prefix)).toMatchObject({
        status: 429,
        headers: { 'retry-after': expect.any(String) },
      });
    }
    expect((await (await api.as()).get('/api/v1/competitions/')).status).toBe(200);
    api.clock.advance(60_000);
    expect((await read('')).status).toBe(404);
  } finally {
    await api.close();
  }
});

test('units that another version of the program rendered are rendered again at start, and saved where their text changes', async () => {
  const api = await startTestApp();
  try {
    const admin = await api.as('ADMIN_GBR');
    const { store, unit } = await uploadsInto(admin, { push: true });
    await store({ events: [{ event_id: 'T1', event_code: '100', rounds: '2,1' }] });
    const before = await unit('T1');
    const pushed = outboxReader(api.db);
    await pushed();
    await api.db.update(units).set({ renderVersion: 0 });
    await renderOutdatedUnits(api.deps);
    expect(await unit('T1')).toEqual(before);
    expect(await pushed()).toEqual([]);
    await api.db.update(units).set({ renderVersion: 0, contentHash: 'of an older text' });
    await renderOutdatedUnits(api.deps);
    expect((await unit('T1')).revision).toBeGreaterThan(before.revision);
    expect((await pushed()).map(({ event }) => event)).toEqual(['unit', 'unit', 'unit']);
  } finally {
    await api.close();
  }
});
