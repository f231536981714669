import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { inBash } from '../../support/cli-run.ts';
import { knowing } from './given-answers.ts';
import { consoleForThisFile, day, go, goTo, refresh, soon } from './open-console.ts';

const { gateway, open, post, personalUrl } = await consoleForThisFile();

const where = `--account demo --endpoint ${gateway}`;
const commandsOf = (page: Page) => page.locator('code.command').allInnerTexts();

/** The same caller twice, in two spellings. */
const postCallsOfCaller = async () => {
  await post('20000000000000091', { CallerID: '+919000012345', StartTime: '2026-11-16 11:00:00' });
  await post('20000000000000092', { CallerID: '09000012345', StartTime: '2026-11-18 11:00:00' });
};
/** Of each call in the list, the number as people read it and, on hover, as it was sent. */
const numbersIn = async (page: Page) => {
  const links = await page.locator('.calls .item td:nth-child(3) a').all();
  return await Promise.all(links.map(async (link) => [await link.innerText(), await link.getAttribute('title')]));
};

const bothSpellings = [
  ['+91 90000 12345', 'As it was sent: 09000012345'],
  ['+91 90000 12345', 'As it was sent: +919000012345'],
];

describe('the filters of calls', () => {
  it('are printed as the command that gives the same list', async () => {
    const { page } = await open('#/nowhere');

    await goTo(page, "#/calls?day=2026-11-17&status=missed&campaign=missed&skill=Men's wear");

    const filters = `--missed --skill 'Men'\\''s wear' --campaign missed --endpoint ${gateway}`;
    await page.getByText(`npx callfeed calls --day 2026-11-17 --account demo ${filters}`).waitFor();
  });

  it('are quoted in the command, whatever an address has in them', async () => {
    const { page } = await open('#/nowhere');
    const moment = '$(echo x) 2026-11-26 10:00';
    const skill = '  $(echo x)\n"`!!\'\u00A0';
    const link = new URLSearchParams({ at: moment, day: '2026-11-17', skill }).toString();

    await goTo(page, `#/calls?${link}`);
    await page.getByText('No call of this day fits the filters').waitFor();

    const words = 'npx callfeed calls --day 2026-11-17 --account demo --skill'.split(' ');
    const commands = async () => inBash([await page.locator('code.command').innerText()]);
    await expect.poll(commands, soon).toEqual([[...words, skill.trim(), '--endpoint', gateway]]);
  });

  it('give the command before the list was read', async () => {
    const { page } = await open('#/nowhere');
    await page.route(/\/api\/calls\?/, () => undefined);

    await go(page, ['#/calls?from=2026-11-21T00:00:00+05:30&to=2026-11-21T11:30:00+05:30', 'code.command']);

    const range = '--from 2026-11-20T18:30:00.000Z --to 2026-11-21T06:00:00.000Z';
    expect(await commandsOf(page)).toEqual([`npx callfeed calls ${range} ${where}`]);
  });

  it('give the command where the list cannot be read', async () => {
    const { page } = await open('#/nowhere');
    await page.route(/\/api\/calls\?/, (route) => route.fulfill({ status: 502, body: '' }));

    await go(page, ['#/calls?day=2026-11-19', 'text=The list of calls could not be read since']);

    expect(await commandsOf(page)).toEqual([`npx callfeed calls --day 2026-11-19 ${where}`]);
  });

  it('give no command for a day that is none', async () => {
    const { page } = await open('#/nowhere');

    await go(page, ['#/calls?day=2026-02-30', 'text=Wrong: day (a day such as 2026-11-20, today or yesterday).']);

    expect(await commandsOf(page)).toEqual([]);
  });

  it('find a caller by number from anywhere', async () => {
    await postCallsOfCaller();
    const { page } = await open('#/health', { url: personalUrl });

    await page.getByLabel('Find a caller by number').fill('90000 12345');
    await page.keyboard.press('Enter');

    await expect.poll(() => numbersIn(page), soon).toEqual(bothSpellings);
    expect(await page.locator('.calls time').first().innerText()).toBe('2026-11-18 11:00:00');
  });

  it('find a caller from a number in a call', async () => {
    await postCallsOfCaller();
    const { page } = await open('#/call/20000000000000092', { url: personalUrl });

    await page.getByRole('link', { name: '09000012345' }).click();

    await expect.poll(() => numbersIn(page), soon).toEqual(bothSpellings);
  });

  it('find no caller by number where numbers are hidden', async () => {
    const { page } = await open(`#/calls?${day}`);

    await page.waitForSelector('.calls .item');

    expect(await page.getByLabel('Find a caller by number').count()).toBe(0);
  });

  it.each(['20.5', '-5', '3601'])('do not take %s', async (typed) => {
    const { page } = await open(`#/calls?${day}`);
    const field = page.getByLabel('slower than');

    await field.fill(typed);
    await page.keyboard.press('Enter');
    await page.getByText('a whole number from 0 to 3,600').waitFor();
    await refresh(page);

    expect(await field.inputValue()).toBe(typed);
    expect(page.url()).not.toContain('slower');
  });

  it('take a whole number after a wrong one, and go when the field is cleared', async () => {
    const { page } = await open(`#/calls?${day}`);
    const field = page.getByLabel('slower than');
    await field.fill('20.5');
    await page.keyboard.press('Enter');
    await page.getByText('a whole number from 0 to 3,600').waitFor();

    await field.fill('5');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.url(), soon).toContain('slower=5');

    await field.fill('');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.url(), soon).not.toContain('slower');
  });

  it.each(['calls', 'day'])('that are wrong in an address of %s are no outage', async (view) => {
    const { page } = await open('#/nowhere');
    const wrong = 'text=Wrong: within (a whole number of seconds, from 0 to 3,600).';

    await go(page, [`#/${view}?${day}&within=20.5`, wrong]);

    expect(await page.locator('.problem').count()).toBe(0);
  });

  it('are kept under a name for their account, until they are removed', async () => {
    const { page } = await open('#/nowhere');
    const kept = page.getByRole('link', { name: 'Missed & "A"' });
    await go(page, [`#/calls?${day}&counted=missed&skill=A%26B`, '[name=name]']);
    await page.getByLabel('A name for these filters').fill('Missed & "A"');
    await page.getByRole('button', { name: 'Save' }).click();

    await knowing(page, (accounts) => [...accounts, { account: 'other', timeZone: 'UTC' }]);
    await page.reload();
    await go(page, ['#/health?account=other', 'text=Health of other']);
    expect(await kept.count()).toBe(0);

    await go(page, ['#/health', '.card + .card']);
    await kept.click();
    await expect.poll(() => page.url(), soon).toMatch(/#\/calls\?counted=missed&skill=A%26B$/);

    await page.getByRole('button', { name: 'Remove' }).click();
    await kept.waitFor({ state: 'detached' });
  });

  it('are not kept where one of them is a telephone number', async () => {
    const { page } = await open(`#/calls?${day}&counted=missed`);
    await page.getByLabel('A name for these filters').waitFor();

    await go(page, ['#/calls?customer=98765', '.calls, .problem, .empty']);

    await page.getByLabel('A name for these filters').waitFor({ state: 'detached' });
  });
});
