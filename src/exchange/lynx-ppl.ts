// lynx.ppl: everybody at a competition, for photo-finish programs. Pure.
import { joinLine, linesOf, splitLine } from './csv-line.ts';

export type PplPerson = { id: string; last: string; first: string; affiliation: string };

export const writePpl = (people: PplPerson[]): string =>
  people.map(({ id, last, first, affiliation }) => joinLine([id, last, first, affiliation])).join('');

export const readPpl = (text: string): PplPerson[] =>
  linesOf(text, Infinity).map(({ text: line }) => {
    const [id = '', last = '', first = '', affiliation = ''] = splitLine(line);
    return { id, last, first, affiliation };
  });
