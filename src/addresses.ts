// Keys by which competitions and units are known: in addresses of pages, in names of channels, and to each other.

/** A competition's address: the three segments after /x/ in the paths of its documents. */
export type Address = { year: number; countryId: string; slug: string };

/** A unit within its event. */
export type RoundHeat = { round: number; heat: number };

/** A unit within its competition. */
export type UnitKey = RoundHeat & { eventId: string };

/** A unit among those of all competitions. */
export type UnitRef = UnitKey & { competitionId: string };
