import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { demoCall } from '../../../support/sandbox.ts';
import { answered, answering, listed } from './given-answers.ts';
import { afterEarlierAnswers, consoleForThisFile, day, go, missedDay, refresh, soon } from './open-console.ts';

const { open, post, postAll } = await consoleForThisFile();

const idsIn = (page: Page) =>
  page.locator('.calls .item a').evaluateAll((links) => links.map((link) => String(link).split('/').at(-1)));

describe('the list of calls', () => {
  it('says of each missed call what became of it', async () => {
    const { page, problems } = await open('#/nowhere');
    await go(page, [`#/calls?${missedDay}&counted=missed`, '.calls .item']);
    await page.getByText(/, what became of these as of \d{4}-\d\d-\d\d \d\d:\d\d:\d\d/).waitFor();
    for (const became of ['open', 'rang again after 10 min', 'returned after 1 min', 'without a number'])
      await page.locator('[data-label=Status]').getByText(`missed, ${became}`).first().waitFor();
    expect(problems).toEqual([]);
  });

  it('says who waits behind open calls', async () => {
    const { page, problems } = await open('#/nowhere');
    await go(page, [`#/calls?${missedDay}&state=open`, 'section .item']);
    await page.getByText('1 caller behind 2 open calls').waitFor();
    expect(await page.locator('section .item').first().innerText()).toMatch(
      /2\s+\S+\s+2026-11-13 09:00:00\s+2026-11-13 09:10:00/,
    );
    expect(problems).toEqual([]);
  });

  it('is sorted as the operator chooses, and downloaded whole', async () => {
    const calls: readonly Readonly<Record<string, string>>[] = [
      { StartTime: '2026-11-14 10:00:00', CallDuration: '00:09:00', Skill: 'Sales' },
      { StartTime: '2026-11-14 10:01:00', CallDuration: '00:01:00' },
      { StartTime: '2026-11-14 10:02:00', CallDuration: '00:02:00', Skill: 'Support' },
    ];
    await postAll(calls.map((fields, index) => demoCall(`5000000000000000${index}`, { Skill: '', ...fields })));
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
  });

  it('shows a new call once it is asked for', async () => {
    const id = '20000000000000005';
    const { page } = await open(`#/calls?${day}`);
    await page.waitForSelector('.calls .item');
    await post(id, { StartTime: '2026-11-21 11:00:00', EndTime: '2026-11-21 11:02:00' });
    await refresh(page);
    await page.getByRole('button', { name: '1 new' }).click();
    await page.locator(`.calls a[href*="${id}"]`).click();
    await page.getByText(/^Inbound on 2026-11-21 at 11:00:00, answered by asha, 2\smin\.$/).waitFor();
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
    await afterEarlierAnswers(page);
    await expect.poll(() => idsIn(page), soon).toEqual(['c9', 'c8']);
    await page.getByRole('button', { name: 'Older calls' }).click();
    await expect.poll(() => idsIn(page), soon).toEqual(['c9', 'c8', 'c6']);
    await next(2);
    await page.locator('.calls .item', { hasText: 'Late' }).waitFor();

    // Of a list that is shown to its end, a call that began before all others is new too.
    answers.push(answered([c, a, listed('c5', '2026-11-21T05:00:00.000Z')] as object[]));
    await next(4);
    await page.getByRole('button', { name: '1 new' }).click();
    await expect.poll(() => idsIn(page), soon).toEqual(['c9', 'c8', 'c5']);
    // One that does not fit any more goes at once.
    answers.push(answered([c] as object[], { next: 'y', reachesTo: '2026-11-21T06:00:00.000Z' }));
    await next(5);
    await expect.poll(() => idsIn(page), soon).toEqual(['c9', 'c5']);

    const days = { from: '2026-11-22', to: '2026-11-22' };
    answers.push(answered([listed('d1', '2026-11-21T18:40:00.000Z')], { days }));
    await next(6);
    await expect.poll(() => idsIn(page), soon).toEqual(['d1']);
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
      await afterEarlierAnswers(page);
      await Promise.all([page.waitForResponse(/api\/calls\?(?!.*cursor)/), refresh(page)]);
    }
    await expect.poll(() => idsIn(page), soon).toEqual(['c9', 'c1']);
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
    await expect.poll(() => idsIn(page), soon).toEqual([]);
  });

  it('numbers the recordings of a call', async () => {
    const { page } = await open('#/nowhere');
    const recordings = ['https://rec.example/1.mp3', 'https://rec.example/2.mp3'];
    await answering(page, 'calls', () => answered([{ ...listed('c1', '2026-11-21T05:00:00.000Z'), recordings }]));
    await go(page, ['#/calls', '.calls .item']);
    expect(await page.locator('.calls td[data-label=Recording]').innerText()).toBe('listen 1, listen 2');
  });

  it('says once why it does not know what became of missed calls', async () => {
    const { page } = await open('#/nowhere');
    const problem = 'Invalid value: from, to: expected at most 31 days.';
    const inbound = { type: 'inbound', status: 'not-answered', recordings: [] };
    const missed = { ...listed('c1', '2026-11-21T05:00:00.000Z'), ...inbound };
    await answering(page, 'calls', () => answered([missed], { missedReading: { problem } }));
    await go(page, [`#/calls?${day}`, '.calls .item']);
    const alerts = await page.getByRole('alert').filter({ hasText: 'Missed calls' }).allInnerTexts();
    expect(alerts).toEqual([`Missed calls are shown without what became of them. ${problem}`]);
  });
});
