// Faults of a body that no schema looks for: its size in values before it is parsed, its texts and names after. Pure.
import type { Problems } from './problems.ts';

/** What one body may hold. A whole championship has some hundred thousand items. */
export const MAX_ITEMS = 2_000_000;
export const MAX_FIELDS = 10_000;

type Path = (string | number)[];

// A text must survive the way into Postgres and back: U+0000 and lone surrogates do not.
function textFault(value: string): string | undefined {
  if (value.includes('\u0000')) return 'Text may not contain the character U+0000';
  return value.isWellFormed() ? undefined : 'Text may not contain a lone surrogate';
}

/** Puts the faults of a parsed body among the problems. No deeper than `maxDepth`, so that depth cannot exhaust the stack. */
export function findBodyFaults(body: object, maxDepth: number, problems: Problems): void {
  // One path that is walked along, and copied where there is a fault.
  const at: Path = ['body'];
  const report = (msg: string, type: string) => problems.add(() => ({ loc: at.slice(), msg, type }));

  function visit(value: unknown): void {
    if (typeof value === 'string') {
      const msg = textFault(value);
      if (msg) report(msg, 'invalid_text');
    } else if (typeof value === 'object' && value !== null) {
      if (at.length > maxDepth) report('Nested too deeply', 'too_deep');
      else if (Array.isArray(value)) visitItems(value);
      else visitFields(value as Record<string, unknown>);
    }
  }

  function visitItems(items: unknown[]): void {
    for (let index = 0; index < items.length && !problems.enough(); index++) {
      at.push(index);
      visit(items[index]);
      at.pop();
    }
  }

  function visitFields(fields: Record<string, unknown>): void {
    for (const key of Object.keys(fields)) {
      if (problems.enough()) return;
      at.push(key);
      const msg = key === '__proto__' ? 'This name is reserved' : textFault(key);
      if (msg) {
        at[at.length - 1] = key.toWellFormed().replaceAll('\u0000', '\uFFFD');
        report(msg, 'invalid_name');
      }
      visit(fields[key]);
      at.pop();
    }
  }

  visit(body);
}

/** What a JSON text is made of, as far as it is told before it is parsed. */
export type Extent = {
  /** Items of all arrays; an empty one counts as one. */
  items: number;
  /** Fields of the object that has the most. */
  fields: number;
  /** Whether brackets nest deeper than `maxDepth`. */
  deep: boolean;
};

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/** One pass over the bytes, strings skipped. Of what lies deeper than `maxDepth` only the items are counted. */
export function extentOf(json: Buffer, maxDepth: number): Extent {
  // At each depth the number of fields so far; -1 in an array.
  const fieldsAt = new Int32Array(maxDepth + 2).fill(-1);
  let [depth, items, fields, deep] = [0, 0, 0, false];
  for (let at = 0; at < json.length; at++) {
    const byte = json[at];
    if (byte === QUOTE) {
      for (at++; at < json.length && json[at] !== QUOTE; at++) if (json[at] === BACKSLASH) at++;
    } else if (byte === COMMA) {
      const before = depth <= maxDepth ? fieldsAt[depth]! : -1;
      if (before < 0) items++;
      else if ((fieldsAt[depth] = before + 1) > fields) fields = before + 1;
    } else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) {
      depth++;
      if (depth > maxDepth) deep = true;
      else fieldsAt[depth] = byte === OPEN_OBJECT ? 1 : -1;
      if (byte === OPEN_ARRAY) items++;
    } else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) {
      // A text that closes more than it opened is no JSON, as the parser will say.
      if (depth > 0) depth--;
    }
  }
  return { items, fields, deep };
}
