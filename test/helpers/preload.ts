// Faults in processes of the program that nothing outside can bring about: code that runs in them before their own.
import type { Environment } from './program.ts';

const preload = (code: string): Environment => ({
  NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(code)}`,
});

/** A machine whose clock is ahead by so much. */
export const clockAhead = (ms: number): Environment =>
  preload(`
    const Right = Date;
    globalThis.Date = class Date extends Right {
      constructor(...args) { super(...(args.length ? args : [Right.now() + ${ms}])); }
      static now() { return Right.now() + ${ms}; }
    };`);

/** From one SIGWINCH, which means nothing to the program, to the next its publish API hangs, or answers 500; everything else goes on. */
export const muteOnSignal = (manner: 'hangs' | 'answers 500'): Environment =>
  preload(`
    import { Server } from 'node:http';
    let mute = false;
    process.on('SIGWINCH', () => { mute = !mute; });
    const emit = Server.prototype.emit;
    Server.prototype.emit = function (event, request, response) {
      if (!mute || event !== 'request' || !request.url.startsWith('/apps/')) return emit.apply(this, arguments);
      if (${JSON.stringify(manner)} === 'answers 500') response.writeHead(500).end();
      return true;
    };`);
