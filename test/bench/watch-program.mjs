// Loaded into a program ahead of it: answers each line of its standard input with a figure. "stall": how long the event loop stood
// still at most since it was last asked, in ms; "needs": the bytes in use when what nobody needs any more has been freed.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

// Threads of the program load it too; it is the loop that answers requests that is watched.
if (isMainThread) watch();

function watch() {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const figures = {
    stall() {
      const ms = delay.max / 1e6;
      delay.reset();
      return ms;
    },
    needs() {
      globalThis.gc();
      const { heapUsed, external } = process.memoryUsage();
      return heapUsed + external;
    },
  };
  let asked = 0;
  process.stdin.setEncoding('utf8').on('data', (text) => {
    for (const figure of text.trim().split('\n')) {
      asked += 1;
      process.stdout.write(`Figure ${asked}: ${figures[figure]()}\n`);
    }
  });
  // The program ends when it likes.
  process.stdin.unref();
}
