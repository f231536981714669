import { describe, expect, it } from 'vitest';
import { demoCall } from '../../../support/sandbox.ts';
import { answered, answering } from './given-answers.ts';
import { consoleForThisFile, go, goTo, missedDay, soon } from './open-console.ts';

const { open, postAll } = await consoleForThisFile();

describe('Day', () => {
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

  it('says how many missed calls are still open, and what became of the others', async () => {
    const { page, problems } = await open(`#/day?${missedDay}`);
    const tile = page.locator('.tile', { hasText: 'still open' });
    await tile
      .getByText('still open, of 5 missed; 1 called back, half of them within 1 min; 1 rang again; 1 without a number')
      .waitFor();
    expect(await tile.getByRole('link').allInnerTexts()).toEqual(['2', '5', '1', '1', '1']);
    expect(problems).toEqual([]);
  });

  it('counts by skill, and how soon calls were answered', async () => {
    const calls: readonly Readonly<Record<string, string>>[] = [
      { StartTime: '2026-11-07 10:00:00', TimeToAnswer: '00:00:05' },
      { StartTime: '2026-11-14 10:00:00', CallDuration: '00:09:00', Skill: 'Sales', TimeToAnswer: '00:00:08' },
      { StartTime: '2026-11-14 10:01:00', CallDuration: '00:01:00' },
      { StartTime: '2026-11-14 10:02:00', CallDuration: '00:02:00', Skill: 'Support' },
      // Nobody knows whether it was answered.
      { StartTime: '2026-11-14 10:03:00', Skill: 'Sales', Status: '' },
    ];
    await postAll(calls.map((fields, index) => demoCall(`5000000000000000${index}`, { Skill: '', ...fields })));
    const { page } = await open('#/nowhere');
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
    const whole = answered([]);
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
    await go(page, ['#/day', '.groups tbody tr']);
    const [abandonment, answers] = await page.locator('.tile').allInnerTexts();
    expect(abandonment).toMatch(/^2\s%\s+abandonment, 5 calls without 9 short$/);
    expect(answers).toMatch(/^0\s+answered, 0\s%$/);
    expect(await page.locator('.groups tbody tr').innerText()).toMatch(/^asha\s+0 \(0\s%\)\s+2\s%$/);
  });

  it('says as of when its figures are', async () => {
    const { page } = await open('#/nowhere');
    const noFigures = { figures: [], weeksBefore: { figures: [] }, bars: [], largest: [], groups: [] };
    await answering(page, 'day', () => ({ ...answered([]), ...noFigures, readAt: '2026-11-21T18:20:00.000Z' }));
    await goTo(page, '#/day');
    await page
      .getByText(/as of 2026-11-21 23:50:00/)
      .first()
      .waitFor();
  });

  it('says that a moment stands for its whole day', async () => {
    const { page } = await open('#/day?at=2026-11-20T20:12:00Z');
    await page.getByText('All of 2026-11-21: this view shows whole days').waitFor();
    await expect.poll(() => page.getByLabel('Day', { exact: true }).inputValue(), soon).toBe('2026-11-21');
  });
});

describe('a period of Day', () => {
  const period = '#/day?from=2026-11-02&to=2026-11-04';
  const calls: readonly Readonly<Record<string, string>>[] = [
    { StartTime: '2026-11-02 00:00:00', EndTime: '2026-11-02 00:01:00' },
    { StartTime: '2026-11-02 23:59:59' },
    { StartTime: '2026-11-04 10:00:00', Status: 'NotAnswered' },
  ];
  const whole = ['2026-11-02 Mon 2 2', '2026-11-03 Tue 0 0', '2026-11-04 Wed 1 1'];
  const counts = /^(\S+ \w{3})\s+(\d+)\s+(\d+)\s/;
  const openPeriod = async () => {
    await postAll(calls.map((fields, index) => demoCall(`6000000000000000${index}`, fields)));
    const { page, problems } = await open(period);
    const rows = page.locator('.groups tbody tr');
    const countsOf = async () => (await rows.allInnerTexts()).map((row) => counts.exec(row)?.slice(1).join(' '));
    await expect.poll(countsOf, soon).toEqual(whole);
    return { page, problems, rows, countsOf, choice: page.getByLabel('Day or period') };
  };

  it('counts each of its days, and draws them', async () => {
    const { page, problems } = await openPeriod();
    expect(await page.locator('.tile').first().innerText()).toMatch(/^3\s+Offered/);
    await page.getByText('A week before, from 2026-10-26 to 2026-10-28, no call is stored').waitFor();
    await page.getByText('Calls per day').waitFor();
    const chart = page.locator('.chart .plot');
    const { width = 0 } = (await chart.boundingBox()) ?? {};
    await chart.hover({ position: { x: width * 0.9, y: 50 } });
    await expect.poll(() => page.locator('.chart dd').allInnerTexts(), soon).toEqual(['2026-11-04', '0', '1', '0']);
    expect(problems).toEqual([]);
  });

  it('opens the calls of a number, of which one day can be chosen', async () => {
    const { page, problems } = await openPeriod();
    await page.locator('.tile a').first().click();
    await page.getByText('from 2026-11-02 00:00:00 to 2026-11-04 23:59:59').waitFor();
    const times = ['2026-11-04 10:00:00', '2026-11-02 23:59:59', '2026-11-02 00:00:00'];
    await expect.poll(() => page.locator('.calls tbody time').allInnerTexts(), soon).toEqual(times);
    await page.getByLabel('agent ( / )').fill('nobody');
    await page.keyboard.press('Enter');
    await page.getByText('No call of these days fits the filters.').waitFor();
    await page.getByRole('button', { name: 'Only 2026-11-04' }).click();
    await expect.poll(() => page.url(), soon).toMatch(/\?counted=offered&agent=nobody&day=2026-11-04$/);
    expect(problems).toEqual([]);
  });

  it('opens one of its days, and comes back', async () => {
    const { page, problems, countsOf, choice } = await openPeriod();
    await page.getByRole('link', { name: '2026-11-02 Mon' }).click();
    await page.getByText('Calls per quarter of an hour').waitFor();
    expect(page.url()).toMatch(/#\/day\?day=2026-11-02$/);
    expect(await choice.inputValue()).toBe('Day');
    await page.goBack();
    await expect.poll(countsOf, soon).toEqual(whole);
    expect(problems).toEqual([]);
  });

  it('is counted by the hour, ends earlier, becomes a month and a day, as the operator chooses', async () => {
    const { page, problems, rows, choice } = await openPeriod();
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

  it('says where it is too large to be read, and what answers instead', async () => {
    const { page } = await open('#/nowhere');
    const tooMany = { text: 'It has more than 50,000 calls.', command: 'npx callfeed query calls-by-day' };
    await answering(page, 'day', () => ({
      now: new Date().toISOString(),
      from: '2026-11-01',
      to: '2026-11-20',
      tooMany,
    }));
    await go(page, ['#/day?from=2026-11-01&to=2026-11-20', 'text=It has more than 50,000 calls.']);
    expect(await page.locator('.copy pre').innerText()).toBe(tooMany.command);
    expect(await page.locator('.tile').count()).toBe(0);
  });
});
