import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import { consoleForThisFile, go } from './open-console.ts';
import { views } from './views.ts';

const { open } = await consoleForThisFile();

describe('accessibility', () => {
  const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

  it.each([
    ['light', 1280, {}],
    ['light', 390, {}],
    // The other theme has other colours, and nothing else.
    ['dark', 1280, { runOnly: ['color-contrast'] }],
    ['dark', 390, { runOnly: ['color-contrast'] }],
  ] as const)('has no fault in any view, %s, at a width of %d', async (colorScheme, width, rules) => {
    const { page } = await open('#/nowhere', { colorScheme, width });

    for (const view of views) {
      await go(page, view);
      if (width === 390) await page.getByRole('button', { name: 'Menu' }).click();
      await page.evaluate(axe);
      const options = JSON.stringify({ ...rules, resultTypes: ['violations'] });
      const { violations } = await page.evaluate<AxeResult>(`axe.run(${options})`);
      expect(violations.map(({ id, nodes }) => [view[0], id, nodes[0]?.html])).toEqual([]);
    }
  });

  it.each([1280, 390])('has no view that is wider than its window of %d', async (width) => {
    const { page } = await open('#/nowhere', { width });

    for (const view of views) {
      await go(page, view);
      if (width === 390) await page.getByRole('button', { name: 'Menu' }).click();

      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), view[0]).toBe(true);
    }
  });
});

/** The part of the result of axe-core that the test reads. */
interface AxeResult {
  readonly violations: readonly {
    readonly id: string;
    readonly nodes: readonly { readonly html: string }[];
  }[];
}
