import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The part of the result of axe-core that the tests read. */
interface AxeResult {
  readonly violations: readonly {
    readonly id: string;
    readonly nodes: readonly { readonly html: string }[];
  }[];
}

/** What axe-core finds wrong in a page, by all of its rules or by some: each rule, with the first element that breaks it. */
export const accessibilityFaults = async (page: Page, rules: { readonly runOnly?: readonly string[] } = {}) => {
  await page.evaluate(axe);
  const options = JSON.stringify({ ...rules, resultTypes: ['violations'] });
  const { violations } = await page.evaluate<AxeResult>(`axe.run(${options})`);
  return violations.map(({ id, nodes }) => [id, nodes[0]?.html] as const);
};
