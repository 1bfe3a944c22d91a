// Faults of a parsed body that no schema looks for, with their paths.
import type { Issue } from '../errors.ts';

const MAX_REPORTED = 100;

// A text must survive the way into Postgres and back: U+0000 and lone surrogates do not.
function textFault(value: string): string | undefined {
  if (value.includes('\u0000')) return 'Text may not contain the character U+0000';
  return value.isWellFormed() ? undefined : 'Text may not contain a lone surrogate';
}

/** Walks the body without recursion, so that depth cannot exhaust the stack. */
export function bodyFaults(body: object, maxDepth: number): Issue[] {
  const faults: Issue[] = [];
  const waiting: { value: unknown; loc: (string | number)[] }[] = [{ value: body, loc: ['body'] }];
  while (waiting.length && faults.length < MAX_REPORTED) {
    const { value, loc } = waiting.pop()!;
    if (typeof value === 'string') {
      const msg = textFault(value);
      if (msg) faults.push({ loc, msg, type: 'invalid_text' });
    } else if (typeof value === 'object' && value !== null) {
      if (loc.length > maxDepth) faults.push({ loc, msg: 'Nested too deeply', type: 'too_deep' });
      else waiting.push(...childrenOf(value, loc, faults));
    }
  }
  return faults;
}

function childrenOf(value: object, loc: (string | number)[], faults: Issue[]) {
  if (Array.isArray(value))
    return value.map((item: unknown, index) => ({ value: item, loc: [...loc, index] }));
  return Object.entries(value).map(([key, item]: [string, unknown]) => {
    const path = [...loc, key.toWellFormed().replaceAll('\u0000', '\uFFFD')];
    const msg = key === '__proto__' ? 'This name is reserved' : textFault(key);
    if (msg) faults.push({ loc: path, msg, type: 'invalid_name' });
    return { value: item, loc: path };
  });
}

/** Whether brackets nest deeper than `maxDepth`; one pass over the bytes, strings skipped. */
export function isDeep(json: Buffer, maxDepth: number): boolean {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < json.length; at++) {
    const byte = json[at];
    if (inString) {
      if (byte === 0x5c) at++;
      else if (byte === 0x22) inString = false;
    } else if (byte === 0x22) inString = true;
    else if (byte === 0x7b || byte === 0x5b) {
      if (++depth > maxDepth) return true;
    } else if (byte === 0x7d || byte === 0x5d) depth--;
  }
  return false;
}
