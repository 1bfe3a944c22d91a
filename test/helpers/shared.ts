// The end of what tests start: with the test that started it, or with the last of several that share it.
import { AsyncLocalStorage } from 'node:async_hooks';
import { afterAll, beforeAll, onTestFinished } from 'vitest';

type End = () => unknown;

const sharing = new AsyncLocalStorage<End[]>();
// Several processes may be started for all tests of a file.
const PATIENCE_MS = 120_000;

/** For whatever starts something in a test: how it ends. */
export function whenOver(end: End): void {
  const ends = sharing.getStore();
  if (ends) ends.push(end);
  else
    onTestFinished(async () => {
      await end();
    });
}

/** Starts something before the first test of a file or suite, for all of them: a start costs more than most tests. */
export function shared<Thing>(start: () => Promise<Thing>): () => Thing {
  const ends: End[] = [];
  let thing: Thing | undefined;
  beforeAll(async () => {
    thing = await sharing.run(ends, start);
  }, PATIENCE_MS);
  afterAll(async () => {
    for (const end of ends.splice(0).toReversed()) await end();
  }, PATIENCE_MS);
  return () => {
    if (thing === undefined) throw new Error('not started');
    return thing;
  };
}
