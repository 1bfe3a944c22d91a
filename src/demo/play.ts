// Plays the meeting under way against the clock: an attempt at every beat, a race at every tenth.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from './client.ts';
import { IDS } from './meetings.ts';
import { competitionPath } from './prepare.ts';
import { highJumpSteps, longJumpSteps, sprintSteps, type Step } from './steps.ts';

const BEAT_MS = 2500;
const RACE = { everyBeats: 10, runsBeats: 2 };

/** Goes on until the signal is aborted. A step that fails is reported, and the next one follows in its time. */
export async function playMeeting(
  client: Client,
  say: (line: string) => void,
  signal: AbortSignal,
): Promise<void> {
  const jumps = [longJumpSteps(Math.random), highJumpSteps(Math.random)];
  const races = sprintSteps(Math.random);
  const take = async ({ method, path, body, says }: Step) => {
    try {
      await client(method, competitionPath(IDS.underWay) + path, body);
      say(says);
    } catch (error) {
      say(`Not saved: ${error instanceof Error ? error.message : String(error)}`);
    }
  };
  for (let beat = 0; !signal.aborted; beat += 1) {
    await take(jumps[beat % jumps.length]!.next().value);
    const phase = beat % RACE.everyBeats;
    if (phase === 0 || phase === RACE.runsBeats) await take(races.next().value);
    await sleep(BEAT_MS, undefined, { signal }).catch(() => {});
  }
}
