// The order of test files: those that take long begin first, so that every worker has something to do until the end.
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const LONG = [
  'e2e/embedded-postgres',
  'e2e/server',
  'e2e/demo',
  'e2e/cluster',
  'e2e/commit-then-kill',
  'e2e/graceful-stop',
  'e2e/full-disk',
  'e2e/backup',
  'e2e/behind-nginx',
  'e2e/faults',
  'e2e/push-server-away',
  'e2e/reconnect',
  'e2e/push-load',
  'api/bench',
  'api/calendar',
  'api/document-equality',
  'jobs/relay',
  'e2e/crash',
  'e2e/main-job',
  'e2e/unreachable-database',
  'e2e/live',
];

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return files.toSorted((one, other) => placeOf(one) - placeOf(other));
  }
}

function placeOf({ moduleId }: TestSpecification): number {
  const place = LONG.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`));
  return place < 0 ? LONG.length : place;
}
