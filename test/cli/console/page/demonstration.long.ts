import type { Page } from 'playwright-core';
import { afterAll, describe, expect, it } from 'vitest';
import type { Account } from '../../../../lib/accounts/accounts.ts';
import { addDays, localDate } from '../../../../lib/core/time.ts';
import { createCalendar, daysBefore } from '../../../../sandbox/demo/calendar.ts';
import { demoLinks } from '../../../../sandbox/demo/links.ts';
import { startSharedSandbox } from '../../../support/dynamodb-local.ts';
import { problemsOf, startBrowser } from '../browser.ts';
import { accessibilityFaults } from './axe.ts';
import { brokenValues } from './broken-values.ts';

const soon = { timeout: 45_000 };

/** The zone whose clock shows eleven, as today has calls then. These names have the sign of what is to be added to their time. */
const zoneOfBusyHours = (): string => {
  const east = 11 - new Date().getUTCHours();
  return east === 0 ? 'Etc/GMT' : `Etc/GMT${east > 0 ? '-' : '+'}${Math.abs(east)}`;
};

const account: Account = {
  userName: 'demo',
  apiKeys: ['demo-key'],
  timeZone: zoneOfBusyHours(),
  token: { kind: 'none' },
};
const startedOn = localDate(new Date().toISOString(), account.timeZone);
/** The first one with a call that an agent returned on the day that is shown: on one of 400 days the default has none. */
const seed = [1, 2, 3].find((one) => {
  const [missed] = demoLinks(createCalendar({ seed: one, startedOn, account }), addDays(startedOn, -1));
  return missed?.text === 'a missed call that an agent returned';
});
const [browser, sandbox] = await Promise.all([
  startBrowser(),
  startSharedSandbox({ demo: true, seed, polling: true, accounts: [account] }),
]);
afterAll(async () => {
  await browser.close();
  await sandbox.stop();
});

const first = `${sandbox.addresses.gateway}/`;

const open = async ({ hash = '', width = 1440, colorScheme = 'light' as 'light' | 'dark' } = {}) => {
  const context = await browser.newContext({ locale: 'en-GB', colorScheme, viewport: { width, height: 900 } });
  context.setDefaultTimeout(soon.timeout);
  const page = await context.newPage();
  const problems = problemsOf(page);
  await page.goto(`${first}${hash}`);
  return { page, problems, close: () => context.close() };
};

const bannerOf = (page: Page) => page.locator('.demonstration');

/** What each link of the banner names, and what shows that the page behind it has its data. */
const links = [
  ['a missed call that an agent returned', '.wait'],
  ['a bad hour, from 16:00, in which many gave up', '.groups tbody tr'],
  [/^a skill with too few people, (\w+)$/, '.groups tbody tr'],
  ['a call that went from one agent to the next', '.deliveries li'],
  ['the day of the busiest agent', '.totals tr'],
] as const;

/** Clicks a link in the banner of a page, which is the first one or behind another link. */
const follow = async (page: Page, [text, filled]: (typeof links)[number]) => {
  await page.goto(`${first}#/floor`);
  await bannerOf(page).getByRole('link', { name: text }).click();
  await page.waitForSelector(filled);
};

/** The numbers of a column of Day by the first word of each row, such as the missed calls of each hour. */
const numbersIn = async (page: Page, column: string): Promise<Map<string, number>> => {
  const heads = await page.locator('.groups thead th').allInnerTexts();
  const index = heads.findIndex((head) => head.startsWith(column));
  const rows = await page.locator('.groups tbody tr').all();
  const read = await Promise.all(
    rows.map(async (row) => {
      const cells = await row.locator('th, td').allInnerTexts();
      return [cells[0]?.trim() ?? '', Number.parseFloat(cells[index] ?? '')] as const;
    }),
  );
  return new Map(read);
};

/** They run in the order given: first the days are made, and in the end all are there. */
describe('a demonstration', { shuffle: false }, () => {
  it('says on its first page that nobody exists, how many days are still to come, and what to look at', async () => {
    const { page, problems, close } = await open();
    const banner = bannerOf(page);

    await banner.getByText('A demonstration.').waitFor();
    expect(await banner.innerText()).toContain('Nobody here exists: people, numbers and calls are invented.');
    const progress = /^Today and yesterday are there; (\d+) older days? to come\.$/;
    const olderLeft = async () => Number(progress.exec(await banner.getByRole('status').innerText())?.[1]);
    const atFirst = await olderLeft();
    expect(atFirst).toBeGreaterThan(0);
    expect(atFirst).toBeLessThan(daysBefore);
    expect(await banner.getByRole('link').allInnerTexts()).toEqual(
      links.map(([text]) => (text instanceof RegExp ? expect.stringMatching(text) : text)),
    );
    await expect.poll(olderLeft, { timeout: 300_000 }).toBeLessThan(atFirst);
    expect(problems).toEqual([]);
    await close();
  });

  it('shows its people, as nobody exists of whom it could tell', async () => {
    const { page, close } = await open({ hash: '#/calls?day=yesterday' });
    await page.waitForSelector('.calls .item');
    const calls = await page.locator('.calls').innerText();

    expect(calls).toMatch(/\b441\d\d4960\d{3}\b/);
    expect(await page.locator('body').innerText()).not.toContain('(hidden)');
    await page.goto(`${first}#/agent/asha?day=yesterday`);
    await page.getByRole('heading', { name: 'asha Asha' }).waitFor();
    await close();
  });

  it('leads to a missed call that was returned, and from there to the call of the agent', async () => {
    const { page, problems, close } = await open();
    await follow(page, links[0]);
    const callId = page.url().split('/').at(-1);

    expect(await page.locator('.sentence').innerText()).toMatch(/^Inbound from .*, missed, /);
    expect(await page.locator('.wait').innerText()).toMatch(/^Returned .* later, in the call .* \(\w+\)\./);
    await page.locator('.wait').getByRole('link', { name: 'the call' }).first().click();
    await page.getByText('It ended the wait of').first().waitFor();
    expect(await page.locator('.sentence').innerText()).toMatch(/^Manual to .*, answered by \w+/);
    expect(await page.locator(`.wait a[href*="${callId}"]`).count()).toBe(1);
    expect(problems).toEqual([]);
    await close();
  });

  it('leads to an hour in which far more calls were missed than in others', async () => {
    const { page, problems, close } = await open();
    await follow(page, links[1]);

    const missed = await numbersIn(page, 'Missed');
    const known = [...missed.values()].filter((count) => !Number.isNaN(count));
    const mean = known.reduce((sum, count) => sum + count, 0) / known.length;
    expect(missed.get('16:00')).toBeGreaterThan(5);
    expect(missed.get('16:00')).toBeGreaterThan(1.5 * mean);
    expect(problems).toEqual([]);
    await close();
  });

  it('leads to the skill that answers least of its calls in time', async () => {
    const { page, problems, close } = await open();
    const text = await bannerOf(page).getByRole('link', { name: links[2][0] }).innerText();
    const [, named = ''] = links[2][0].exec(text) ?? [];
    await follow(page, links[2]);

    const level = await numbersIn(page, 'Service level');
    expect([...level.keys()].toSorted()).toEqual(['Billing', 'Sales', 'Support']);
    expect(level.get(named)).toBe(Math.min(...level.values()));
    expect(problems).toEqual([]);
    await close();
  });

  it('leads to a call that three agents had, one after another', async () => {
    const { page, problems, close } = await open();
    await follow(page, links[3]);

    const sentence = page.locator('.sentence');
    expect(await sentence.innerText()).toMatch(/^Inbound from .*, answered by \w+, \w+, \w+ after /);
    expect(await sentence.locator('a[href*="#/agent/"]').count()).toBe(3);
    expect(await page.locator('main').innerText()).toMatch(/transfer types\s+no transfer, agent, agent/);
    expect(problems).toEqual([]);
    await close();
  });

  it('leads to the agent with the most calls of that day, with states and calls', async () => {
    const { page, problems, close } = await open();
    await follow(page, links[4]);
    const [, agent = '', day = ''] = /#\/agent\/(\w+)\?day=([\d-]+)/.exec(page.url()) ?? [];

    await page.getByRole('heading', { name: new RegExp(`^${agent} \\S`) }).waitFor();
    expect(await page.locator('.totals').innerText()).toMatch(/in a call\s+\d+:\d\d/);
    expect(await page.locator('.calls .item').count()).toBeGreaterThan(5);
    await page.goto(`${first}#/day?day=${day}&by=agent`);
    await page.locator('.groups th', { hasText: agent }).waitFor();
    const calls = await numbersIn(page, 'Calls');
    calls.delete('no agent');
    expect(calls.get(agent)).toBe(Math.max(...calls.values()));
    expect(problems).toEqual([]);
    await close();
  });

  describe.each([
    ['light', 1440, {}],
    ['light', 390, {}],
    // The other theme has other colours, and nothing else.
    ['dark', 1440, { runOnly: ['color-contrast'] }],
    ['dark', 390, { runOnly: ['color-contrast'] }],
  ] as const)('%s, at %d px', (colorScheme, width, rules) => {
    it('has no fault in its banner and behind its links', async () => {
      const { page, problems, close } = await open({ colorScheme, width });
      const hasNoFault = async (what: string) => {
        expect(await accessibilityFaults(page, rules), what).toEqual([]);
        expect(await brokenValues(page), what).toEqual([]);
        expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), what).toBe(0);
      };
      await bannerOf(page).getByRole('link').first().waitFor();
      await page.waitForSelector('.agents .item');
      await hasNoFault('the first page');
      for (const link of links) {
        await follow(page, link);
        await hasNoFault(String(link[0]));
      }
      expect(problems).toEqual([]);
      await close();
    });
  });

  it('says nothing of older days once all are there', async () => {
    const { page, problems, close } = await open();
    const progress = bannerOf(page).getByRole('status');
    await bannerOf(page).getByRole('link').first().waitFor();

    await expect.poll(() => progress.innerText(), { timeout: 300_000 }).toBe('');
    await page.goto(`${first}#/day?day=${addDays(startedOn, -daysBefore)}`);
    await page.waitForSelector('.groups tbody tr');
    expect(Number.parseFloat(await page.locator('.tile b, .tile a').first().innerText())).toBeGreaterThan(80);
    expect(problems).toEqual([]);
    await close();
  });
});
