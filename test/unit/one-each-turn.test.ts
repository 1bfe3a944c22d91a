import { fastify } from 'fastify';
import { expect, it } from 'vitest';
import { oneEachTurn } from '../../src/http/one-each-turn.ts';

it('a reader who comes after a crowd of guesses is answered before most of it, and each guess is answered in order', async () => {
  const app = fastify();
  const answered: string[] = [];
  app.get('/read', async () => 'a result');
  app.post('/guess/:n', { onRequest: oneEachTurn() }, async () => 'refused');
  app.addHook('onResponse', async ({ url }) => void answered.push(url));
  await app.ready();
  const crowd = Array.from({ length: 50 }, (_, n) => app.inject({ method: 'POST', url: `/guess/${n}` }));
  await Promise.all([...crowd, app.inject('/read')]);
  expect(answered.indexOf('/read')).toBeLessThan(10);
  expect(answered.filter((url) => url !== '/read')).toEqual(crowd.map((_, n) => `/guess/${n}`));
  expect((await app.inject({ method: 'POST', url: '/guess/last' })).body).toBe('refused');
});
