// Loaded into a server ahead of its program: for each line of its standard input it says how long the event loop stood still at
// most since the line before.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

// Threads of the program load it too; it is the loop that answers requests that is watched.
if (isMainThread) watch();

function watch() {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  let lines = 0;
  process.stdin.on('data', () => {
    lines += 1;
    process.stdout.write(`Stall ${lines}: ${delay.max / 1e6} ms\n`);
    delay.reset();
  });
  // The program ends when it likes.
  process.stdin.unref();
}
