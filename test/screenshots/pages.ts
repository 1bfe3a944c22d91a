// The pages that pictures are taken of: name and path, in the order of the contact sheet.
import { MEETING_PATH, UNITS } from './meeting.ts';

type Picture = { name: string; path: string };

/** To be extended by one line for each page, state or language worth looking at. */
export const PAGES: Picture[] = [
  ...UNITS.map(({ name, event, round = 1, heat = 1 }) => ({
    name: `unit ${name}`,
    path: `${MEETING_PATH}event/${event}/${round}/${heat}/`,
  })),
  { name: 'unit in Greek', path: `/el${MEETING_PATH}event/T1/1/1/` },
  { name: 'unit in Polish', path: `/pl${MEETING_PATH}event/HJ/1/1/` },
  { name: 'unit in French', path: `/fr${MEETING_PATH}event/LJ/1/1/` },
];
