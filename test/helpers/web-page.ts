// A web page with a push client, as a browser without a screen has it: its scripts run in a world of their own, its elements only hold text.
import { createContext, runInContext } from 'node:vm';
import { onTestFinished } from 'vitest';
import { WebSocket } from 'ws';

// What the script and the page look for besides the page itself.
const BROWSER = {
  fetch,
  crypto,
  setTimeout,
  clearTimeout,
  setInterval,
  clearInterval,
  navigator: { onLine: true },
  addEventListener: () => {},
};

/** Runs the scripts of a page in their order; those of its own host or of others are loaded first. */
export async function openWebPage(html: string) {
  const elements = new Map(Array.from(html.matchAll(/<\w+ id="([^"]+)"/g), ([, id]) => [id!, element()]));
  const sockets = new Set<WebSocket>();
  class Socket extends WebSocket {
    constructor(url: string) {
      super(url);
      sockets.add(this);
    }
  }
  const context = createContext({
    ...BROWSER,
    WebSocket: Socket,
    document: {
      body: {},
      location: { protocol: 'http:' },
      createElement: element,
      getElementById: (id: string) => elements.get(id),
      addEventListener: () => {},
    },
  });
  runInContext('window = self = globalThis', context);
  for (const [, source, code] of html.matchAll(/<script(?: src="([^"]+)")?>([\s\S]*?)<\/script>/g)) {
    runInContext(source ? await (await fetch(source)).text() : code!, context);
  }
  // As when it is closed: a push client would try to connect for ever.
  onTestFinished(() => {
    runInContext('Pusher.instances.forEach((client) => client.disconnect())', context);
  });
  return {
    /** What stands in an element, line by line. */
    lines: (id: string) => elements.get(id)!.lines,
    /** What a network does that goes away. */
    cutOff: () => sockets.forEach((socket) => socket.terminate()),
  };
}

function element() {
  const self = {
    textContent: '',
    lines: [] as string[],
    replaceChildren: (...children: { textContent: string }[]) => {
      self.lines = children.map(({ textContent }) => textContent);
    },
  };
  return self;
}
