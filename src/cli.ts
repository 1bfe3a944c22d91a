// The operations process: argv -> one command in cli/; the same dependencies as the server, no HTTP.
import { runCli } from './cli/program.ts';
import { createDeps } from './deps.ts';

// A reader that has seen enough (| head) closes the pipe; that is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

process.exitCode = await runCli(process.argv.slice(2), {
  env: process.env,
  createDeps,
  stdin: process.stdin,
  out: (text) => process.stdout.write(`${text}\n`),
  err: (text) => process.stderr.write(`${text}\n`),
  terminal: process.stderr.isTTY ? process.stderr : undefined,
});
