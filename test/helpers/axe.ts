// Accessibility of an open page, by axe-core: what it finds, in one line each.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

// The themes differ in nothing but their colours.
const ASKED = {
  light: { type: 'tag', values: TAGS },
  dark: { type: 'rule', values: ['color-contrast'] },
};

type Violation = { id: string; nodes: { html: string; failureSummary?: string }[] };
type Axe = { run: (options: object) => Promise<{ violations: Violation[] }> };

let program: Promise<string> | undefined;

/** In both themes. */
export async function faultsOf(tab: Page): Promise<string[]> {
  program ??= readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  // Evaluated by the browser's own protocol, which no policy of the page forbids.
  await tab.evaluate(await program);
  const faults: string[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    await tab.emulateMedia({ colorScheme });
    const violations = await tab.evaluate(async (runOnly) => {
      const { axe } = globalThis as unknown as { axe: Axe };
      const { violations: found } = await axe.run({ runOnly });
      return found;
    }, ASKED[colorScheme]);
    for (const { id, nodes } of violations)
      for (const { html, failureSummary } of nodes)
        faults.push(`${tab.url()} ${colorScheme} ${id}: ${html.slice(0, 150)} ${failureSummary ?? ''}`);
  }
  return faults;
}
