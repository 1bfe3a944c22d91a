// Shapes of what the unit endpoints answer. They describe prepared texts, which are sent as they are stored.
import { z } from 'zod';
import { Warning } from '../http/schemas.ts';
import { UnitEvent } from '../push/events.ts';
import { ATTEMPT_EXAMPLE, UNIT_EXAMPLE } from './examples.ts';
import { StoredAttempt } from './schemas.ts';

/** The one unit record: answered by the API, pushed, and served as public JSON. */
export const UnitRecord = UnitEvent.meta({ id: 'UnitRecord', example: UNIT_EXAMPLE });

/** The unit after its save. */
export const SavedUnit = UnitEvent.extend({
  warnings: z
    .array(Warning)
    .optional()
    .describe('Only when something sent is doubtful; it is saved all the same'),
}).meta({ id: 'SavedUnit', example: UNIT_EXAMPLE });

export const AttemptAnswer = z
  .object({ attempt: StoredAttempt, warnings: z.array(Warning), unit: UnitRecord })
  .meta({
    id: 'AttemptAnswer',
    example: { attempt: ATTEMPT_EXAMPLE, warnings: [], unit: UNIT_EXAMPLE },
  });

export const RemovedAnswer = z
  .object({ unit: UnitRecord })
  .meta({ id: 'RemovedAnswer', example: { unit: UNIT_EXAMPLE } });
