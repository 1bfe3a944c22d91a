// Shapes of what the unit endpoints answer. They describe prepared texts, which are sent as they are stored.
import { z } from 'zod';
import { UnitEvent } from '../push/events.ts';
import { ATTEMPT_EXAMPLE, UNIT_EXAMPLE } from './examples.ts';
import { StoredAttempt } from './schemas.ts';

/** The one unit record: answered by the API, pushed, and served as public JSON. */
export const UnitRecord = UnitEvent.meta({ id: 'UnitRecord', example: UNIT_EXAMPLE });

export const AttemptAnswer = z
  .object({ attempt: StoredAttempt, unit: UnitRecord })
  .meta({ id: 'AttemptAnswer', example: { attempt: ATTEMPT_EXAMPLE, unit: UNIT_EXAMPLE } });

export const RemovedAnswer = z
  .object({ unit: UnitRecord })
  .meta({ id: 'RemovedAnswer', example: { unit: UNIT_EXAMPLE } });
