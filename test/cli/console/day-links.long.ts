import { afterAll, expect, it } from 'vitest';
import { callGroupings } from '../../../client/index.ts';
import { keysOf } from '../../../lib/core/collections.ts';
import { startBrowser } from './browser.ts';
import { aWeekBefore, type DayLink, day, linksOf, serveSimulatedDay, shownCount } from './simulated-day.ts';

const [browser, simulated] = await Promise.all([startBrowser(), serveSimulatedDay(300)]);
afterAll(() => browser.close());

const addresses = keysOf(callGroupings).map((by) =>
  by === 'day' ? `from=${aWeekBefore}&to=${day}&by=day` : `day=${day}&by=${by}`,
);

/** A row of a period opens its day, not a list; so do the bars of its calls, but not those of a target. */
const kinds = ['bar', 'beside', 'cell', 'figure', 'tile'];
const kindsOfDay = [...kinds, 'row'];

const targets = 'service-level-target=80&abandonment-target=5';

/** Opened before, by another grouping. */
const opened = new Map<string, number>();

it.each(addresses)('each link of Day by %s opens a list that says as many calls as the number', async (search) => {
  const page = await browser.newPage();
  await page.goto(`${simulated.served.url}#/day?${search}&within=13&${targets}`);
  const links = await linksOf(page);
  expect(links.length).toBeGreaterThan(50);
  expect(new Set(links.map(({ kind }) => kind))).toEqual(new Set(search.startsWith('day') ? kindsOfDay : kinds));
  const shown: DayLink[] = [];
  for (const link of links) {
    const number = opened.get(link.href) ?? (await shownCount(page, link.href));
    opened.set(link.href, number);
    shown.push({ ...link, number });
  }
  expect(shown).toEqual(links);
  await page.close();
});

it('the button copies the table as CSV, which is read when it is pressed', async () => {
  const context = await browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'] });
  const page = await context.newPage();
  await page.goto(`${simulated.served.url}#/day?day=${day}&by=skill&within=13`);
  const read = page.waitForResponse((response) => response.url().includes('/api/day-csv?'));
  await page.getByRole('button', { name: 'Copy as CSV' }).click();
  await read;
  const { csv } = await simulated.ask('day-csv', { day, by: 'skill', within: '13' });
  await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toBe(csv);
  await context.close();
});
