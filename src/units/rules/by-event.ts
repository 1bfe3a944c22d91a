// Units by event: they are listed by competition and shown by event. Pure.

/** The units of each event, in the order given; none for an event that has none. */
export function unitsByEvent<Unit extends { eventId: string }>(units: Unit[]): (eventId: string) => Unit[] {
  const byEvent = new Map<string, Unit[]>();
  for (const unit of units) {
    const siblings = byEvent.get(unit.eventId);
    if (siblings) siblings.push(unit);
    else byEvent.set(unit.eventId, [unit]);
  }
  return (eventId) => byEvent.get(eventId) ?? [];
}
