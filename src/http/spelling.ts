// Spellings of field names: which name of ours somebody's name is likely to stand for. Pure.

const MAX_LENGTH = 64;

/** "fullName", "Full Name" and "full-name" are full_name. */
const inSnakeCase = (name: string): string =>
  name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll(/[\s-]+/g, '_')
    .toLowerCase();

/** Whether `sent` is likely to stand for `wanted`: the same in another case, without its _id, or a slip or two of the keyboard. */
export function standsFor(sent: string, wanted: string): boolean {
  if (sent === wanted || sent.length > MAX_LENGTH) return false;
  const name = inSnakeCase(sent);
  if (name === wanted || `${name}_id` === wanted) return true;
  // A plural is another field: rounds are not the round. And hardly anybody slips at the first letter: precision is no revision.
  if (name === `${wanted}s` || wanted.length < 4 || name[0] !== wanted[0]) return false;
  const slips = wanted.length < 8 ? 1 : 2;
  return Math.abs(name.length - wanted.length) <= slips && distance(name, wanted) <= slips;
}

/** Letters to put in, leave out, replace, or exchange with their neighbour. */
function distance(a: string, b: string): number {
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const line = [row];
    for (let column = 1; column <= b.length; column++) {
      const replaced = last[column - 1]! + (a[row - 1] === b[column - 1] ? 0 : 1);
      const exchanged =
        a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1] ? before[column - 2]! + 1 : Infinity;
      line.push(Math.min(replaced, exchanged, last[column]! + 1, line[column - 1]! + 1));
    }
    [before, last] = [last, line];
  }
  return last[b.length]!;
}

// Of an object with more names than this nobody made a slip.
const MAX_NAMES = 200;

/** The first of the sent names that is likely to stand for the wanted one. */
export function likelyName(sent: object, wanted: string): string | undefined {
  let looked = 0;
  for (const name in sent) {
    if (looked++ === MAX_NAMES) return undefined;
    if (standsFor(name, wanted)) return name;
  }
  return undefined;
}
