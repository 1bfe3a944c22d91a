// lynx.sch: races in the order of the day, for photo-finish programs. Pure.
import { joinLine, linesOf, splitLine } from './csv-line.ts';

export type SchRace = { event: number; round: number; heat: number };

export const writeSch = (races: SchRace[]): string =>
  races.map(({ event, round, heat }) => joinLine([event, round, heat])).join('');

export const readSch = (text: string): SchRace[] =>
  linesOf(text, Infinity).map(({ text: line }) => {
    const [event, round, heat] = splitLine(line);
    return { event: Number(event), round: Number(round || 1), heat: Number(heat || 1) };
  });
