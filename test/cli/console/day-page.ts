import type { Page } from 'playwright-core';

/** A link of Day to Calls: where on the page it is, and the number of calls that it names. */
export interface DayLink {
  readonly kind: string;
  readonly href: string;
  readonly number: number;
}

/** Every link to Calls of the day that a page shows. */
export const linksOf = async (page: Page): Promise<readonly DayLink[]> => {
  await page.waitForSelector('.groups tbody a');
  // It comes with an answer of its own.
  await page.getByText('still open').waitFor();
  // A bar of a period opens its day.
  if (/[?&]day=/.test(page.url())) await page.waitForSelector('.plot a');
  await page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true");
  const found = await page.locator('main a[href*="#/calls"]').evaluateAll((links) =>
    links.map((link) => ({
      isIn: ['.plot', '.tile b', '.tile', 'details', '.groups th', '.groups'].find((part) => link.closest(part)) ?? '',
      href: String(link.getAttribute('href')),
      title: link.getAttribute('title') ?? String(link.textContent),
    })),
  );
  const kinds = new Map(
    Object.entries({ '.plot': 'bar', '.tile b': 'tile', '.tile': 'beside', details: 'figure', '.groups th': 'row' }),
  );
  return found.map(({ isIn, href, title }) => ({
    href: href.slice(href.indexOf('#')),
    kind: kinds.get(isIn) ?? 'cell',
    // “Show 12 calls”, “10:15:00: 12 answered”, or the number alone.
    number: Number(/(?:^|Show |\d\d:\d\d:\d\d: )([\d,]+)(?: |$)/.exec(title)?.[1]?.replaceAll(',', '')),
  }));
};

/** How many calls the page says that the list of an address has. */
export const shownCount = async (page: Page, hash: string): Promise<number> => {
  await Promise.all([
    page.waitForResponse((response) => response.url().includes('/api/calls?')),
    page.evaluate(`location.hash = ${JSON.stringify(hash)}`),
  ]);
  // A list that is not shown to its end has its number a moment later.
  const status = page.locator('main p [role=status]').filter({ hasText: /^(?:[\d,]+ calls?,|The newest .* of )/ });
  const text = await status.innerText();
  return Number(/([\d,]+) calls?,/.exec(text)?.[1]?.replaceAll(',', ''));
};
