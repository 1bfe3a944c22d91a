// The order of test files: those that take long begin first, so that every worker has something to do until the end.
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const LONG = [
  'e2e/demo',
  'browser/outages',
  'e2e/photo-finish',
  'e2e/rolling-replicas',
  'e2e/cluster',
  'e2e/frozen-leader',
  'e2e/embedded-postgres',
  'e2e/server',
  'e2e/behind-nginx',
  'e2e/changes-killed',
  'e2e/mirror',
  'e2e/spectators',
  'e2e/commit-then-kill',
  'e2e/graceful-stop',
  'e2e/embedded-killed',
  'e2e/mute-push-server',
  'e2e/full-disk',
  'e2e/changes-stream',
  'e2e/webhooks',
  'e2e/reconnect',
  'e2e/faults',
  'browser/access',
  'browser/screens',
  'e2e/roles',
  'api/large-uploads',
  'api/rights',
  'api/login-limit',
  'e2e/frozen-replica',
  'api/demo-steps',
  'api/personal-data',
  'api/fuzz',
  'e2e/push-server-away',
  'e2e/backup',
  'api/permissions',
  'api/calendar',
  'api/results-arrived',
  'e2e/wrong-clock',
  'e2e/unsuitable-database',
  'api/hostile-bodies',
  'e2e/crash',
  'e2e/main-job',
  'e2e/cli',
  'api/sessions',
  'api/document-equality',
  'e2e/readme',
  'api/rounds',
  'api/arbitrary-uploads',
  'api/log',
  'api/upload-transaction',
  'e2e/push-load',
  'api/bench',
  'api/large-documents',
  'e2e/unreachable-database',
  'jobs/relay',
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
