// Shapes of what imports answer.
import { z } from 'zod';
import { Warning } from '../http/schemas.ts';

export const ImportAnswer = z
  .object({
    dry_run: z.boolean(),
    encoding: z.string(),
    rows: z.int(),
    competitors: z.int(),
    entries: z.int(),
    changed: z.object({ competitors: z.int(), units: z.int() }),
    warnings: z.array(Warning),
  })
  .meta({
    id: 'EntriesImport',
    example: {
      dry_run: true,
      encoding: 'utf-8',
      rows: 1,
      competitors: 1,
      entries: 1,
      changed: { competitors: 1, units: 0 },
      warnings: [],
    },
  });
