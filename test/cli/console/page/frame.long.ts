import { describe, expect, it } from 'vitest';
import { addDays } from '../../../../lib/core/time.ts';
import { answering, knowing } from './given-answers.ts';
import { consoleForThisFile, day, go, goTo, missedDay, refresh, soon } from './open-console.ts';

const { sandbox, gateway, open } = await consoleForThisFile();

describe('the address', () => {
  it.each([
    ['#/floor?at=2026-11-2x&sort=__proto__', '.agents .item'],
    ['#/floor?account=demo&search=nobody', '.empty a[href*="account=demo"]'],
    ['#/floor?account=gone', 'text=This console has no account “gone”. >> a'],
    ['#/call', 'text=There is nothing at this address. >> a'],
    ['#/constructor/x', 'text=There is nothing at this address. >> a'],
    [`#/calls?at=2026-11-21T12:00:00Z`, 'figcaption:text-is("Calls per quarter of an hour")'],
  ])('shows what %s asks for, as far as it can', async (hash, shows) => {
    const { page, problems } = await open('#/nowhere');
    await go(page, [hash, shows]);
    expect(problems).toEqual([]);
  });
});

describe('the time', () => {
  it('goes with the operator from view to view', async () => {
    const { page } = await open(`#/floor?at=${await sandbox.poll()}`);
    await page.getByRole('link', { name: 'Day' }).click();
    await expect.poll(() => page.locator('input[type=date]').inputValue(), soon).toBe('2026-11-21');
    await page.getByRole('link', { name: 'Health' }).click();
    await page.getByText('This view has no past').waitFor();
    await page.getByRole('link', { name: 'Floor' }).click();
    await page.getByText('As it was on').waitFor();
  });

  it.each([
    ['', 'Asia/Kolkata', '211120261030', '2026-11-21 at 10:30:00'],
    [', hours after its clocks went back', 'America/New_York', '011120260400', '2026-11-01 at 04:00:00'],
    [', hours before its clocks went forward', 'Europe/London', '290320260030', '2026-03-29 at 00:30:00'],
  ])('is typed in the account’s zone%s', async (_when, timeZone, typed, shown) => {
    const { page } = await open('#/nowhere');
    await knowing(page, () => [{ account: 'demo', timeZone }]);
    await page.goto('about:blank');
    await page.goto(`${gateway}/#/floor`);
    await page.getByLabel(`A moment, in ${timeZone}`).focus();
    await page.keyboard.type(typed);
    await page.keyboard.press('Enter');
    await page.getByText(`As it was on ${shown}`).waitFor();
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
});

describe('the keyboard', () => {
  it('opens a call, comes back, and filters', async () => {
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
    await expect.poll(() => page.getByLabel('agent ( / )').inputValue(), soon).toBe('');
  });

  it('goes back with Esc, but not from the first page', async () => {
    const { page } = await open('#/day?day=2026-11-21');
    await page.getByText('Calls per quarter of an hour').waitFor();
    await page.keyboard.press('Escape');
    await go(page, ['#/health', '.card + .card']);
    await page.keyboard.press('Escape');
    await page.getByText('Calls per quarter of an hour').waitFor();
  });
});

describe('the frame', () => {
  it('loads in a browser without a language', async () => {
    const { page, problems } = await open('#/nowhere');
    const language = "{ value: 'en-US@posix', configurable: true }";
    await page.addInitScript(`Object.defineProperty(navigator, 'language', ${language})`);
    await page.reload();
    await go(page, ['#/floor', '.agents .item']);
    expect(problems).toEqual([]);
  });

  it('has controls that change the sandbox', async () => {
    const { page } = await open('#/floor');
    await page.getByText('Sandbox', { exact: true }).click();
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByText('Log sam in: done.').waitFor();
    expect(await (await fetch(sandbox.addresses.agents)).text()).toContain('sam');
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
  });

  it('closes its menu on a telephone when the address changes', async () => {
    const { page } = await open('#/floor', { width: 390, height: 664 });
    await page.getByRole('button', { name: 'Menu' }).click();
    await page.getByLabel('Switch between light and dark').click();
    await go(page, ['#/floor?at=2026-11-01T00:00:00Z', '.past']);
    await page.getByLabel('Switch between light and dark').waitFor({ state: 'hidden' });
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

  it.each(['floor', 'events'])('knows a console that was started anew by the answer to %s', async (name) => {
    const { page } = await open('#/nowhere');
    await answering(page, name, () => 404);
    await goTo(page, `#/${name}`);
    await page
      .getByText(/started anew\. Open the address/)
      .first()
      .waitFor();
    expect(await page.locator('.tile').count()).toBe(0);
  });

  it('shows its views once a deployment can be read that could not at first', async () => {
    const { page } = await open('#/nowhere');
    await page.clock.install();
    let isDown = true;
    await page.route(/\/api\/about/, (route) => (isDown ? route.fulfill({ status: 502 }) : route.continue()));
    await page.reload();
    await page.getByText('The deployment could not be read since').waitFor();
    isDown = false;
    await page.clock.runFor(10_000);
    await page.getByText('There is nothing at this address.').waitFor();
  });

  it('asks less and less often what fails again and again', async () => {
    const { page } = await open('#/nowhere');
    await page.clock.install();
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
});
