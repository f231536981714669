import type { Page } from 'playwright-core';
import { afterAll, describe, expect, it } from 'vitest';
import { countingClicks, problemsOf, startBrowser } from '../browser.ts';
import { contrast } from '../contrast.ts';
import { aWeekBefore, type DayLink, day, linksOf, serveSimulatedDay, shownCount } from '../simulated-day.ts';
import { brokenValues } from './broken-values.ts';

/** Noon of the simulated Friday in Kolkata: the day, and its week, are not over. */
const noon = `${day}T06:30:00.000Z`;
const [browser, simulated] = await Promise.all([startBrowser(), serveSimulatedDay(300, noon)]);
afterAll(() => browser.close());

const soon = { timeout: 45_000 };
const targets = 'service-level-target=80&abandonment-target=5';
const widths = [1440, 390] as const;
const themes = ['light', 'dark'] as const;

/** A page in a browser of its own, whose clock is that of the console. */
const open = async (hash: string, { width = 1440, colorScheme = 'light' as (typeof themes)[number] } = {}) => {
  const context = await browser.newContext({ locale: 'en-GB', colorScheme, viewport: { width, height: 900 } });
  const page = await context.newPage();
  await page.clock.setFixedTime(noon);
  // The deployment is none of a sandbox that runs.
  await page.route(/\/api\/sandbox/, (route) => route.fulfill({ json: { faults: {} } }));
  const problems = problemsOf(page);
  await page.goto(`${simulated.served.url}${hash}`);
  return { page, problems, close: () => context.close() };
};

const filled = async (page: Page) => {
  await page.waitForSelector('.groups tbody tr');
  await page.getByText('still open').waitFor();
};

const tileOf = (page: Page, title: string) => page.locator('.tile', { hasText: title });

describe('a comparison', () => {
  it('of this week with last week takes two clicks from the first page, and says how far both go', async () => {
    const { page, problems, close } = await open('');
    let clicks = 0;
    const click = async (role: 'link' | 'button', name: string) => {
      await page.getByRole(role, { name, exact: true }).click();
      clicks += 1;
    };
    await click('link', 'Day');
    await click('button', 'This week');
    await page
      .getByText('Compared with 2026-11-09 to 2026-11-13, a week before, until 12:00, as today is not over.')
      .waitFor();
    expect(clicks).toBe(2);
    expect(page.url()).toMatch(/from=2026-11-16&to=2026-11-20/);
    const offered = (await tileOf(page, 'Offered').innerText()).replaceAll('\u00a0', ' ');
    expect(offered).toMatch(/^\d+\s+Offered\s+▲ \d+ more than a week before until 12:00: \d+$/);

    await click('button', 'Last week');
    await expect.poll(() => page.url(), soon).toMatch(/from=2026-11-09&to=2026-11-15/);
    await page.getByText('A week before, from 2026-11-02 to 2026-11-08, no call is stored to compare with.').waitFor();
    await click('button', 'Yesterday');
    await expect.poll(() => page.url(), soon).toMatch(/day=2026-11-19$/);
    await click('button', 'Today');
    await expect.poll(() => page.url(), soon).toMatch(/#\/day$/);
    await page
      .getByText('Compared with Friday 2026-11-13, a week before, until 12:00, as today is not over.')
      .waitFor();
    expect(problems).toEqual([]);
    await close();
  });

  it('of each quarter with the target leads from a drop to its slow calls in three clicks from the first page', async () => {
    const { page, problems, close } = await open('');
    await page.evaluate("localStorage.setItem('callfeed-service-level-target', '80')");
    const { click, clicks } = countingClicks();
    await click(page.getByRole('link', { name: 'Day', exact: true }));
    // Four of nine were answered in time, and three callers gave up.
    await click(page.locator('.plot a[title="Show 9 calls: Service level 44 % from 09:15:00"]'));
    await click(page.getByLabel('slower than'));
    await page.keyboard.type('20\n');
    await expect.poll(() => page.url(), soon).toContain('slower=20');
    const times = page.locator('.calls [data-label="To answer"]');
    await expect.poll(() => times.allInnerTexts(), soon).toEqual(['0:25', '0:25']);
    expect(clicks()).toBe(3);
    expect(problems).toEqual([]);
    await close();
  });

  it('of today with the same part of a day before opens the calls of that part, at each number', async () => {
    const { page, close } = await open('#/day');
    const all = (await linksOf(page)).filter(({ href }) => href.includes(aWeekBefore));
    const links = [...new Map(all.map((link) => [link.href, link])).values()];
    const shown: DayLink[] = [];
    for (const link of links) shown.push({ ...link, number: await shownCount(page, link.href) });

    expect(new Set(all.map(({ kind }) => kind))).toEqual(new Set(['beside', 'figure']));
    // A number of the whole day would be larger.
    expect(links[0]?.href).toContain('to=2026-11-13T06%3A29%3A59.999Z');
    expect(links.length).toBeGreaterThan(10);
    expect(shown).toEqual(links);
    await close();
  });

  it('says by a mark and a word whether a difference is good, and by no colour alone', async () => {
    const { page, close } = await open('#/day');
    await filled(page);
    const changes = await page.evaluate<readonly (readonly [text: string, colour: string])[]>(
      "[...document.querySelectorAll('.tile .change')].map((one) => [one.textContent, getComputedStyle(one).color])",
    );
    const verdictOf = (text: string) => ['better', 'worse'].find((word) => text.endsWith(`, ${word}`)) ?? 'neither';
    expect(changes.length).toBe(6);
    for (const [text] of changes)
      expect(text.replaceAll('\u00a0', ' ')).toMatch(
        /^(?:= the same|[▲▼] [\d,]+(?: \w+)*(?:, better|, worse| more| less))$/,
      );
    const colours = Map.groupBy(changes, ([text]) => verdictOf(text));
    expect(colours.size).toBeGreaterThan(1);
    // Each verdict has a colour, which no other one has.
    const all = [...colours].map(([, of]) => [...new Set(of.map(([, colour]) => colour))]);
    expect(new Set(all.flat()).size).toBe(colours.size);
    expect(all.map(({ length }) => length)).toEqual(all.map(() => 1));
    await close();
  });

  it('is a dash with the reason where nothing is stored', async () => {
    const { page, close } = await open(`#/day?day=${aWeekBefore}`);
    await filled(page);
    const before = tileOf(page, 'Offered').locator('.faint');
    expect(await before.innerText()).toBe('a week before: –');
    expect(await before.getAttribute('title')).toBe('Not known: no call is stored to compare with.');
    expect(await before.getByRole('link').count()).toBe(0);
    await close();
  });
});

describe('a target', () => {
  it('is kept for the browser, stands in the address, and marks charts, tiles and rows', async () => {
    const { page, close } = await open(`#/day?from=${aWeekBefore}&to=${day}`);
    await filled(page);
    expect(await page.locator('.target-line').count()).toBe(0);
    await page.getByLabel('Service level target').fill('80');
    await page.keyboard.press('Enter');
    await page.getByText('Service level per day').waitFor();
    await expect.poll(() => page.url(), soon).toContain('service-level-target=80');

    const line = await page.locator('.target-line').boundingBox();
    const plot = await page.locator('.plot', { has: page.locator('.target-line') }).boundingBox();
    if (line === null || plot === null) throw new Error('The chart is not shown.');
    expect((plot.y + plot.height - (line.y + line.height)) / plot.height).toBeCloseTo(0.8, 1);

    const level = await tileOf(page, 'Service level').locator('.verdict').first().innerText();
    expect(level.replaceAll('\u00a0', ' ')).toMatch(/^(✓ meets|▼ \d+ points? below) the target of 80 %$/);
    await page.getByLabel('Service level target').fill('100');
    await page.keyboard.press('Enter');
    const marks = page.locator('.groups tbody .verdict');
    await expect.poll(() => marks.count(), soon).toBeGreaterThan(0);
    expect(await marks.first().getAttribute('title')).toMatch(/^\d+ points? below the target of 100 %$/);

    // It follows to a day of the period, and to a page that is opened anew.
    await page.locator('.groups tbody a').first().click();
    await expect.poll(() => page.url(), soon).toMatch(/day=.*service-level-target=100|service-level-target=100.*day=/);
    await page.goto(`${simulated.served.url}#/floor`);
    await page.getByRole('link', { name: 'Day', exact: true }).click();
    await expect.poll(() => page.url(), soon).toContain('service-level-target=100');

    await page.getByLabel('Service level target').fill('');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.url(), soon).not.toContain('target');
    await close();
  });

  it('of a copied link shows the same to somebody who keeps none, and what is no percentage is none', async () => {
    const { page, close } = await open(`#/day?day=${day}&${targets}`);
    await filled(page);
    expect(await page.locator('.target-line').allInnerTexts()).toEqual(['target 80\u00a0%', 'target 5\u00a0%']);
    expect(await page.getByLabel('Abandonment target').inputValue()).toBe('5');
    expect(await page.evaluate("localStorage.getItem('callfeed-abandonment-target')")).toBeNull();
    await page.evaluate(`location.hash = '#/day?day=${day}&service-level-target=800&abandonment-target=x'`);
    await expect.poll(() => page.locator('.target-line').count(), soon).toBe(0);
    await close();
  });
});

/** What the page finds of each link of Day: its text’s colour, its line’s, and the colour behind it. */
const linkColours = `[...document.querySelectorAll('.groups a, .tile a')].map((link) => {
  const { color, textDecorationLine, textDecorationColor } = getComputedStyle(link);
  const behind = [];
  for (let one = link; one !== null; one = one.parentElement) behind.push(getComputedStyle(one).backgroundColor);
  const back = behind.find((colour) => colour !== 'rgba(0, 0, 0, 0)');
  const bar = link.closest('td')?.querySelector('.bar-cell');
  const backs = bar ? [back, getComputedStyle(bar).backgroundColor] : [back];
  return { color, line: textDecorationLine, lineColor: textDecorationColor, backs };
})`;

interface LinkColours {
  readonly color: string;
  readonly line: string;
  readonly lineColor: string;
  readonly backs: readonly string[];
}

it.each(themes)('links of Day can be read, and their lines seen, in the %s theme', async (colorScheme) => {
  const { page, close } = await open(`#/day?day=${day}&${targets}`, { colorScheme });
  await filled(page);
  const links = await page.evaluate<readonly LinkColours[]>(linkColours);
  const least = (pick: (link: LinkColours) => string) =>
    Math.min(...links.flatMap((link) => link.backs.map((back) => contrast(pick(link), back))));

  expect(links.length).toBeGreaterThan(50);
  expect(new Set(links.map(({ line }) => line))).toEqual(new Set(['underline']));
  expect(least(({ color }) => color)).toBeGreaterThanOrEqual(4.5);
  expect(least(({ lineColor }) => lineColor)).toBeGreaterThanOrEqual(3);
  await close();
});

/** How far the middle of each label is from the middle of the bar above it, in pixels. */
const labelDistances = `[...document.querySelectorAll('.plot')].flatMap((plot) => {
  const middleOf = (one) => { const { left, width } = one.getBoundingClientRect(); return left + width / 2; };
  const bars = [...plot.querySelectorAll(':scope > a')].map(middleOf);
  return [...plot.querySelectorAll('.label')].map((label) => Math.min(...bars.map((bar) => Math.abs(bar - middleOf(label)))));
})`;

describe.each(widths)('at %d px', (width) => {
  it.each([
    ['a day', `#/day?day=${day}&by=quarter&${targets}`],
    ['a period', `#/day?from=2026-11-14&to=${day}&${targets}`],
    ['a large day', `#/day?day=${day}&by=skill`],
  ])('no value of %s is broken, and nothing is wider than the window', async (_what, hash) => {
    const { page, problems, close } = await open(hash, { width });
    await filled(page);
    await page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true");

    expect(await brokenValues(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
    expect(problems).toEqual([]);
    await close();
  });

  it('the labels of a chart stand under their bars', async () => {
    const { page, close } = await open(`#/day?day=${day}&by=skill`, { width });
    await filled(page);
    const quarters = await page.evaluate<readonly number[]>(labelDistances);
    await page.evaluate(`location.hash = '#/day?from=2026-11-18&to=${day}&${targets}'`);
    await page.getByText('Calls per day').waitFor();
    await filled(page);
    const labels = page.locator('.chart', { hasText: 'Calls per day' }).locator('.label');
    const bars = page.locator('.chart', { hasText: 'Calls per day' }).locator('.plot a');
    const [label, bar] = [await labels.last().boundingBox(), await bars.last().boundingBox()];
    if (label === null || bar === null) throw new Error('The chart is not shown.');

    expect(quarters.length).toBeGreaterThan(2);
    expect(Math.max(...quarters)).toBeLessThan(1);
    expect(await labels.allInnerTexts()).toEqual(['Wed 18', 'Thu 19', 'Fri 20']);
    expect(Math.abs(label.x + label.width / 2 - (bar.x + bar.width / 2))).toBeLessThan(1);
    await close();
  });

  it('nothing moves when the figures, their chart and the missed calls come', async () => {
    const { page, close } = await open('#/nowhere', { width });
    const figures = Promise.withResolvers<void>();
    const waiting = Promise.withResolvers<void>();
    await page.route(/\/api\/day\?/, async (route) => {
      await figures.promise;
      await route.continue();
    });
    await page.route(/\/api\/waiting\?/, async (route) => {
      await waiting.promise;
      await route.continue();
    });
    const topsOf = () =>
      page.evaluate<readonly number[]>(
        "[...document.querySelectorAll('.tile, .chart')].map((one) => one.getBoundingClientRect().top + scrollY)",
      );
    await page.evaluate(`location.hash = '#/day?day=${day}&${targets}'`);
    await page.getByText('Reading the day …').waitFor();
    const empty = await topsOf();
    const backs = await page.evaluate(
      "[...document.querySelectorAll('.chart')].map((one) => getComputedStyle(one).backgroundColor)",
    );
    figures.resolve();
    await page.waitForSelector('.groups tbody tr');
    const withFigures = await topsOf();
    waiting.resolve();
    await filled(page);

    expect(empty.length).toBe(10);
    expect(backs).not.toContain('rgba(0, 0, 0, 0)');
    expect(withFigures).toEqual(empty);
    expect(await topsOf()).toEqual(empty);
    await close();
  });

  it.each([
    ['with calls', day],
    ['without a call', '2026-11-18'],
  ])('nothing moves when the chart of a list of calls comes, of a day %s', async (_what, of) => {
    const { page, close } = await open('#/nowhere', { width });
    const quarters = Promise.withResolvers<void>();
    await page.route(/\/api\/quarters\?/, async (route) => {
      await quarters.promise;
      await route.continue();
    });
    const topOf = async () => (await page.locator('.filters').first().boundingBox())?.y;
    await page.evaluate(`location.hash = '#/calls?day=${of}'`);
    await page
      .locator('main p [role=status]')
      .getByText(/\d+ calls?, /)
      .waitFor();
    const before = await topOf();
    quarters.resolve();
    await page.getByText('Calls per quarter of an hour').waitFor();

    expect(before).toBeGreaterThan(210);
    expect(await topOf()).toBe(before);
    await close();
  });

  it('a missed call that was returned is not as red as an open one', async () => {
    const { page, close } = await open(`#/calls?day=${day}&counted=missed`, { width });
    const backOf = (selector: string) =>
      page.evaluate(`getComputedStyle(document.querySelector('${selector}')).backgroundColor`);
    await page.waitForSelector('.missed.open');
    const [stillOpen, rangAgain] = [await backOf('.missed.open'), await backOf('.missed.rang-again')];

    expect(rangAgain).not.toBe(stillOpen);
    await close();
  });
});
