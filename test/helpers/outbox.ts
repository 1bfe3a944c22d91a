// What a save left to be published, each event held against its published shape.
import { asc, gt } from 'drizzle-orm';
import type { z } from 'zod';
import type { Db } from '../../src/db/client.ts';
import { outbox } from '../../src/db/schema.ts';
import { LatestAttempt, ResultsArrived, UnitEvent } from '../../src/push/events.ts';

const SHAPES: Record<string, z.ZodType> = {
  unit: UnitEvent,
  latest_attempt: LatestAttempt,
  results_arrived: ResultsArrived,
};

// oxlint-disable-next-line typescript/no-explicit-any -- compared with what is expected, never trusted
export type Pushed = { channel: string; event: string; text: string; data: any };

/** Reads the outbox from where it was last read. */
export function outboxReader(db: Db): () => Promise<Pushed[]> {
  let last = 0;
  return async () => {
    const rows = await db.select().from(outbox).where(gt(outbox.id, last)).orderBy(asc(outbox.id));
    last = rows.at(-1)?.id ?? last;
    return rows.map(({ channel, event, data }) => {
      const parsed: unknown = JSON.parse(data);
      SHAPES[event]!.parse(parsed);
      return { channel, event, text: data, data: parsed };
    });
  };
}
