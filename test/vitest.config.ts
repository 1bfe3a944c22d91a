import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './helpers/longest-first.ts';
import { TotalsReporter } from './helpers/totals-reporter.ts';

const PURE = ['test/unit/**/*.test.ts', 'test/architecture.test.ts'];

export default defineConfig({
  test: {
    root: fileURLToPath(new URL('..', import.meta.url)),
    pool: 'forks',
    // The application is read once by each worker, not once by each file: files share nothing that they change.
    isolate: false,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // What is waited for comes, on a busy machine later.
    expect: { poll: { timeout: 20_000, interval: 20 } },
    reporters: ['default', new TotalsReporter()],
    sequence: { sequencer: LongestFirst },
    // Two projects, because a project's global set-up runs only when one of its files does: pure tests start no Postgres.
    projects: [
      { extends: true, test: { name: 'pure', include: PURE, maxWorkers: 2, sequence: { groupOrder: 0 } } },
      {
        extends: true,
        test: {
          name: 'database',
          include: ['test/**/*.test.ts'],
          exclude: PURE,
          globalSetup: 'test/helpers/global-setup.ts',
          // Servers, browsers and clocks on a busy machine: what fails once is tried again, and named at the end of the run.
          retry: 1,
          // More than processors: the long files wait for the most part.
          maxWorkers: 4,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
