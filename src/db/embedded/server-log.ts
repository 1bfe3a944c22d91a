// The end of Postgres's log after a failure, and what the operator can do about it.
import { readFile } from 'node:fs/promises';

const REMEDIES: [RegExp, string][] = [
  [
    /No space left on device|disk quota exceeded/i,
    'the disk is full: free some space or set DATA_DIR to another disk',
  ],
  [/Permission denied|Operation not permitted/i, 'check who owns DATA_DIR and whether it can be written'],
  [
    /incompatible with server/i,
    'these files belong to another version of Postgres: start the previous version of this program, or set DATA_DIR to a new folder',
  ],
  [
    /could not (create|map) (any )?.*shared memory|Cannot allocate memory/i,
    'the machine has too little free memory: lower shared_buffers in postgresql.conf',
  ],
];

export function withRemedy(what: string, said: string): string {
  const remedy = REMEDIES.find(([pattern]) => pattern.test(said))?.[1];
  return `${what}${remedy ? `: ${remedy}` : ''}\n${lastLines(said)}`;
}

export async function logTail(file: string): Promise<string> {
  return lastLines(await readFile(file, 'utf8').catch(() => ''));
}

function lastLines(text: string): string {
  return text.trim().split('\n').slice(-15).join('\n');
}
