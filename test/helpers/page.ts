// What a page does to show units live: fetch when a subscription succeeds, take newer events, start anew when the library gives up.
import type PusherJs from 'pusher-js';
import { onTestFinished } from 'vitest';
import { get } from './http-client.ts';
import type { Version } from './push-client.ts';
import { clientClasses } from './push-server.ts';
import type { Meeting } from './steady-saves.ts';

type Unit = { revision: number };

export type Page = {
  /** The unit JSON shown, by channel. */
  shown: Map<string, string>;
  /** How often each channel's subscription succeeded. */
  subscribed: Map<string, number>;
  fetches: number;
  /** Units taken from events. */
  events: number;
  rebuilt: number;
};

type Address = {
  baseUrl: string;
  /** where WebSockets go, when not straight to the server */ pushPort?: number;
};

/** Opens a page on every unit of the meeting. */
export async function openPage({ lanes }: Meeting, version: Version, address: Address): Promise<Page> {
  const { key, cluster, host, port } = (await get(`${address.baseUrl}/api/v1/push`)).body;
  const page: Page = { shown: new Map(), subscribed: new Map(), fetches: 0, events: 0, rebuilt: 0 };
  let client: PusherJs.default | undefined;
  const show = (channel: string, text: string): boolean => {
    const shown = page.shown.get(channel);
    if (shown !== undefined && revisionOf(shown) >= revisionOf(text)) return false;
    page.shown.set(channel, text);
    return true;
  };
  const build = () => {
    client = new clientClasses[version](key, {
      cluster,
      wsHost: host,
      wsPort: address.pushPort ?? port,
      forceTLS: false,
      enabledTransports: ['ws'],
    });
    client.connection.bind('failed', () => {
      page.rebuilt += 1;
      client?.disconnect();
      build();
    });
    for (const { channel, jsonPath } of lanes) {
      client
        .subscribe(channel)
        .bind('pusher:subscription_succeeded', () => {
          page.fetches += 1;
          page.subscribed.set(channel, (page.subscribed.get(channel) ?? 0) + 1);
          // A read that fails is made good by the next one, as in a browser.
          void get(address.baseUrl + jsonPath).then(
            ({ text }) => show(channel, text),
            () => undefined,
          );
        })
        .bind('unit', (unit: Unit) => {
          if (show(channel, JSON.stringify(unit))) page.events += 1;
        });
    }
  };
  build();
  onTestFinished(() => client?.disconnect());
  return page;
}

const revisionOf = (text: string): number => (JSON.parse(text) as Unit).revision;
