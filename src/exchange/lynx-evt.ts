// lynx.evt: races and who starts in them, for photo-finish programs. Pure.
import { joinLine, linesOf, splitLine } from './csv-line.ts';

export type EvtAthlete = {
  /** The bib; empty for none, as in relays. */
  id: string;
  lane: number | null;
  last: string;
  first: string;
  affiliation: string;
};

export type EvtRace = {
  event: number;
  round: number;
  heat: number;
  name: string;
  /** In metres; null where the code does not tell. */
  distance: number | null;
  athletes: EvtAthlete[];
};

// Between name and distance: wind, its unit, template, time and duration of the capture.
const UNKNOWN_BEFORE_DISTANCE = Array<string>(5).fill('');
const DISTANCE = 9;

export const writeEvt = (races: EvtRace[]): string =>
  races
    .map(({ event, round, heat, name, distance, athletes }) => {
      const tail = distance === null ? [] : [...UNKNOWN_BEFORE_DISTANCE, distance];
      return [joinLine([event, round, heat, name, ...tail]), ...athletes.map(athleteLine)].join('');
    })
    .join('');

const athleteLine = ({ id, lane, last, first, affiliation }: EvtAthlete) =>
  `,${joinLine([id, lane ?? '', last, first, affiliation])}`;

/** The races of a file; athletes before the first of them belong to none. */
export function readEvt(text: string): EvtRace[] {
  const races: EvtRace[] = [];
  for (const { text: line } of linesOf(text, Infinity)) {
    if (/^[,\t ]/.test(line)) {
      races.at(-1)?.athletes.push(athleteOf(splitLine(line.slice(1))));
      continue;
    }
    const fields = splitLine(line);
    const [event, round, heat, name = ''] = fields;
    races.push({
      event: Number(event),
      round: Number(round || 1),
      heat: Number(heat || 1),
      name,
      distance: fields[DISTANCE] ? Number(fields[DISTANCE]) : null,
      athletes: [],
    });
  }
  return races;
}

const athleteOf = ([id = '', lane = '', last = '', first = '', affiliation = '']: string[]): EvtAthlete => ({
  id: id === '0' ? '' : id,
  lane: Number(lane) || null,
  last,
  first,
  affiliation,
});
