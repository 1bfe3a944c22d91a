// Disciplines by event code. Never inferred from event_id: "H3" is a common id of a long jump. Pure.

const HORIZONTAL_JUMPS = 'LJ|TJ|SLJ|STJ';
const THROWS = 'DT|JT|HT|SP|WT|SDT|SJT|SSP|SWT|BT|ST|GDT|OT|SBT|TART|OHT|CHT|CT';
// Throws may name the implement: SP7.26K, JT800.
const HORIZONTAL = new RegExp(`^(?:${HORIZONTAL_JUMPS}|(?:${THROWS})(?:\\d+(?:\\.\\d+)?K?)?)$`);

/** Judged by heights, three failures and out: SHJ is the standing high jump. */
export const isVertical = (eventCode: string): boolean => /^(S?HJ|PV)$/i.test(eventCode);

/** HJ and PV are the only codes whose attempts are pushed by height: the interface knows no other. */
export const isPushedByHeight = (eventCode: string): boolean => /^(HJ|PV)$/i.test(eventCode);

export const isHorizontal = (eventCode: string): boolean => HORIZONTAL.test(eventCode.toUpperCase());

/** Whether the wind is measured at each attempt: the standing jumps have none. */
export const hasWind = (eventCode: string): boolean => /^[LT]J$/i.test(eventCode);

export const isField = (eventCode: string): boolean => isVertical(eventCode) || isHorizontal(eventCode);

/** 4x100, 4X400, 4xRELAY, 12x200H; SMR and DMR, the sprint and distance medleys. */
export const isRelay = (eventCode: string): boolean =>
  /^\d{1,2}x/i.test(eventCode) || /^[SD]MR$/i.test(eventCode);

/** TRI, HEP, DEC and whatever else is no race, jump or throw: a combined event, if other events name it as their parent. */
export const isCombined = (eventCode: string): boolean =>
  eventCode !== '' && !isField(eventCode) && !/^(\d|(MILE|MAR|HM|XC|[SD]MR)$)/i.test(eventCode);

/** The code as it is shown: upper case, but for the x of relays. */
export const shownCode = (eventCode: string): string => eventCode.toUpperCase().replace(/^(\d{1,2})X/, '$1x');
