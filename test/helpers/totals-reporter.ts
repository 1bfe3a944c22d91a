// The end of a run, for people and scripts. Its last line: "12 passed, 0 failed", with the skipped ones when there are any. Before it,
// what passed at the second try alone, and why not at the first: a race, in the test or in the service, that someone has to look for.
import type { Reporter, SerializedError, TestCase, TestModule, TestRunEndReason } from 'vitest/node';

export class TotalsReporter implements Reporter {
  onTestRunEnd(
    modules: readonly TestModule[],
    unhandled: readonly SerializedError[],
    reason: TestRunEndReason,
  ): void {
    const totals = { passed: 0, failed: unhandled.length, skipped: 0, pending: 0 };
    for (const module of modules) {
      let failures = 0;
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        totals[state] += 1;
        if (state === 'failed') failures += 1;
        if (test.diagnostic()?.flaky) process.stdout.write(secondTry(test));
      }
      // A file that could not be imported, or a hook that failed, has tests that never ran.
      if (!module.ok() && failures === 0) totals.failed += 1;
    }
    if (reason !== 'passed' && totals.failed === 0) totals.failed = 1;
    const skipped = totals.skipped + totals.pending;
    process.stdout.write(
      `${totals.passed} passed, ${totals.failed} failed${skipped ? `, ${skipped} skipped` : ''}\n`,
    );
  }
}

function secondTry(test: TestCase): string {
  const [error] = test.result().errors ?? [];
  const at = error?.stacks?.[0];
  const place = at ? ` (line ${at.line})` : '';
  return `passed at the second try: ${test.module.relativeModuleId} > ${test.fullName}: ${error?.message}${place}\n`;
}
