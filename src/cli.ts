// The operations process: argv -> one command in cli/; the same dependencies as the server, no HTTP.
import { runCli } from './cli/program.ts';
import { createDeps } from './deps.ts';
import { withEnvFile } from './env-file.ts';
import { failStart } from './stop.ts';

// A reader that has seen enough (| head) closes the pipe; that is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

process.exitCode = await runCli(process.argv.slice(2), {
  env: environment(),
  createDeps,
  stdin: process.stdin,
  out: (text) => process.stdout.write(`${text}\n`),
  err: (text) => process.stderr.write(`${text}\n`),
  terminal: process.stderr.isTTY ? process.stderr : undefined,
});

function environment(): ReturnType<typeof withEnvFile> {
  try {
    return withEnvFile(process.env);
  } catch (error) {
    return failStart(error);
  }
}
