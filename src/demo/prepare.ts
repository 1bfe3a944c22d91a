// Puts the three competitions in place, as a client would: what an earlier start left of them is deleted first.
import { type Client, Refused } from './client.ts';
import { finishedMeeting, IDS, meetingToCome, meetingUnderWay } from './meetings.ts';

const COMPETITIONS = '/api/v1/competitions';

export const competitionPath = (id: string) => `${COMPETITIONS}/${id}`;

export async function prepareMeetings(client: Client, now: Date): Promise<void> {
  for (const id of Object.values(IDS)) await remove(client, id);
  await client('POST', `${COMPETITIONS}/`, finishedMeeting(now));
  await client('POST', `${COMPETITIONS}/`, meetingToCome(now));
  await prepareUnderWay(client, now);
}

/** Push is turned on between the record and its units, so that the very first change of a unit is pushed. */
async function prepareUnderWay(client: Client, now: Date): Promise<void> {
  const { competitors, teams, relay_teams, events, ...record } = meetingUnderWay(now);
  await client('POST', `${COMPETITIONS}/`, record);
  await client('PATCH', `${competitionPath(IDS.underWay)}/settings`, { push_notifications: true });
  await client('POST', competitionPath(IDS.underWay), { competitors, teams, relay_teams, events });
}

async function remove(client: Client, id: string): Promise<void> {
  try {
    await client('DELETE', competitionPath(id));
  } catch (error) {
    if (!(error instanceof Refused && error.status === 404)) throw error;
  }
}
