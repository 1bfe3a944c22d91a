// Loaded into a server ahead of its program: does what the lines of its standard input ask for. "stall": says how long the event loop
// stood still at most since it was last asked. "needs": frees what nobody needs any more, and says how much is left.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { isMainThread } from 'node:worker_threads';

// Threads of the program load it too; it is the loop that answers requests that is watched.
if (isMainThread) watch();

function watch() {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const asked = { stall: 0, needs: 0 };
  const answers = {
    stall() {
      process.stdout.write(`Stall ${(asked.stall += 1)}: ${delay.max / 1e6} ms\n`);
      delay.reset();
    },
    needs() {
      setFlagsFromString('--expose-gc');
      runInNewContext('gc')();
      const { heapUsed, external } = process.memoryUsage();
      process.stdout.write(`Needs ${(asked.needs += 1)}: ${heapUsed + external} bytes\n`);
    },
  };
  process.stdin.setEncoding('utf8').on('data', (text) => {
    for (const line of text.trim().split('\n')) answers[line]();
  });
  // The program ends when it likes.
  process.stdin.unref();
}
