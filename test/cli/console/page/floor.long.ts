import { describe, expect, it } from 'vitest';
import { logIn, logOut, setState } from '../../../support/sandbox.ts';
import { answering } from './given-answers.ts';
import { afterEarlierAnswers, consoleForThisFile, go, goTo, refresh, rowOf, soon } from './open-console.ts';

const { sandbox, open } = await consoleForThisFile();

describe('Floor', () => {
  it('shows an agent who logs in, changes and leaves', async () => {
    const { page, problems } = await open('#/floor');
    await sandbox.script(logIn('asha'));
    await sandbox.poll();
    await refresh(page);
    await rowOf(page, 'asha').getByText('ready').waitFor();

    await sandbox.script(setState('asha', 'ACW'));
    await sandbox.poll();
    await refresh(page);
    await rowOf(page, 'asha').getByText('after-call work').waitFor();

    await sandbox.script(logOut('asha'));
    await sandbox.poll();
    await refresh(page);
    await rowOf(page, 'asha').waitFor({ state: 'detached' });
    expect(problems).toEqual([]);
  });

  it('shows only the agents of a state that is clicked', async () => {
    const { page } = await open('#/floor');
    await page.getByRole('button', { name: /ready/ }).click();
    await expect.poll(() => page.locator('.agents .item').count(), soon).toBe(1);
    await page.getByRole('button', { name: /logged in/ }).click();
    await rowOf(page, 'zoe').waitFor();
  });

  it('shows the agents as they were, until it goes back to now', async () => {
    await sandbox.script(logIn('kavya'));
    const then = await sandbox.poll();
    await sandbox.script(logOut('kavya'));
    await sandbox.poll();
    const { page, problems } = await open(`#/floor?at=${then}`);
    await rowOf(page, 'kavya').getByText('ready').waitFor();
    await page.getByText(/As it was on .* at \d\d:\d\d:\d\d/).waitFor();

    await page.getByRole('button', { name: 'Back to now' }).click();
    await rowOf(page, 'kavya').waitFor({ state: 'detached' });
    expect(problems).toEqual([]);
  });

  it('shows the latest agents where it is asked for a moment before them', async () => {
    const { page } = await open('#/nowhere');
    await go(page, ['#/floor?at=2026-11-01T00:00:00Z', 'text=The moment that you look at is before them.']);
  });

  it('counts by skill who is ready', async () => {
    const { page } = await open('#/floor');
    await page.getByText('By skill').click();
    const rows = page.locator('details tbody tr');
    await expect
      .poll(() => rows.allInnerTexts(), soon)
      .toContainEqual(expect.stringMatching(/^Support\s+1\s+0\s+0\s+0\s+0$/));
  });

  it('counts only the agents of the skill that is chosen, and draws all', async () => {
    const { page } = await open('#/floor');
    await page.getByLabel('Skill').selectOption('Support');
    await expect.poll(() => page.locator('.tile').first().innerText(), soon).toMatch(/^1\s+logged in/);
    await page.getByText('All agents, whatever the filters, by state').waitFor();
  });

  it('says that nobody knows how many calls wait for a skill', async () => {
    const { page } = await open('#/nowhere');
    await go(page, ['#/floor', 'details summary']);
    await page.getByText('How many calls wait for a skill is not known').waitFor({ state: 'attached' });
  });

  it('keeps for its browser what lasts too long, and an older address has its own', async () => {
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
    await go(page, ['#/floor?acw=9', '.agents .item:not(.long):has-text("kim")']);
  });

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
    await goTo(page, '#/floor');
    await page.getByText('Reading the floor …').waitFor();
    await Promise.all([page.waitForRequest(/floor/), refresh(page)]);
    await afterEarlierAnswers(page);
    // Nothing has failed that was asked anew.
    expect(await page.locator('.problem').count()).toBe(0);
    newest.resolve(floorWith('newest'));
    await rowOf(page, 'newest').waitFor();
    slow.resolve(floorWith('older'));
    await afterEarlierAnswers(page);
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
    await goTo(page, '#/floor');
    const last = page.locator('.plot > i:not([class])');
    const lastTo = () => last.evaluate(({ style }) => Number.parseFloat(style.left) + Number.parseFloat(style.width));
    await expect.poll(lastTo, soon).toBeCloseTo(100);
    floor = { now, freshness: 'stale', asOf: half, agents: [] };
    await refresh(page);
    await expect.poll(lastTo, soon).toBeCloseTo(50);
  });

  it('does not blame polls for its own silence', async () => {
    const { page } = await open('#/nowhere');
    const now = new Date().toISOString();
    const asOf = new Date(Date.now() - 40_000).toISOString();
    await answering(page, 'feed', () => ({ now, asOf, freshness: 'live' }));
    await goTo(page, '#/floor');
    await page
      .getByText(/read nothing newer since/)
      .first()
      .waitFor();
  });

  it('counts nobody where agents cannot be read', async () => {
    const { page } = await open('#/nowhere');
    await answering(page, 'floor', () => 500);
    await goTo(page, '#/floor');
    await page
      .getByText(/The floor could not be read since .*answered 500/)
      .first()
      .waitFor();
    expect(await page.locator('.tile').count()).toBe(0);
  });
});
