import { expect, test } from 'vitest';
import { LOCALE_PREFIX, OPEN_TO_ALL, PAUSED_IN_MAINTENANCE } from '../../src/public-paths.ts';

test.for([
  // route or path, open to all, paused in maintenance
  ['/x/2026/json/', true, true],
  ['//en//x/2026/json/', true, true],
  ['/zh-hant-tw/x/2026/GBR/json', true, true],
  [`${LOCALE_PREFIX}/x/:year/json`, true, true],
  ['/api/v1/ping', true, false],
  ['/api/v1/ping/', true, false],
  ['/api/v1/push', true, true],
  ['/api/v1/changes', true, true],
  ['/api/v1/changes/stream', true, true],
  ['/api/v1/pings', false, true],
  ['/assets/pusher.js', true, false],
  ['//assets/pusher.js', true, false],
  ['/assetsx', false, false],
  ['/embed/v1.js', true, false],
  ['/oembed', true, true],
  ['/api/v1/competitions/', false, true],
  ['/live/group/european_calendar_2026.json', false, false],
  ['/e/x/2026/json/', false, false],
  ['/EN/x/2026/json/', false, false],
  ['/en/y/x/', false, false],
  ['/metrics', false, false],
] as const)('%s', ([path, open, paused]) => {
  expect([OPEN_TO_ALL.test(path), PAUSED_IN_MAINTENANCE.test(path)]).toEqual([open, paused]);
});
