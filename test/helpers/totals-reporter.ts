// The last line of a run, for people and scripts: "12 passed, 0 failed", with the skipped ones when there are any.
import type { Reporter, SerializedError, TestModule, TestRunEndReason } from 'vitest/node';

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
