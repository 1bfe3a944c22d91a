import { once } from 'node:events';
import { createServer } from 'node:net';

// Below those that systems give to who asks for any port or connects somewhere: no other program of this machine is given it
// between two starts of the one that it is for. Above the last that browsers refuse.
const [FIRST, COUNT] = [11_000, 21_000];
// Each process begins elsewhere, also one that was started right after another.
let turn = process.pid * 97;

/** A port of the loopback interface that nothing listens on, for programs that cannot say which one they were given. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST + (turn++ % COUNT);
    const server = createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true));
    });
    if (!isFree) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
}
