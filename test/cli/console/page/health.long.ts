import { describe, expect, it } from 'vitest';
import { answering, operationsWith } from './given-answers.ts';
import { consoleForThisFile, go, goTo, refresh } from './open-console.ts';

const { gateway, open } = await consoleForThisFile();

describe('Health', () => {
  it('says that no interruption is known but the one that is not over yet', async () => {
    const { page } = await open('#/nowhere');
    const now = new Date().toISOString();
    const feed = { asOf: now, agentCount: 1, unreadableRecords: 0 };
    await answering(page, 'health', () => ({ now, asOf: now, freshness: 'stale', changes: [], feed }));
    await go(page, ['#/health', ':text-is("No interruption in the last day before this one.")']);
  });

  it('prints the times in a card in the account’s zone', async () => {
    const { page } = await open('#/nowhere');
    const waits = ['Some wait.', ['The latest came at', '2026-11-21T06:00:00.000Z']];
    await answering(page, 'operations', () => operationsWith({ title: 'Parked', verdict: 'bad', lines: waits }));
    await go(page, ['#/health', '.card:has-text("Parked")']);
    const parked = page.locator('.card', { hasText: 'Parked' });
    expect(await parked.innerText()).toMatch(/! Parked\s+Some wait\.\s+The latest came at 2026-11-21 11:30:00\./);
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

  it('does not praise what it has not read', async () => {
    const { page } = await open('#/nowhere');
    await answering(page, 'operations', () => operationsWith());
    await goTo(page, '#/health');
    await page.getByText('not read').first().waitFor();
    expect(await page.locator('.card.good', { hasText: 'Dead letters' }).count()).toBe(0);
  });

  it('copies a command that finds the same sandbox', async () => {
    const { page } = await open('#/nowhere');
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
});
