// The change feed as a mirror reads it: pages of changes, and a bell that rings when there may be more.
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { ChangesAnswer, GoneProblem } from '../changes/schemas.ts';
import { OperatorError } from '../errors.ts';
import { patiently, reasonOf, received } from '../remote-server.ts';

// A newer service may tell of what this program does not know.
const Page = ChangesAnswer.extend({
  changes: z.array(ChangesAnswer.shape.changes.element.extend({ type: z.string(), updated_at: z.string() })),
  next: z.string().regex(/^[\w-]+$/),
});
export type Page = z.output<typeof Page>;

const FEED = '/api/v1/changes';

/** The changes after a cursor; or why the reader has to begin anew. @throws Away, and OperatorError where there is no feed */
export async function readPage(base: string, after: string): Promise<Page | { lost: string }> {
  const answer = await patiently(`${base}${FEED}?after=${after}`, { redirect: 'manual' });
  const isLost = answer.status === 410 && after !== '';
  if (answer.status !== 200 && !isLost)
    throw new OperatorError(`${base} has no feed of changes: ${await reasonOf(answer)}`);
  const shape = isLost ? GoneProblem.transform(({ detail }) => ({ lost: detail })) : Page;
  const parsed = shape.safeParse(jsonOf(new TextDecoder().decode(await received(answer))));
  if (parsed.success) return parsed.data;
  throw new OperatorError(
    `${base}${FEED} answers what is no feed of changes: ${parsed.error.issues[0]?.message}`,
  );
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

export type Bell = {
  /** Listens from here on, unless it does already, or could not a short while ago. */
  listen: (after: string) => void;
  /** Waits until it rings; or as long as a reader does who asks by itself. */
  wait: () => Promise<void>;
};

// Whoever hears nothing asks; and whoever listens asks as well now and then, for there are proxies that keep streams back.
const ASK_MS = 5000;
const ASK_LISTENING_MS = 30_000;
const LISTEN_AGAIN_MS = { brokenOff: 1000, notHeard: 30_000 };

/** @param now in milliseconds, of a clock that is never set back */
export function createBell(base: string, now: () => number): Bell {
  let listening = false;
  let notBefore = 0;
  let waiting = new AbortController();
  return {
    listen(after) {
      if (listening || now() < notBefore) return;
      listening = true;
      const over = (end: keyof typeof LISTEN_AGAIN_MS) => {
        listening = false;
        notBefore = now() + LISTEN_AGAIN_MS[end];
        waiting.abort();
      };
      hear(base, after, () => waiting.abort()).then(over, () => over('brokenOff'));
    },
    async wait() {
      const { signal } = waiting;
      await sleep(listening ? ASK_LISTENING_MS : ASK_MS, undefined, { signal }).catch(() => undefined);
      waiting = new AbortController();
    },
  };
}

/** Rings whenever the stream tells of something, which is then asked for, page by page. */
async function hear(base: string, after: string, ring: () => void): Promise<'brokenOff' | 'notHeard'> {
  const answer = await fetch(`${base}${FEED}/stream?after=${after}`, { redirect: 'manual' });
  if (answer.status !== 200 || !answer.body) {
    await answer.body?.cancel();
    return 'notHeard';
  }
  // Comments say nothing but that the line is there.
  for await (const text of answer.body.pipeThrough(new TextDecoderStream())) if (/[^:\s]/.test(text)) ring();
  return 'brokenOff';
}
