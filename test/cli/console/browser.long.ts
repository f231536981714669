import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { BrowserContext, Page, Request } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { connect } from '../../../cli/frame/connect.ts';
import { addDays } from '../../../lib/core/time.ts';
import { startAgentsSandbox } from '../../support/polled-centre.ts';
import { demoCall, logIn, logOut, postCall, setState } from '../../support/sandbox.ts';
import { inBash } from '../support/cli-run.ts';
import { forThisFile, serveForThisFile } from '../support/local-deployment.ts';
import { problemsOf, startBrowser } from './browser.ts';

const soon = { timeout: 45_000 };
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const markup = '<script>document.title="owned"</script><img src=x onerror="document.title=\'owned\'"><b>bold</b>';
const personal = /SENTINEL|98765/;
const call = '20000000000000001';
const day = 'day=2026-11-21';
/** Only these calls are of this day: what became of its missed ones. */
const missedDay = 'day=2026-11-13';
const callsOfMissedDay = [
  ['09:00:00', 'NotAnswered', '09840012345'],
  ['09:10:00', 'NotAnswered', '+919840012345'],
  ['09:20:00', 'NotAnswered', '9840022222'],
  ['09:30:00', 'Answered', '00919840022222'],
  ['09:40:00', 'NotAnswered', '9840033333'],
  ['09:41:00', 'Answered', '09840033333', 'Manual'],
  ['09:50:00', 'NotAnswered', 'anonymous'],
].map(([time, Status = '', CallerID = '', Type = 'Inbound'], index) =>
  demoCall(`7000000000000000${index}`, {
    StartTime: `2026-11-13 ${time}`,
    EndTime: `2026-11-13 ${time}`,
    Status,
    CallerID,
    Type,
  }),
);

/** Every view, and what shows that it has its data. */
const views: readonly (readonly [hash: string, filled: string])[] = [
  ['#/floor', '.agents .item'],
  [`#/calls?${day}`, '.calls .item'],
  [`#/calls?${missedDay}&state=open`, 'section .item'],
  [`#/call/${call}`, '.deliveries li'],
  [`#/agent/zoe?${day}`, '.totals tr'],
  [`#/day?${day}`, '.groups tbody tr'],
  ['#/events', '.event'],
  ['#/health', '.card + .card'],
  ['#/day?from=2026-11-20&to=2026-11-21', '.groups tbody tr'],
];

const starting = startBrowser();
const sandbox = await forThisFile(startAgentsSandbox());
const location = { stack: '', endpoint: sandbox.addresses.gateway };
const shown = await serveForThisFile({
  deployment: await connect(location),
  location,
  isPersonal: true,
  clock: () => new Date(),
  token: 'T0KEN',
});
const browser = await starting;
afterAll(() => browser.close());
const contexts = new Set<BrowserContext>();

beforeAll(async () => {
  await post(call, { AgentName: 'SENTINEL Rao', AudioFile: 'https://recordings.example.com/SENTINEL.mp3' });
  await postAll(callsOfMissedDay);
  const zoe = { ...logIn('zoe', 'PAUSE'), name: 'SENTINEL Zoe', phoneNumber: '09876512345', skills: ['Sales'] };
  await sandbox.script(zoe, { ...logIn('ines'), skills: ['Sales', 'Support'] });
});
/** Every test begins with a fresh picture. */
beforeEach(async () => {
  await sandbox.poll();
});
/** A page that stays open reads on, and takes time from the next test. */
afterEach(async () => {
  // A question that a test holds back may still be on its way; its answer is no longer wanted.
  for (const page of [...contexts].flatMap((context) => context.pages())) {
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  }
  for (const context of contexts) await context.close();
  contexts.clear();
});

/** Opens a view of the sandbox's own console, or of the one that shows personal fields. */
const open = async (
  hash: string,
  { url = `${sandbox.addresses.gateway}/`, colorScheme = 'light' as 'light' | 'dark', width = 1280, height = 720 } = {},
) => {
  const context = await browser.newContext({ locale: 'en-GB', colorScheme, viewport: { width, height } });
  contexts.add(context);
  context.setDefaultTimeout(soon.timeout);
  const page = await context.newPage();
  const problems = problemsOf(page);
  await page.goto(`${url}${hash}`);
  await page.waitForSelector('main');
  return { page, problems };
};
const rowOf = (page: Page, agentId: string) => page.locator('.agents .item', { hasText: agentId });
/** Posts calls until all are in the table: on a busy machine some are parked first, and posted again, they are stored at once. */
const postAll = (calls: readonly unknown[]) =>
  vi.waitFor(async () => {
    const [, reply] = await postCall(sandbox.addresses.callbacks, calls);
    const { stored, duplicates } = Object(reply);
    expect(stored + duplicates).toBe(calls.length);
  }, soon);
const post = (id: string, changes: Readonly<Record<string, string>> = {}) => postAll([demoCall(id, changes)]);
/** A page that becomes visible again reads at once; the tests need not wait for its interval. */
const refresh = (page: Page) => page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
const go = async (page: Page, [hash, filled]: readonly [string, string]) => {
  await page.evaluate(`location.hash = ${JSON.stringify(hash)}`);
  await page.waitForSelector(filled);
};

describe('the page', () => {
  it('shows an agent who logs in, changes and leaves, and the floor as it was', async () => {
    const { page, problems } = await open('#/floor');
    await sandbox.script(logIn('asha'));
    const then = await sandbox.poll();
    await refresh(page);
    await rowOf(page, 'asha').getByText('ready').waitFor();

    await sandbox.script(setState('asha', 'ACW'));
    await sandbox.poll();
    await refresh(page);
    await rowOf(page, 'asha').getByText('after-call work').waitFor();
    await page.getByRole('button', { name: /after-call work/ }).click();
    await expect.poll(() => page.locator('.agents .item').count(), soon).toBe(1);
    await page.getByRole('button', { name: /logged in/ }).click();

    await sandbox.script(logOut('asha'));
    await sandbox.poll();
    await refresh(page);
    await rowOf(page, 'asha').waitFor({ state: 'detached' });

    await go(page, [`#/floor?at=${then}`, '.past']);
    await rowOf(page, 'asha').getByText('ready').waitFor();
    await page.getByText(/As it was on .* at \d\d:\d\d:\d\d/).waitFor();
    await page.getByRole('link', { name: 'Day' }).click();
    await expect.poll(() => page.locator('input[type=date]').inputValue(), soon).toBe('2026-11-21');
    await page.getByRole('link', { name: 'Health' }).click();
    await page.getByText('This view has no past').waitFor();
    await page.getByRole('link', { name: 'Floor' }).click();
    await rowOf(page, 'asha').getByText('ready').waitFor();
    await page.getByRole('button', { name: 'Back to now' }).click();
    await rowOf(page, 'asha').waitFor({ state: 'detached' });
    expect(problems).toEqual([]);
  });

  it('shows at the cursor the figures of the bar that is drawn there', async () => {
    // No other test has a call of this day, which would move the end of the chart.
    const starts = ['2026-11-15 10:00:00', '2026-11-15 10:16:00', '2026-11-15 10:17:00'];
    await postAll(starts.map((at, index) => demoCall(`4000000000000000${index}`, { StartTime: at, EndTime: at })));
    const { page } = await open('#/day?day=2026-11-15');
    const place = page.locator('.chart .plot');
    const { width = 0 } = (await place.boundingBox()) ?? {};
    // The chart begins three hours before its last bar.
    const legendAt = async (time: string) => {
      const [from, at, to] = ['07:15', time, '10:30'].map((one) => Date.parse(`2026-11-15T${one}:00Z`));
      await place.hover({
        position: { x: ((Number(at) - Number(from)) / (Number(to) - Number(from))) * width, y: 50 },
      });
      return page.locator('.chart dd').allInnerTexts();
    };
    await expect.poll(() => legendAt('10:12'), soon).toEqual(['10:00:00', '0', '0', '1']);
    await expect.poll(() => legendAt('10:28'), soon).toEqual(['10:15:00', '0', '0', '2']);
  });

  it('says how many missed calls are still open, what became of each, and who waits', async () => {
    const { page, problems } = await open(`#/day?${missedDay}`);
    const tile = page.locator('.tile', { hasText: 'still open' });
    await tile
      .getByText('still open, of 5 missed; 1 called back, half of them within 1 min; 1 rang again; 1 without a number')
      .waitFor();
    expect(await tile.getByRole('link').allInnerTexts()).toEqual(['2', '5', '1', '1', '1']);

    await go(page, [`#/calls?${missedDay}&counted=missed`, '.calls .item']);
    await page.getByText(/, what became of these as of \d{4}-\d\d-\d\d \d\d:\d\d:\d\d/).waitFor();
    for (const became of ['open', 'rang again after 10 min', 'returned after 1 min', 'without a number'])
      await page.locator('[data-label=Status]').getByText(`missed, ${became}`).first().waitFor();
    await go(page, [`#/calls?${missedDay}&state=open`, 'section .item']);
    await page.getByText('1 caller behind 2 open calls').waitFor();
    expect(await page.locator('section .item').first().innerText()).toMatch(
      /2\s+\S+\s+2026-11-13 09:00:00\s+2026-11-13 09:10:00/,
    );
    expect(problems).toEqual([]);
  });

  it('loads in a browser without a language', async () => {
    const { page, problems } = await open('#/nowhere');
    const language = "{ value: 'en-US@posix', configurable: true }";
    await page.addInitScript(`Object.defineProperty(navigator, 'language', ${language})`);
    await page.reload();
    await go(page, ['#/floor', '.agents .item']);
    expect(problems).toEqual([]);
  });

  it('stays where it is at Esc on the first page, and says that a day is shown whole', async () => {
    const { page } = await open('#/day?at=2026-11-20T20:12:00Z');
    await page.getByText('All of 2026-11-21: this view shows whole days').waitFor();
    await expect.poll(() => page.getByLabel('Day', { exact: true }).inputValue(), soon).toBe('2026-11-21');
    await page.keyboard.press('Escape');
    await go(page, ['#/health', '.card + .card']);
    await page.keyboard.press('Escape');
    await page.getByText('All of 2026-11-21').waitFor();
  });

  it('goes to the day before and after, and to no day that has not begun', async () => {
    const { page } = await open('#/calls?day=yesterday');
    const field = page.getByLabel('Day', { exact: true });
    const after = page.getByLabel('The day after');
    await expect.poll(() => field.inputValue(), soon).toMatch(/^\d{4}-/);
    const yesterday = await field.inputValue();
    await after.click();
    await expect.poll(() => field.inputValue(), soon).toBe(addDays(yesterday, 1));
    await expect.poll(() => after.isDisabled(), soon).toBe(true);
    await page.getByLabel('The day before').click();
    await expect.poll(() => page.url(), soon).toContain(`day=${yesterday}`);
  });

  it('shows who is ready by skill, what an agent does now, which revision a delivery made, and the same list as a command', async () => {
    const { page } = await open('#/floor');
    await page.getByText('By skill').click();
    const rows = page.locator('details tbody tr');
    await expect
      .poll(() => rows.allInnerTexts(), soon)
      .toContainEqual(expect.stringMatching(/^Support\s+1\s+0\s+0\s+0\s+0$/));

    await page.getByLabel('Skill').selectOption('Support');
    await expect.poll(() => page.locator('.tile').first().innerText(), soon).toMatch(/^1\s+logged in/);
    await page.getByText('All agents, whatever the filters, by state').waitFor();
    await go(page, ['#/floor?at=2026-11-01T00:00:00Z', 'text=The moment that you look at is before them.']);

    await page.evaluate("location.hash = '#/agent/ines'");
    await page.getByText(/^\S? ?Now: ready since \d\d:.*, for \d+\s(?:s|min).*\. Skills: .*Support/).waitFor();

    const id = '20000000000000077';
    await post(id, { StartTime: '2026-11-17 11:00:00' });
    await post(id, { StartTime: '2026-11-17 11:00:00', Disposition: 'Sale' });
    await page.evaluate(`location.hash = '#/call/${id}'`);
    await page.getByText(/posted by the service: revision 2$/).waitFor();

    await page.evaluate('location.hash = "#/calls?day=2026-11-17&status=missed&campaign=missed&skill=Men\'s wear"');
    const { gateway } = sandbox.addresses;
    const filters = `--missed --skill 'Men'\\''s wear' --campaign missed --endpoint ${gateway}`;
    await page.getByText(`npx callfeed calls --day 2026-11-17 --account demo ${filters}`).waitFor();

    const moment = '$(echo x) 2026-11-26 10:00';
    const skill = '  $(echo x)\n"`!!\'\u00A0';
    const link = new URLSearchParams({ at: moment, day: '2026-11-17', skill }).toString();
    await page.evaluate(`location.hash = ${JSON.stringify(`#/calls?${link}`)}`);
    await page.getByText('No call of this day fits the filters').waitFor();
    const words = 'npx callfeed calls --day 2026-11-17 --account demo --skill'.split(' ');
    const commands = async () => inBash([await page.locator('code.command').innerText()]);
    await expect.poll(commands, soon).toEqual([[...words, skill.trim(), '--endpoint', gateway]]);
  });

  it.each([
    ['zoe', 'zoe SENTINEL Zoe'],
    // Who has logged out has a name in calls.
    ['asha', 'asha SENTINEL Rao'],
  ])('names %s on the page of the agent where personal data are shown', async (agentId, heading) => {
    const { page } = await open(`#/agent/${agentId}?${day}`, { url: shown.url });
    await page.getByRole('heading', { name: heading }).waitFor();
  });

  it('shows a period by day, and opens each of its days', async () => {
    const calls: readonly Readonly<Record<string, string>>[] = [
      { StartTime: '2026-11-02 00:00:00', EndTime: '2026-11-02 00:01:00' },
      { StartTime: '2026-11-02 23:59:59' },
      { StartTime: '2026-11-04 10:00:00', Status: 'NotAnswered' },
    ];
    await postAll(calls.map((fields, index) => demoCall(`6000000000000000${index}`, fields)));
    const { page, problems } = await open('#/day?from=2026-11-02&to=2026-11-04');
    const rows = page.locator('.groups tbody tr');
    const counts = /^(\S+ \w{3})\s+(\d+)\s+(\d+)\s/;
    const countsOf = async () => (await rows.allInnerTexts()).map((row) => counts.exec(row)?.slice(1).join(' '));
    const whole = ['2026-11-02 Mon 2 2', '2026-11-03 Tue 0 0', '2026-11-04 Wed 1 1'];
    await expect.poll(countsOf, soon).toEqual(whole);
    expect(await page.locator('.tile').first().innerText()).toMatch(/^3\s+Offered/);
    await page.getByText('A week before, from 2026-10-26 to 2026-10-28, no call is stored').waitFor();
    await page.getByText('Calls per day').waitFor();
    const chart = page.locator('.chart .plot');
    const { width = 0 } = (await chart.boundingBox()) ?? {};
    await chart.hover({ position: { x: width * 0.9, y: 50 } });
    await expect.poll(() => page.locator('.chart dd').allInnerTexts(), soon).toEqual(['2026-11-04', '0', '1', '0']);

    await page.locator('.tile a').first().click();
    await page.getByText('from 2026-11-02 00:00:00 to 2026-11-04 23:59:59').waitFor();
    const times = ['2026-11-04 10:00:00', '2026-11-02 23:59:59', '2026-11-02 00:00:00'];
    await expect.poll(() => page.locator('.calls tbody time').allInnerTexts(), soon).toEqual(times);
    await page.getByLabel('agent id').fill('nobody');
    await page.keyboard.press('Enter');
    await page.getByText('No call of these days fits the filters.').waitFor();
    await page.getByRole('button', { name: 'Only 2026-11-04' }).click();
    await expect.poll(() => page.url(), soon).toMatch(/\?counted=offered&agent=nobody&day=2026-11-04$/);

    await go(page, ['#/day?from=2026-11-02&to=2026-11-04', '.groups tbody tr']);
    await page.getByRole('link', { name: '2026-11-02 Mon' }).click();
    await page.getByText('Calls per quarter of an hour').waitFor();
    expect(page.url()).toMatch(/#\/day\?day=2026-11-02$/);
    const choice = page.getByLabel('Day or period');
    expect(await choice.inputValue()).toBe('Day');
    await page.goBack();
    await expect.poll(countsOf, soon).toEqual(whole);

    await page.locator('#by').selectOption('hour');
    await rows.getByText('10:00').first().waitFor();
    await page.getByLabel('To', { exact: true }).fill('2026-11-03');
    await page.getByLabel('To', { exact: true }).press('Enter');
    await expect.poll(() => page.url(), soon).toMatch(/from=2026-11-02&to=2026-11-03/);
    await choice.selectOption('Last month');
    await expect.poll(() => page.url(), soon).toMatch(/from=(\d{4}-\d\d)-01&to=\1-(?:28|29|30|31)/);
    await choice.selectOption('Day');
    await expect.poll(() => page.url(), soon).toMatch(/day=\d{4}-\d\d-\d\d/);
    expect(page.url()).not.toMatch(/from|to=/);
    expect(problems).toEqual([]);
  });

  it('sorts the calls of a day, and downloads all of them', async () => {
    const calls: readonly Readonly<Record<string, string>>[] = [
      { StartTime: '2026-11-14 10:00:00', CallDuration: '00:09:00', Skill: 'Sales', TimeToAnswer: '00:00:08' },
      { StartTime: '2026-11-14 10:01:00', CallDuration: '00:01:00' },
      { StartTime: '2026-11-14 10:02:00', CallDuration: '00:02:00', Skill: 'Support' },
    ];
    await postAll(calls.map((fields, index) => demoCall(`5000000000000000${index}`, { Skill: '', ...fields })));
    await postAll([demoCall('50000000000000009', { StartTime: '2026-11-07 10:00:00', TimeToAnswer: '00:00:05' })]);
    const { page } = await open('#/calls?day=2026-11-14');
    const times = page.locator('.calls tbody time');
    const minutes = async () => (await times.allInnerTexts()).map((time) => time.slice(3, 5)).join(' ');
    const orders = { '': '02 01 00', longest: '00 02 01', oldest: '00 01 02', skill: '00 02 01' };
    for (const [order, expected] of Object.entries(orders)) {
      await page.getByLabel('Sort').selectOption(order);
      await expect.poll(minutes, soon).toBe(expected);
    }
    const skills = page.locator('datalist#skill-words option');
    const words = await skills.evaluateAll((options) => options.map((option) => option.getAttribute('value')));
    expect(words).toEqual(['Sales', 'Support']);

    const downloading = page.waitForEvent('download');
    await page.getByText('Download all as CSV').click();
    const download = await downloading;
    expect(download.suggestedFilename()).toBe('callfeed-calls-2026-11-14.csv');
    const file = readFileSync(await download.path(), 'utf8');
    expect(file.match(/^5000000000000000\d,|,5000000000000000\d,/gm)).toHaveLength(3);

    // Nobody knows whether it was answered.
    await postAll([demoCall('50000000000000008', { StartTime: '2026-11-14 10:03:00', Skill: 'Sales', Status: '' })]);
    await go(page, ['#/day?day=2026-11-14&by=skill', '.groups tbody tr']);
    const sales = page.locator('.groups tbody tr', { hasText: 'Sales' });
    expect(await sales.innerText()).toMatch(/\b1 \(100\s%\).*\b(\d+:\d\d) \/ \1/s);
    const tile = async (title: string) =>
      (await page.locator('.tile', { hasText: title }).innerText()).replaceAll('\u00a0', ' ');
    expect(await tile('Time to answer')).toMatch(/^8 s.*; median 8 s/s);
    expect(await tile('Service level')).toMatch(/^100 %.*within 20 s.*a week before: 100 %$/s);
    await page.getByLabel('answered within').fill('7');
    await page.keyboard.press('Enter');
    await expect.poll(() => tile('Service level'), soon).toMatch(/^0 %.*within 7 s.*a week before: 100 %$/s);
  });

  it('finds a caller from anywhere, and from a number', async () => {
    await post('20000000000000091', { CallerID: '+919000012345', StartTime: '2026-11-16 11:00:00' });
    await post('20000000000000092', { CallerID: '09000012345', StartTime: '2026-11-18 11:00:00' });
    const { page } = await open('#/health', { url: shown.url });
    await page.getByLabel('Find a caller by number').fill('90000 12345');
    await page.keyboard.press('Enter');
    const numbers = page.locator('.calls .item td:nth-child(3)');
    await expect.poll(() => numbers.allInnerTexts(), soon).toEqual(['09000012345', '+919000012345']);
    expect(await page.locator('.calls time').first().innerText()).toBe('2026-11-18 11:00:00');

    await page.locator('.calls .item a').first().click();
    await page.getByRole('link', { name: '09000012345' }).click();
    await expect.poll(() => numbers.allInnerTexts(), soon).toEqual(['09000012345', '+919000012345']);
    const { page: hiddenPage } = await open('#/calls?day=2026-11-18');
    await hiddenPage.waitForSelector('.calls .item');
    expect(await hiddenPage.getByLabel('Find a caller by number').count()).toBe(0);
  });

  it('says what is not counted or not over yet', async () => {
    const { page } = await open('#/nowhere');
    const now = new Date().toISOString();
    await answering(page, 'health', () => ({
      now,
      asOf: now,
      freshness: 'stale',
      changes: [],
      feed: { asOf: now, agentCount: 1, unreadableRecords: 0 },
    }));
    const since = '2026-11-21T06:00:00.000Z';
    const waits = ['Some wait.', ['The latest came at', since]];
    await answering(page, 'operations', () => operationsWith({ title: 'Parked', verdict: 'bad', lines: waits }));
    await go(page, ['#/health', ':text-is("No interruption in the last day before this one.")']);
    const parked = page.locator('.card', { hasText: 'Parked' });
    expect(await parked.innerText()).toMatch(/! Parked\s+Some wait\.\s+The latest came at 2026-11-21 11:30:00\./);
    await go(page, ['#/floor', 'details summary']);
    await page.getByText('How many calls wait for a skill is not known').waitFor({ state: 'attached' });
  });

  it('has nothing green where the bar says stale, and where nothing newer could be read', async () => {
    const { page } = await open('#/nowhere');
    const now = new Date().toISOString();
    const asOf = new Date(Date.now() - 40_000).toISOString();
    const feed = { asOf, agentCount: 1, unreadableRecords: 0 };
    // Live when it was answered, and old by now.
    for (const name of ['feed', 'health'])
      await answering(page, name, () => ({ now, asOf, freshness: 'live', changes: [], feed }));
    const parked = operationsWith({ title: 'Parked', verdict: 'good', lines: ['No call waits.'] });
    await answering(page, 'operations', (number) => (number === 0 ? parked : 502));
    await go(page, ['#/health', '.age.stale']);
    await page.getByText('No newer poll has succeeded; the latest picture is').waitFor();
    expect(await page.locator('.card.good').allInnerTexts()).toEqual([expect.stringContaining('Parked')]);

    await refresh(page);
    await page.getByText('Quarantine and queues could not be read since').waitFor();
    expect(await page.locator('.card.good').count()).toBe(0);
  });

  it('says of an agent with calls and without states that nobody was polled then, and of nobody that the id may be wrong', async () => {
    const { page } = await open(`#/agent/asha?${missedDay}`);
    await page.getByText('No states are stored for this day, though calls name the agent').waitFor();
    await go(page, [`#/agent/nobody?${missedDay}`, 'text=Is the id spelt as on the floor?']);
  });

  it('prints the command of a list by its address before it was read, and where it cannot be read', async () => {
    const { page } = await open('#/nowhere');
    const commands = () => page.locator('code.command').allInnerTexts();
    const where = `--account demo --endpoint ${sandbox.addresses.gateway}`;
    let isDown = false;
    await page.route(/\/api\/calls\?/, (route) => (isDown ? route.fulfill({ status: 502, body: '' }) : undefined));
    await go(page, ['#/calls?from=2026-11-21T00:00:00+05:30&to=2026-11-21T11:30:00+05:30', 'code.command']);
    const range = '--from 2026-11-20T18:30:00.000Z --to 2026-11-21T06:00:00.000Z';
    expect(await commands()).toEqual([`npx callfeed calls ${range} ${where}`]);
    isDown = true;
    await go(page, ['#/calls?day=2026-11-19', 'text=The list of calls could not be read since']);
    expect(await commands()).toEqual([`npx callfeed calls --day 2026-11-19 ${where}`]);
    await page.unroute(/\/api\/calls\?/);
    await go(page, ['#/calls?day=2026-02-30', 'text=Wrong: day (a day such as 2026-11-20, today or yesterday).']);
    expect(await commands()).toEqual([]);
  });

  it('copies a command that finds the same sandbox', async () => {
    const { page } = await open('#/nowhere');
    const { gateway } = sandbox.addresses;
    const entry = { message: '', count: 1, isHarmless: false, redrivable: 0, newest: [] };
    const reasons = [
      { ...entry, reason: 'broken-json', newest: [{ id: 'q1', receivedAt: '2026-11-20T06:00:00.000Z' }] },
      { ...entry, reason: 'too-deep', count: 2, redrivable: 1 },
      { ...entry, reason: 'not-a-call-summary', isHarmless: true, count: 260 },
    ];
    const command = ['dead-letters', 'redrive', 'parked'];
    await answering(page, 'operations', () =>
      operationsWith(
        { title: 'Quarantine', verdict: 'bad', lines: [], reasons },
        { title: 'Parked', verdict: 'bad', lines: ['Move them back:'], command },
      ),
    );
    await go(page, ['#/health', '.copy']);
    const card = await page.locator('.card', { hasText: 'Quarantine' }).innerText();
    expect(card).toMatch(/broken-json.* the secret address.*260 × not-a-call-summary: .* nothing has to be done\.$/s);
    expect(await page.locator('.copy pre').allInnerTexts()).toEqual([
      `npx callfeed quarantine dismiss --all --reason broken-json --because '…' --endpoint ${gateway}`,
      `npx callfeed quarantine redrive --all --reason too-deep --endpoint ${gateway}`,
      `npx callfeed quarantine dismiss --all --reason too-deep --because '…' --endpoint ${gateway}`,
      `npx callfeed dead-letters redrive parked --endpoint ${gateway}`,
    ]);
  });

  it('shows a banner once the feed has failed for 30 seconds', async () => {
    const { page } = await open(`#/calls?${day}`);
    await page.getByText(/Agents as of/).waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);

    await sandbox.setFault('provider', 'error');
    await sandbox.poll();
    await sandbox.poll();
    await sandbox.poll(5);
    await refresh(page);
    const time = String.raw`\d\d:\d\d:\d\d`;
    const stale = `^Stale: agents as of ${time}, 3\\d\\ss ago\\. Since ${time} the telephony service .* \\(http-error\\)`;
    await expect.poll(() => page.getByRole('alert').allInnerTexts(), soon).toEqual([expect.stringMatching(stale)]);
    await sandbox.setFault('provider', 'none');
    await sandbox.poll(60);
    await refresh(page);
    await expect.poll(() => page.getByRole('alert').count(), soon).toBe(0);
  });

  it('shows a new call once it is asked for, and what its late disposition changed', async () => {
    const id = '20000000000000005';
    const { page } = await open(`#/calls?${day}`);
    await page.waitForSelector('.calls .item');
    await post(id, { StartTime: '2026-11-21 11:00:00', EndTime: '2026-11-21 11:02:00' });
    await refresh(page);
    await page.getByRole('button', { name: '1 new' }).click();
    await page.locator(`.calls a[href*="${id}"]`).click();
    await page.getByText(/^Inbound on 2026-11-21 at 11:00:00, answered by asha, 2\smin\.$/).waitFor();

    await post(id, { StartTime: '2026-11-21 11:00:00', EndTime: '2026-11-21 11:02:00', Disposition: 'Sale' });
    await refresh(page);
    const changes = page.locator('.deliveries > li').nth(1).locator('tbody tr');
    const changed = [expect.stringMatching(/^dispositions\s+–\s+Sale$/)];
    await expect.poll(() => changes.allInnerTexts(), soon).toEqual(changed);
    await page.getByText(/disposition Sale\.$/).waitFor();
  });

  it('leaves no call out where more came than an answer has', async () => {
    const postMany = (minute: number, count: number) =>
      postAll(
        Array.from({ length: count }, (_, index) => {
          const at = `2026-11-20 10:${minute}:${String(index % 60).padStart(2, '0')}`;
          return demoCall(`3000000000000${minute}${String(index).padStart(3, '0')}`, { StartTime: at, EndTime: at });
        }),
      );
    await postMany(10, 20);
    const { page } = await open('#/calls?day=2026-11-20');
    const rows = page.locator('.calls .item');
    await rows.nth(19).waitFor();
    await postMany(11, 130);
    await refresh(page);
    await page.getByRole('button', { name: 'more than 100 new' }).click();
    await page.getByRole('button', { name: 'Older calls' }).click();
    await expect.poll(() => rows.count(), soon).toBe(150);
  });

  /** Answers a question of the page by its number, from 0 on, in place of the console. */
  const answering = (page: Page, name: string, answer: (number: number, url: string) => unknown) => {
    let number = 0;
    return page.route(new RegExp(`/api/${name}(?:\\?|$)`), async (route) => {
      const body = await answer(number++, route.request().url());
      // A question that the page has dropped meanwhile takes no answer.
      await route
        .fulfill(typeof body === 'number' ? { status: body, body: '' } : { json: body })
        .catch(() => undefined);
    });
  };
  /** Has the page know other accounts. */
  const knowing = (page: Page, change: (accounts: readonly object[]) => readonly object[]) =>
    page.route(/\/api\/about/, async (route) => {
      const about = await (await route.fetch()).json();
      await route.fulfill({ json: { ...about, accounts: change(about.accounts) } });
    });
  /** What operators look after, besides a card that nobody could read. */
  const operationsWith = (...cards: readonly object[]) => ({
    now: new Date().toISOString(),
    cards: [...cards, { title: 'Dead letters', verdict: 'unknown', lines: ['not read'] }],
  });
  const listed = (callId: string, listedAt: string) => ({ callId, listedAt, account: 'demo', revision: 1 });
  const answered = (calls: readonly object[], more: object = {}) => {
    const start = '2026-11-20T18:30:00.000Z';
    const end = '2026-11-21T18:30:00.000Z';
    const days = { from: '2026-11-21', to: '2026-11-21' };
    return { ...days, days, start, end, calls, missedReading: {}, bars: [], quarters: [], ...more };
  };
  const rowsOf = (page: Page) =>
    page.locator('.calls .item a').evaluateAll((links) => links.map((link) => String(link).split('/').at(-1)));

  it('keeps new, older and late calls, and begins anew at midnight', async () => {
    const { page } = await open('#/nowhere');
    const older = Promise.withResolvers<object>();
    const [a, b, c] = [8, 7, 9].map((hour) => listed(`c${hour}`, `2026-11-21T0${hour}:00:00.000Z`));
    const answers = [[a], [c, a], [c, { ...a, skillName: 'Late' }], [c, a, b]].map((calls, index) =>
      answered(calls as object[], { next: index === 0 ? 'x' : 'y' }),
    );
    let current = 0;
    await answering(page, 'calls', (_, url) => (url.includes('cursor=') ? older.promise : answers[current]));
    const next = async (number: number) => {
      current = number;
      await refresh(page);
    };
    await go(page, ['#/calls', '.calls .item']);
    expect(await page.locator('.calls .item td').allInnerTexts()).toMatchObject({ 6: '…', 7: '–', 8: '…', 10: '…' });
    await page.getByRole('button', { name: 'Older calls' }).click();
    await next(1);
    await page.getByRole('button', { name: '1 new' }).click();
    // They are behind the list of before.
    const came = page.waitForResponse(/cursor=x/);
    older.resolve(answered([listed('c6', '2026-11-21T06:00:00.000Z')]));
    await came;
    await page.evaluate("fetch('console/api/feed')");
    await expect.poll(() => rowsOf(page), soon).toEqual(['c9', 'c8']);
    await page.getByRole('button', { name: 'Older calls' }).click();
    await expect.poll(() => rowsOf(page), soon).toEqual(['c9', 'c8', 'c6']);
    await next(2);
    await page.locator('.calls .item', { hasText: 'Late' }).waitFor();

    // Of a list that is shown to its end, a call that began before all others is new too.
    answers.push(answered([c, a, listed('c5', '2026-11-21T05:00:00.000Z')] as object[]));
    await next(4);
    await page.getByRole('button', { name: '1 new' }).click();
    await expect.poll(() => rowsOf(page), soon).toEqual(['c9', 'c8', 'c5']);
    // One that does not fit any more goes at once.
    answers.push(answered([c] as object[], { next: 'y', reachesTo: '2026-11-21T06:00:00.000Z' }));
    await next(5);
    await expect.poll(() => rowsOf(page), soon).toEqual(['c9', 'c5']);

    const days = { from: '2026-11-22', to: '2026-11-22' };
    answers.push(answered([listed('d1', '2026-11-21T18:40:00.000Z')], { days }));
    await next(6);
    await expect.poll(() => rowsOf(page), soon).toEqual(['d1']);
  });

  it('searches further and further back for what fits, though the newest calls are read again meanwhile', async () => {
    const { page } = await open('#/nowhere');
    const first = listed('c9', '2026-11-21T09:00:00.000Z');
    const last = listed('c1', '2026-11-21T01:00:00.000Z');
    let newest = answered([]);
    const behind = new Map([
      ['p2', answered([], { next: 'p3' })],
      ['p3', answered([last])],
    ]);
    await answering(page, 'calls', (_, url) => behind.get(new URL(url).searchParams.get('cursor') ?? '') ?? newest);
    await go(page, [`#/calls?${day}&agent=asha`, 'text=No call of this day fits the filters.']);
    for (const [found, button, cursor] of [
      [[], 'Search further back', 'p2'],
      [[first], 'Older calls', 'p3'],
    ] as const) {
      newest = answered(found, { next: 'p2' });
      await refresh(page);
      const came = page.waitForResponse(new RegExp(`cursor=${cursor}`));
      await page.getByRole('button', { name: button }).click();
      await came;
      await page.evaluate("fetch('console/api/feed')");
      await Promise.all([page.waitForResponse(/api\/calls\?(?!.*cursor)/), refresh(page)]);
    }
    await expect.poll(() => rowsOf(page), soon).toEqual(['c9', 'c1']);
  });

  it('has the number of an agent’s calls, though not all of them are shown, and keeps what is typed meanwhile', async () => {
    const { page } = await open('#/nowhere');
    const one = answered([listed('c1', '2026-11-21T05:00:00.000Z')], { next: 'x' });
    await answering(page, 'calls', (_, url) => (url.includes('Sales') ? new Promise(() => undefined) : one));
    await answering(page, 'quarters', (_, url) => answered([], { count: url.includes('agent=asha') ? 101 : 9 }));
    await go(page, [`#/calls?${day}&agent=asha`, '.calls .item']);
    await page.getByRole('status').getByText('The newest 1 of 101 calls, 0 missed').waitFor();
    await page.getByLabel('skill').pressSequentially('Sal');
    await Promise.all([page.waitForResponse(/calls/), refresh(page)]);
    await page.getByLabel('skill').pressSequentially('es\n');
    await expect.poll(() => page.url(), soon).toContain('skill=Sales');
    // No answer has come to that.
    await expect.poll(() => rowsOf(page), soon).toEqual([]);
  });

  it('says what a large period would read, and what answers instead', async () => {
    const { page } = await open('#/nowhere');
    const tooMany = { text: 'It has more than 50,000 calls.', command: 'npx callfeed query calls-by-day' };
    const period = { from: '2026-11-01', to: '2026-11-20' };
    await answering(page, 'day', () => ({ now: new Date().toISOString(), ...period, tooMany }));
    await go(page, ['#/day?from=2026-11-01&to=2026-11-20', 'text=It has more than 50,000 calls.']);
    expect(await page.locator('.copy pre').innerText()).toBe(tooMany.command);
    expect(await page.locator('.tile').count()).toBe(0);
  });

  it('takes whole numbers alone, and calls no filter an outage', async () => {
    const { page } = await open(`#/calls?${day}`);
    const field = page.getByLabel('slower than');
    for (const typed of ['20.5', '-5', '3601']) {
      await field.fill(typed);
      await page.keyboard.press('Enter');
      await page.getByText('a whole number from 0 to 3,600').waitFor();
      await refresh(page);
      expect([await field.inputValue(), page.url()]).toEqual([typed, expect.not.stringContaining('slower')]);
      await field.fill('5');
      await page.keyboard.press('Enter');
      await expect.poll(() => page.url(), soon).toContain('slower=5');
      await field.fill('');
      await page.keyboard.press('Enter');
      await expect.poll(() => page.url(), soon).not.toContain('slower');
    }
    const wrong = 'text=Wrong: within (a whole number of seconds, from 0 to 3,600).';
    for (const view of ['calls', 'day']) {
      await go(page, [`#/${view}?${day}&within=20.5`, wrong]);
      expect(await page.locator('.problem').count()).toBe(0);
    }
  });

  it('says once why it does not know what became of missed calls, and asks less and less often', async () => {
    const { page } = await open('#/nowhere');
    await page.clock.install();
    let isDown = true;
    await page.route(/\/api\/about/, (route) => (isDown ? route.fulfill({ status: 502 }) : route.continue()));
    await page.reload();
    await page.getByText('The deployment could not be read since').waitFor();
    isDown = false;
    await page.clock.runFor(10_000);
    await page.getByText('There is nothing at this address.').waitFor();
    const problem = 'Invalid value: from, to: expected at most 31 days.';
    const inbound = { type: 'inbound', status: 'not-answered', recordings: [] };
    const missed = { ...listed('c1', '2026-11-21T05:00:00.000Z'), ...inbound };
    await answering(page, 'calls', () => answered([missed], { missedReading: { problem } }));
    await go(page, [`#/calls?${day}`, '.calls .item']);
    const alerts = await page.getByRole('alert').filter({ hasText: 'Missed calls' }).allInnerTexts();
    expect(alerts).toEqual([`Missed calls are shown without what became of them. ${problem}`]);

    let asked = 0;
    await page.route(/\/api\/waiting/, (route) =>
      route.fulfill({ status: 502, json: { message: `Failure ${++asked}.` } }),
    );
    await go(page, [`#/day?${missedDay}`, 'text=/Missed calls could not be read since .*Failure 1./']);
    for (const [seconds, times] of [
      [9, 1],
      [2, 2],
      [18, 2],
      [3, 3],
    ] as const) {
      await page.clock.runFor(seconds * 1000);
      // The page waits anew from when it shows that.
      await page.getByText(`Failure ${times}.`).waitFor();
      expect(asked).toBe(times);
    }
  });

  it('shows figures that fit together, with a blank between them', async () => {
    const { page } = await open('#/nowhere');
    const figure = (name: string, value: number, unit = 'calls', share?: number) => ({
      name,
      title: name,
      unit,
      definition: '',
      value,
      share,
      note: '',
      beside: [],
    });
    const calls = [', ', { count: 5, text: 'calls' }, ' without ', { count: 9, text: 'short' }];
    const figures = [{ ...figure('abandonment', 0.02, 'share'), beside: calls }, figure('answered', 0, 'calls', 0)];
    const columns = ['answered', 'abandonment'].map((name) => ({ name, title: name }));
    const urls = ['https://rec.example/1.mp3', 'https://rec.example/2.mp3'];
    const whole = answered([]);
    const row = listed('c1', '2026-11-21T05:00:00.000Z');
    const grouped = { by: 'agent', groupings: ['agent'], columns, groups: [{ label: 'asha', figures }] };
    await answering(page, 'day', () => ({
      ...whole,
      ...grouped,
      figures,
      weeksBefore: { figures: [] },
      bars: [],
      largest: ['abandonment', 'answered'],
      within: 20,
      readAt: whole.end,
    }));
    await answering(page, 'calls', () => answered([{ ...row, recordings: urls }]));
    await go(page, ['#/day', '.groups tbody tr']);
    const [abandonment, answers] = await page.locator('.tile').allInnerTexts();
    expect(abandonment).toMatch(/^2\s%\s+abandonment, 5 calls without 9 short$/);
    expect(answers).toMatch(/^0\s+answered, 0\s%$/);
    expect(await page.locator('.groups tbody tr').innerText()).toMatch(/^asha\s+0 \(0\s%\)\s+2\s%$/);
    await go(page, ['#/calls', '.calls .item']);
    expect(await page.locator('.calls td[data-label=Recording]').innerText()).toBe('listen 1, listen 2');
  });

  it.each(views.filter(([hash]) => !hash.includes('events')))(
    'shows nothing of another account in %s, however late its answers come',
    async (hash, filled) => {
      const { page, problems } = await open('#/nowhere', shown);
      const held: (() => Promise<void>)[] = [];
      let isHeld = false;
      await knowing(page, (accounts) => [...accounts, { account: 'other', timeZone: 'UTC' }]);
      // The other account never answers; those of the first one come when the page shows the other.
      await page.route(/\/api\/(?!about)/, async (route) => {
        if (route.request().url().includes('account=other')) return;
        if (!isHeld) return await route.continue();
        // Asked at once and handed over late, so that no answer is missing because its host was slow.
        const response = route.fetch();
        held.push(async () => route.fulfill({ response: await response }).catch(() => undefined));
        await response;
      });
      const withAccount = (account: string) => `${hash}${hash.includes('?') ? '&' : '?'}account=${account}`;
      await page.reload();
      await go(page, [withAccount('demo'), filled]);
      isHeld = true;
      await refresh(page);
      await page.evaluate(`location.hash = ${JSON.stringify(withAccount('other'))}`);
      await expect.poll(() => page.getByLabel('Account').inputValue(), soon).toBe('other');
      const nothing = async () => [await page.locator(filled).count(), await page.locator('.age').count()];
      expect(await nothing()).toEqual([0, 0]);
      for (const release of held) await release();
      await page.evaluate("fetch('console/api/about')");
      expect([await nothing(), problems]).toEqual([[0, 0], []]);
    },
  );

  it('shows the newest answer, also where an older one comes after it', async () => {
    const { page } = await open('#/nowhere');
    const slow = Promise.withResolvers<object>();
    const newest = Promise.withResolvers<object>();
    const floorWith = (agentId: string) => {
      const at = new Date().toISOString();
      const agent = { agentId, state: 'ready', since: at, loggedInSince: at };
      return { now: at, freshness: 'live', asOf: at, agents: [agent] };
    };
    await answering(page, 'floor', (number) => (number === 0 ? slow.promise : newest.promise));
    await page.evaluate("location.hash = '#/floor'");
    await page.getByText('Reading the floor …').waitFor();
    await Promise.all([page.waitForRequest(/floor/), refresh(page)]);
    await page.evaluate("fetch('console/api/feed')");
    // Nothing has failed that was asked anew.
    expect(await page.locator('.problem').count()).toBe(0);
    newest.resolve(floorWith('newest'));
    await rowOf(page, 'newest').waitFor();
    slow.resolve(floorWith('older'));
    // The answer to another question comes after it.
    await page.evaluate("fetch('console/api/feed')");
    expect(await page.locator('.agents .item').innerText()).toContain('newest');
  });

  it('draws the last states only as far as they are known', async () => {
    const { page } = await open('#/nowhere');
    const [first, half, now] = ['06:01', '06:30', '07:00'].map((time) => `2026-11-21T${time}:00.000Z`);
    const points = [[Date.parse(String(first)), true, { ready: 1 }]];
    const later = Promise.withResolvers<object>();
    let floor: object = { now, freshness: 'live', asOf: now, agents: [] };
    await answering(page, 'history', (number) => (number === 0 ? { now, points, isWhole: true } : later.promise));
    await answering(page, 'floor', () => floor);
    await page.evaluate("location.hash = '#/floor'");
    const last = page.locator('.plot > i:not([class])');
    const lastTo = () => last.evaluate(({ style }) => Number.parseFloat(style.left) + Number.parseFloat(style.width));
    await expect.poll(lastTo, soon).toBeCloseTo(100);
    floor = { now, freshness: 'stale', asOf: half, agents: [] };
    await refresh(page);
    await expect.poll(lastTo, soon).toBeCloseTo(50);
  });

  it.each<[string, string, unknown, RegExp]>([
    ['does not blame polls for its own silence', 'feed', { freshness: 'live' }, /read nothing newer since/],
    ['counts nobody on a floor that it cannot read', 'floor', 500, /The floor could not be read since .*answered 500/],
    ['knows a console that was started anew', 'floor', 404, /started anew\. Open the address/],
    ['knows it from the stream of events too', 'events', 404, /started anew\. Open the address/],
    ['says of which day its figures were read', 'day', {}, /as of 2026-11-21 23:50:00/],
    ['does not praise what it has not read', 'operations', {}, /not read/],
    ['links to the further calls of the same agent', 'calls', { next: 'x' }, /More of them/],
  ])('%s', async (_what, name, answer, text) => {
    const { page } = await open('#/nowhere');
    const now = new Date().toISOString();
    const noFigures = { figures: [], weeksBefore: { figures: [] }, bars: [], largest: [], groups: [] };
    const whole: Readonly<Record<string, object>> = {
      feed: { now, asOf: new Date(Date.now() - 40_000).toISOString(), ...Object(answer) },
      day: { ...answered([]), ...noFigures, readAt: '2026-11-21T18:20:00.000Z' },
      operations: operationsWith(),
      calls: answered([{ ...listed('c1', now), agentIds: ['asha', 'zoe'] }], Object(answer)),
    };
    await answering(page, name, () => (typeof answer === 'number' ? answer : whole[name]));
    const view = { operations: 'health', calls: 'agent/zoe', feed: 'floor' }[name] ?? name;
    await page.evaluate(`location.hash = '#/${view}'`);
    await page.getByText(text).first().waitFor();
    expect(await page.locator('.card.good', { hasText: 'Dead letters' }).count()).toBe(0);
    expect(await page.locator('a[href*="agent=asha"]').count()).toBe(0);
    if (typeof answer === 'number') expect(await page.locator('.tile').count()).toBe(0);
  });

  it.each([
    ['#/floor?at=2026-11-2x&sort=__proto__', '.agents .item'],
    ['#/floor?account=demo&search=nobody', '.empty a[href*="account=demo"]'],
    ['#/floor?account=gone', 'text=This console has no account “gone”. >> a'],
    ['#/call', 'text=There is nothing at this address. >> a'],
    ['#/constructor/x', 'text=There is nothing at this address. >> a'],
    [`#/calls?at=2026-11-21T12:00:00Z`, 'figcaption:text-is("Calls per quarter of an hour")'],
  ])('shows what the address %s asks for, as far as it can', async (hash, shows) => {
    const { page, problems } = await open('#/nowhere');
    await go(page, [hash, shows]);
    expect(problems).toEqual([]);
  });

  it.each([
    ['', 'Asia/Kolkata', '211120261030', '2026-11-21 at 10:30:00'],
    [', hours after its clocks went back', 'America/New_York', '011120260400', '2026-11-01 at 04:00:00'],
    [', hours before its clocks went forward', 'Europe/London', '290320260030', '2026-03-29 at 00:30:00'],
  ])('takes a moment that is typed, in the account’s zone%s', async (_when, timeZone, typed, shown) => {
    const { page } = await open('#/nowhere');
    await knowing(page, () => [{ account: 'demo', timeZone }]);
    await page.goto('about:blank');
    await page.goto(`${sandbox.addresses.gateway}/#/floor`);
    await page.getByLabel(`A moment, in ${timeZone}`).focus();
    await page.keyboard.type(typed);
    await page.keyboard.press('Enter');
    await page.getByText(`As it was on ${shown}`).waitFor();
  });

  it('shows what strangers posted as text, whatever it is', async () => {
    const id = '20000000000000002';
    const facts = { CallerID: markup, Skill: markup, CampaignName: markup, Comments: markup, Disposition: markup };
    const others = { AgentName: markup, AgentID: markup, Type: markup, Odd: markup };
    await post(id, { ...facts, ...others, AudioFile: 'javascript:alert(1)' });
    const data = `{"Apikey":"demo-key","UserName":"demo","Odd":${JSON.stringify(markup)}}`;
    await fetch(sandbox.addresses.callbacks, { method: 'POST', body: new URLSearchParams({ data }) });

    const { page, problems } = await open('#/nowhere', shown);
    const opened: readonly (readonly [hash: string, filled: string, toOpen?: string])[] = [
      [`#/call/${id}`, '.deliveries li', 'text=Show as sent'],
      [`#/calls?${day}`, '.calls .item'],
      [`#/day?${day}&by=skill`, '.groups tbody tr'],
      ['#/events', '.event', `.event:has-text("${id}")`],
      ['#/health', '.reason', '.reason button >> nth=0'],
    ];
    for (const [hash, filled, toOpen] of opened) {
      await go(page, [hash, filled]);
      if (toOpen !== undefined) await page.locator(toOpen).first().click();
      await expect.poll(() => page.locator('main').innerText(), soon).toContain('<script>');
      expect(await page.locator('main script, main img, main a[href^="javascript"]').count()).toBe(0);
      expect([await page.title(), problems]).toEqual([expect.stringMatching(/Callfeed$/), []]);
    }
  });

  it('has no name, number or recording in it, its requests or their answers', async () => {
    const { page } = await open('#/nowhere');
    const asked: string[] = [];
    const answers: Promise<string>[] = [];
    page.on('request', (request) => asked.push(request.url(), request.postData() ?? ''));
    // The stream of events never finishes; what it brought is in the page.
    page.on('requestfinished', (request) => answers.push(bodyOf(request)));
    for (const view of views) {
      await go(page, view);
      if (view[0] === '#/events') await page.locator(`.event:has-text("${call}")`).click();
      expect(await page.content()).not.toMatch(personal);
    }
    // The page reads on by itself: what begins from here on is not waited for, and may be cut off.
    page.removeAllListeners('requestfinished');
    const exchanged = [...asked, ...(await Promise.all(answers))];
    expect(exchanged.join('\n')).toContain('(hidden)');
    expect(exchanged.join('\n')).not.toMatch(personal);
  });

  it.each([
    ['light', 1280, {}],
    ['light', 390, {}],
    // The other theme has other colours, and nothing else.
    ['dark', 1280, { runOnly: ['color-contrast'] }],
    ['dark', 390, { runOnly: ['color-contrast'] }],
  ] as const)('has no fault of accessibility in any view, %s, at a width of %d', async (colorScheme, width, rules) => {
    const { page } = await open('#/nowhere', { colorScheme, width });
    for (const view of views) {
      await go(page, view);
      if (width === 390) await page.getByRole('button', { name: 'Menu' }).click();
      await page.evaluate(axe);
      const options = JSON.stringify({ ...rules, resultTypes: ['violations'] });
      const { violations } = await page.evaluate<AxeResult>(`axe.run(${options})`);
      expect(violations.map(({ id, nodes }) => [view[0], id, nodes[0]?.html])).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    }
  });

  it('has a header of two lines on a telephone, and agents on the first screen', async () => {
    const { page } = await open('#/floor', { width: 390, height: 664 });
    const bottomOf = async (selector: string) => {
      const { y = 0, height = 0 } = (await page.locator(selector).first().boundingBox()) ?? {};
      return y + height;
    };
    await page.waitForSelector('.agents .item');
    expect(await bottomOf('header')).toBeLessThan(72);
    expect(await bottomOf('.agents .item')).toBeLessThan(400);

    await page.getByRole('button', { name: 'Menu' }).click();
    await page.getByLabel('Switch between light and dark').click();
    await go(page, ['#/floor?at=2026-11-01T00:00:00Z', '.past']);
    await page.getByLabel('Switch between light and dark').waitFor({ state: 'hidden' });
  });

  it('keeps for its browser what lasts too long, and filters by their names', async () => {
    const { page } = await open('#/floor');
    await sandbox.script(logIn('kim', 'ACW'));
    await sandbox.poll();
    await sandbox.poll(90);
    await refresh(page);
    const long = page.locator('.long', { hasText: 'kim' });
    await rowOf(page, 'kim').waitFor();
    expect(await long.count()).toBe(0);
    await page.getByLabel('after-call work over').fill('1');
    await page.keyboard.press('Enter');
    await long.waitFor();
    await page.reload();
    await long.waitFor();
    expect(page.url()).toMatch(/#\/floor$/);
    // An older address has its own.
    await go(page, ['#/floor?acw=9', '.agents .item:not(.long):has-text("kim")']);

    await go(page, [`#/calls?${day}&counted=missed&skill=A%26B`, '[name=name]']);
    await page.getByLabel('A name for these filters').fill('Missed & "A"');
    await page.getByRole('button', { name: 'Save' }).click();
    await knowing(page, (accounts) => [...accounts, { account: 'other', timeZone: 'UTC' }]);
    await page.reload();
    await go(page, ['#/health?account=other', 'text=Health of other']);
    expect(await page.getByRole('link', { name: 'Missed & "A"' }).count()).toBe(0);
    await go(page, ['#/health', '.card + .card']);
    await page.getByRole('link', { name: 'Missed & "A"' }).click();
    await expect.poll(() => page.url(), soon).toMatch(/#\/calls\?counted=missed&skill=A%26B$/);
    await page.getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('link', { name: 'Missed & "A"' }).waitFor({ state: 'detached' });
    // A telephone number is not kept.
    await go(page, ['#/calls?customer=98765', '.calls, .problem, .empty']);
    await page.getByLabel('A name for these filters').waitFor({ state: 'detached' });
  });

  it('works by keyboard, and its controls change the sandbox', async () => {
    const { page } = await open(`#/calls?${day}`);
    await page.waitForSelector('.calls .item');
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: /^Call \d+/ }).waitFor();
    await page.keyboard.press('Escape');
    await page.waitForSelector('.calls .item');
    await page.keyboard.press('/');
    await page.keyboard.type('nobody');
    await page.keyboard.press('Enter');
    await page.getByText('No call of this day fits the filters.').waitFor();
    // The field shows the filter that is in force.
    await page.getByRole('link', { name: 'Calls', exact: true }).click();
    await expect.poll(() => page.getByLabel('agent id').inputValue(), soon).toBe('');

    await page.getByText('Sandbox', { exact: true }).click();
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByText('Log sam in: done.').waitFor();
    expect(await (await fetch(sandbox.addresses.agents)).text()).toContain('sam');
  });
});

async function bodyOf(request: Request): Promise<string> {
  return (await request.response())?.text() ?? '';
}

/** The part of the result of axe-core that the test reads. */
interface AxeResult {
  readonly violations: readonly {
    readonly id: string;
    readonly nodes: readonly { readonly html: string }[];
  }[];
}
