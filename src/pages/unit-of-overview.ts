// A unit as a screen, frame or graphic shows it: found in an overview, with the facts from which the browser draws it again.
import type { Address } from '../addresses.ts';
import type { Executor } from '../db/client.ts';
import { pathNumber } from '../http/path.ts';
import { readOverview } from '../site/documents/overview.ts';
import type { Overview } from '../site/documents/overview-shape.ts';
import { readUnitTexts } from '../site/documents/overview-store.ts';
import type { Params } from '../site/documents/definition.ts';
import { jsonOf, unitPath } from './definition.ts';
import type { Line } from './unit/chosen.ts';
import type { LiveUnit } from './unit/live-unit.ts';
import type { Unit } from './unit/unit.ts';

export type ShownUnit = { unit: Unit; live: LiveUnit };

/** Units of a competition in the order asked for; those that are gone are left out. */
export async function readShownUnits(
  db: Executor,
  competitionId: string,
  { lines, address }: { lines: Line[]; address: Address },
): Promise<ShownUnit[]> {
  const wanted = lines.map(({ event, unit }) => ({
    eventId: event.event_id,
    round: unit.round_no,
    heat: unit.heat_no,
  }));
  const texts = await readUnitTexts(db, competitionId, wanted);
  const units = new Map(texts.map((text) => JSON.parse(text) as Unit).map((unit) => [unit.channel, unit]));
  return lines.flatMap((line) => {
    const unit = units.get(line.unit.channel);
    return unit ? [{ unit, live: liveOf(line, address) }] : [];
  });
}

function liveOf({ event, unit }: Line, address: Address): LiveUnit {
  const key = { eventId: event.event_id, round: unit.round_no, heat: unit.heat_no };
  return {
    url: jsonOf(unitPath(address, key)),
    channel: unit.channel,
    contest: { maxAttempts: event.max_field_attempts, cutAfterRound: event.cut_after_round },
    isParent: event.is_parent,
    order: 'place',
    withEvent: true,
  };
}

/** The unit that a path names; of a competition's or event's path none. @throws NotFound when there cannot be one */
export function unitOfPath({ event_id, round_no, heat_no }: Params) {
  if (event_id === undefined || round_no === undefined) return undefined;
  return { eventId: event_id, round: pathNumber(round_no, 'unit'), heat: pathNumber(heat_no, 'unit') };
}

export type UnitOfPath = NonNullable<ReturnType<typeof unitOfPath>>;

/** A unit with what is around it; null when there is none. */
export async function readShownUnit(
  db: Executor,
  competitionId: string,
  { key, address }: { key: UnitOfPath; address: Address },
): Promise<{ overview: Overview; revision: string; shown: ShownUnit } | null> {
  const found = await readOverview(db, competitionId, key.eventId);
  const line = found && lineOf(found.document, key);
  if (!line) return null;
  const [shown] = await readShownUnits(db, competitionId, { lines: [line], address });
  return shown ? { overview: found.document, revision: found.revision, shown } : null;
}

export function lineOf({ events }: Overview, key: UnitOfPath): Line | undefined {
  const event = events.find(({ event_id }) => event_id === key.eventId);
  const unit = event?.units.find((one) => one.round_no === key.round && one.heat_no === key.heat);
  return event && unit && { event, unit };
}
