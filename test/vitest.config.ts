import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { TotalsReporter } from './helpers/totals-reporter.ts';

const PURE = ['test/unit/**/*.test.ts', 'test/architecture.test.ts'];

export default defineConfig({
  test: {
    root: fileURLToPath(new URL('..', import.meta.url)),
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    reporters: ['default', new TotalsReporter()],
    // Two projects, because a project's global set-up runs only when one of its files does: pure tests start no Postgres.
    projects: [
      { extends: true, test: { name: 'pure', include: PURE } },
      {
        extends: true,
        test: {
          name: 'database',
          include: ['test/**/*.test.ts'],
          exclude: PURE,
          globalSetup: 'test/helpers/global-setup.ts',
        },
      },
    ],
  },
});
