// The greeting at the demo's start: where everything is, and lines to paste.
import type { Endpoint } from '../push/endpoints.ts';
import { overviewChannel, unitChannel } from '../push/channels.ts';
import type { Account } from './account.ts';
import { dayFrom, IDS, meetingUnderWay } from './meetings.ts';
import { COUNTRY } from './people.ts';
import { EVENTS } from './programme.ts';

export type Facts = {
  baseUrl: string;
  account: Account;
  push: Endpoint & { key: string; cluster: string };
  now: Date;
};

export function greeting(facts: Facts): string {
  const { baseUrl, account } = facts;
  const { address, page, unit } = places(facts);
  return `Look here first: ${page}

Athletics data service: a demo with a made-up meeting under way

  Entrance       ${baseUrl}/
  API explorer   ${baseUrl}/docs
  API reference  ${baseUrl}/redoc
  The meeting    ${page}json/
  One unit       ${unit}
  Account        ${account.email}, password ${account.password}, group ${account.group}

Paste these: a token, the calendar, the whole meeting, one unit, a new competition, one result
${curlLines(facts)
  .map((line) => `  ${line}`)
  .join('\n')}

Push
${pushText(facts, address)}

As it happens (Ctrl-C stops):
`;
}

function places({ baseUrl, now }: Facts) {
  const { date, slug } = meetingUnderWay(now);
  const address = { year: Number(date.slice(0, 4)), countryId: COUNTRY, slug };
  const page = `${baseUrl}/x/${address.year}/${COUNTRY}/${slug}/`;
  return { address, page, unit: `${page}event/${EVENTS.longJump.event_id}/1/1/json/` };
}

/** Each works pasted on its own, once the first has been pasted. */
function curlLines(facts: Facts): string[] {
  const { baseUrl, account, now } = facts;
  const { page, unit } = places(facts);
  const api = `${baseUrl}/api/v1`;
  const signedIn = `-H "Authorization: Bearer $TOKEN"`;
  const json = `${signedIn} -H 'Content-Type: application/json'`;
  const result = {
    events: [{ event_id: EVENTS.relay.event_id, units: [{ round: 1, heat: 1, ...RELAY_RESULT }] }],
  };
  // The time in the name: the second of the same name and day would be refused as a duplicate.
  const created = `{"full_name":"My meeting of '"$(date +%T)"'","country_id":"${COUNTRY}","date":"${dayFrom(now, 14)}"}`;
  return [
    `TOKEN=$(curl -s ${api}/auth/token -d username=${account.email} -d password=${account.password} | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')`,
    `curl -s ${signedIn} '${api}/competitions/?country=${COUNTRY}&from_date=${dayFrom(now, -30)}'`,
    `curl -s ${page}json/`,
    `curl -s ${unit}`,
    `curl -s ${json} ${api}/competitions/ -d '${created}'`,
    `curl -s ${json} ${api}/competitions/${IDS.underWay} -d '${JSON.stringify(result)}'`,
  ];
}

const RELAY_RESULT = {
  status: 'finished',
  results_status: 'provisional',
  results: [{ bib: 'ORN-A', lane: 2, place: 1, performance: '41.87' }],
};

function pushText({ push }: Facts, address: ReturnType<typeof places>['address']): string {
  const unit = { eventId: EVENTS.longJump.event_id, round: 1, heat: 1 };
  const overview = overviewChannel(address);
  const port = push.tls ? `wssPort: ${push.port}` : `wsPort: ${push.port}`;
  return `  key ${push.key}, cluster ${push.cluster}, host ${push.host}, port ${push.port}${push.tls ? ' (TLS)' : ''}
  ${overview}
  ${unitChannel(address, unit)}

  import Pusher from 'pusher-js'; // npm install pusher-js
  const pusher = new Pusher('${push.key}', {
    cluster: '${push.cluster}', wsHost: '${push.host}', ${port}, forceTLS: ${push.tls}, enabledTransports: ['${push.tls ? 'wss' : 'ws'}'],
  });
  const channel = pusher.subscribe('${overview}');
  channel.bind_global((name, data) => console.log(name, data));`;
}
