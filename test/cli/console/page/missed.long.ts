import { readFileSync } from 'node:fs';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import type { Page } from 'playwright-core';
import { afterAll, describe, expect, it } from 'vitest';
import type { Account } from '../../../../lib/accounts/accounts.ts';
import { demoCall } from '../../../support/sandbox.ts';
import { recordsOf } from '../../support/csv.ts';
import { deploymentWith, serveForThisFile } from '../../support/local-deployment.ts';
import { countingClicks, problemsOf, startBrowser } from '../browser.ts';

const account: Account = {
  userName: 'demo',
  apiKeys: ['demo-key'],
  timeZone: 'Asia/Kolkata',
  token: { kind: 'none' },
};
const date = '2026-11-13';
const day = `day=${date}`;
const now = new Date('2026-11-13T06:00:00.000Z');
const starting = startBrowser();

/** Two callers: one called twice in vain and waits, the other one was called back. */
const calls = [
  ['09:00:00', { Status: 'NotAnswered', CallerID: '09840012345', AgentID: '' }],
  ['09:10:00', { Status: 'NotAnswered', CallerID: '+919840012345', AgentID: '' }],
  ['09:40:00', { Status: 'NotAnswered', CallerID: '9840022222', AgentID: '' }],
  ['09:52:00', { Status: 'Answered', CallerID: '09840022222', Type: 'Manual', CampaignName: 'Callbacks' }],
].map(([time, fields], index) =>
  demoCall(`7000000000000000${index}`, {
    StartTime: `${date} ${time}`,
    EndTime: `${date} ${time}`,
    Type: 'Inbound',
    Skill: 'Sales',
    AgentID: 'asha',
    ...Object(fields),
  }),
);
/** Of the day before: one that was passed on to another agent, and one of which only the end is known. */
const passedOn = '7000000000000001';
const withoutStart = '7000000000000002';
const dayBefore = 'day=2026-11-12';
const callsOfDayBefore = [
  demoCall(passedOn, { UCID: '71', AgentID: 'devi', Status: 'NotAnswered' }),
  demoCall(passedOn, { UCID: '72', AgentID: 'asha' }),
  demoCall(withoutStart, { StartTime: '', AgentID: 'devi' }),
].map((call) => ({
  ...call,
  StartTime: call.StartTime && '2026-11-12 09:00:00',
  EndTime: '2026-11-12 09:02:00',
  Skill: 'Billing',
  CampaignName: 'Renewals',
}));
const posts = [...calls, ...callsOfDayBefore].map((call) => ({
  contentType: 'application/x-www-form-urlencoded',
  query: '',
  body: new URLSearchParams({ data: JSON.stringify(call) }).toString(),
}));
const deployment = await deploymentWith(account, posts, now.toISOString());
const bus = { kind: 'event-bridge', name: 'bus', client: new EventBridgeClient() } as const;
const settings = {
  deployment: { ...deployment, bus },
  location: { stack: 'callfeed' },
  token: 'T0KEN',
  clock: () => now,
};
const personal = await serveForThisFile({ ...settings, isPersonal: true });
const hiding = await serveForThisFile({ ...settings, isPersonal: false });
const browser = await starting;
afterAll(() => browser.close());

const open = async (hash: string, { url } = personal, width = 1440): Promise<[page: Page, problems: string[]]> => {
  const context = await browser.newContext({ locale: 'en-GB', viewport: { width, height: 900 } });
  const page = await context.newPage();
  const problems = problemsOf(page);
  await page.clock.setFixedTime(now);
  await page.goto(`${url}${hash}`);
  await page.waitForSelector('main');
  return [page, problems];
};
const idOf = (page: Page) => /#\/call\/(\d+)/.exec(page.url())?.[1];

describe('a supervisor', () => {
  it('goes from who waits to the missed call, and sees since when and how often', async () => {
    const [page, problems] = await open(`#/calls?${day}&state=open`);
    await page.locator('section .item').getByRole('link', { name: '70000000000000001' }).click();
    await page.getByText('Open since 2026-11-13 09:10:00, for 2 h 20 min').waitFor();
    await page.locator('.wait').getByRole('link', { name: '2026-11-13 09:00:00' }).click();

    await page.getByText('Open since 2026-11-13 09:00:00, for 2 h 30 min').waitFor();
    expect(idOf(page)).toBe('70000000000000000');
    expect(problems).toEqual([]);
  });

  it('walks from the floor, without the manual, to who still waits, and to who rang back, in a few clicks', async () => {
    const [page, problems] = await open('');
    const first = countingClicks();
    const ofMissed = page.locator('.tile.whole');
    await first.click(page.getByRole('link', { name: 'Day', exact: true }));
    await first.click(ofMissed.locator('b a'));
    await page.getByText('1 caller behind 2 open calls').waitFor();
    expect(first.clicks()).toBe(2);
    await first.click(page.locator('section .item').getByRole('link', { name: '70000000000000000' }));
    await page.getByText('Open since 2026-11-13 09:00:00').waitFor();
    expect(first.clicks()).toBe(3);

    const second = countingClicks();
    await page.goto(`${personal.url}#/floor`);
    await second.click(page.getByRole('link', { name: 'Day', exact: true }));
    await ofMissed.getByText(/1 called back/).waitFor();
    await second.click(ofMissed.locator('a[href*="state=returned"]'));
    await second.click(page.locator('.calls .item time'));
    await second.click(page.locator('.wait').getByRole('link', { name: '2026-11-13 09:52:00' }));
    await page.locator('.sentence').getByRole('link', { name: 'asha' }).waitFor();
    expect([second.clicks(), idOf(page)]).toEqual([4, '70000000000000003']);
    expect(problems).toEqual([]);
  });

  it('takes the calls of a day to a spreadsheet in two clicks from the floor, with ids and numbers as they are', async () => {
    const [page] = await open('');
    const { click, clicks } = countingClicks();
    await click(page.getByRole('link', { name: 'Calls', exact: true }));
    const downloading = page.waitForEvent('download');
    await click(page.getByRole('link', { name: 'Download all as CSV' }));
    const rows = recordsOf(readFileSync(await (await downloading).path(), 'utf8'));

    expect(clicks()).toBe(2);
    expect(
      rows.map(({ callId, customerNumber, localTime, state }) => [callId, customerNumber, localTime, state]),
    ).toEqual([
      ['70000000000000003', '09840022222', '2026-11-13 09:52:00', ''],
      ['70000000000000002', '9840022222', '2026-11-13 09:40:00', 'returned'],
      // The apostrophe keeps a spreadsheet from reading the + as a formula.
      ['70000000000000001', "'+919840012345", '2026-11-13 09:10:00', 'open'],
      ['70000000000000000', '09840012345', '2026-11-13 09:00:00', 'open'],
    ]);
  });

  it('goes from a returned call to the call that did it, and back', async () => {
    const [page, problems] = await open(`#/calls?${day}&state=returned`);
    await page.locator('.calls .item time').click();
    await page.getByText('Returned 12 min later, in the call 2026-11-13 09:52:00 (asha).').waitFor();
    await page.locator('.wait').getByRole('link', { name: '09:52:00' }).click();
    await page
      .getByText('It ended the wait of the call missed at 2026-11-13 09:40:00, 12 min later: returned.')
      .waitFor();
    await page.locator('.wait').getByRole('link').click();

    await expect.poll(() => idOf(page)).toBe('70000000000000002');
    expect(problems).toEqual([]);
  });

  it('reads numbers as people write them, as sent on hover and among the details, and none where they are hidden', async () => {
    const [page] = await open(`#/calls?${day}&counted=missed`);
    const customers = page.locator('.calls .item [data-label=Customer] a');
    await expect
      .poll(() => customers.allInnerTexts())
      .toEqual(['+91 98400 22222', '+91 98400 12345', '+91 98400 12345']);
    expect(await customers.first().getAttribute('title')).toBe('As it was sent: 9840022222');
    await page.locator('.calls .item time').first().click();
    await page.locator('.sentence').getByText('+91 98400 22222').waitFor();
    await page.locator('.facts').getByText('9840022222', { exact: true }).waitFor();
    // Before the first delivery there was none, and that dash leads nowhere.
    const changed = await page.locator('.changes tr', { hasText: 'customer number' }).locator('td').all();
    const links = await Promise.all(changed.map((cell) => cell.locator('a').count()));
    expect(links).toEqual([0, 1]);
    await page.goto(`${personal.url}#/customer/9840022222`);
    await page.getByRole('heading', { name: 'Calls of +91 98400 22222' }).waitFor();

    for (const hash of [`#/calls?${day}`, '#/call/70000000000000002']) {
      const [hidden] = await open(hash, hiding);
      await hidden.getByText('hidden').first().waitFor();
      expect(await hidden.locator('main').innerText()).not.toMatch(/98400/);
    }
  });

  it('opens an agent, a skill and a campaign from a list and from a call', async () => {
    const [page] = await open(`#/calls?${day}`);
    const row = page.locator('.calls .item', { hasText: '09:52:00' });
    await row.getByRole('link', { name: 'asha' }).click();
    await expect.poll(() => page.url()).toContain(`#/agent/asha?${day}`);
    await page.getByText('were never polled').waitFor();
    await page.locator('.facts').getByText('Handled').waitFor();
    await page.goBack();
    await row.getByRole('link', { name: 'Callbacks' }).click();
    await expect.poll(() => page.url()).toContain(`#/calls?${day}&campaign=Callbacks`);
    await expect.poll(() => page.locator('.calls .item').count()).toBe(1);
    await page.locator('.calls .item time').click();
    await page.locator('.sentence').getByRole('link', { name: 'Sales' }).click();
    await expect.poll(() => page.url()).toContain(`#/calls?${day}&skill=Sales`);
  });

  it.each([
    [passedOn, '.facts', 'asha', `#/agent/asha?${dayBefore}`],
    [passedOn, '.facts', 'Billing', `#/calls?${dayBefore}&skill=Billing`],
    [passedOn, '.facts', 'Renewals', `#/calls?${dayBefore}&campaign=Renewals`],
    [passedOn, '.lanes', 'devi', `#/agent/devi?${dayBefore}`],
    [passedOn, '.lanes', 'asha', `#/agent/asha?${dayBefore}`],
    // It is listed by its end, and was received on the next day.
    [withoutStart, '.facts', 'Billing', `#/calls?${dayBefore}&skill=Billing`],
    [withoutStart, '.sentence', 'devi', `#/agent/devi?${dayBefore}`],
  ])('goes from call %s, by what stands in its %s, to %s on the day of the call', async (id, place, name, address) => {
    const [page, problems] = await open(`#/call/${id}`);
    await page.locator(place).getByRole('link', { name, exact: true }).click();
    await expect.poll(() => page.url()).toContain(address);

    // The call stands where the link leads to.
    await page.locator(`main a[href*="/call/${id}"]`).first().waitFor();
    expect(problems).toEqual([]);
  });

  it('is led from a misspelt name to the one that exists, and clears all filters with one click', async () => {
    const [page] = await open(`#/calls?${day}&skill=sales&type=inbound`);
    await page.getByText('There are calls of skill').getByRole('link', { name: 'Sales' }).click();
    await expect.poll(() => page.locator('.calls .item').count()).toBe(3);
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await expect.poll(() => page.locator('.calls .item').count()).toBe(4);
    expect(page.url()).toMatch(new RegExp(`#/calls\\?${day}$`));
    await page.getByText('spreadsheets round long ones').waitFor();
  });

  it('is led from a misspelt agent to the one whom the caller spoke with', async () => {
    const [page] = await open(`#/calls?${day}&customer=9840022222&agent=Asha`);
    await page.getByText('There are calls of agent').getByRole('link', { name: 'asha' }).click();
    await expect.poll(() => page.locator('.calls .item').count()).toBe(1);
    expect(page.url()).toContain('customer=9840022222&agent=asha');
  });

  it.each([390, 1440])('has pages that fit into %d px', async (width) => {
    for (const hash of [
      `#/calls?${day}`,
      '#/call/70000000000000001',
      '#/call/70000000000000003',
      `#/agent/asha?${day}`,
    ]) {
      const [page] = await open(hash, personal, width);
      await page.locator('.wait, .calls .item').first().waitFor();
      expect(await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
    }
  });
});
