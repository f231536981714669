import { describe, expect, it } from 'vitest';
import { consoleForThisFile, goTo, refresh, soon } from './open-console.ts';

const { open, post } = await consoleForThisFile();

describe('Call', () => {
  it('says which revision a delivery made', async () => {
    const id = '20000000000000077';
    await post(id, { StartTime: '2026-11-17 11:00:00' });
    await post(id, { StartTime: '2026-11-17 11:00:00', Disposition: 'Sale' });
    const { page } = await open('#/nowhere');
    await goTo(page, `#/call/${id}`);
    await page.getByText(/posted by the service: revision 2$/).waitFor();
  });

  it('shows what a late disposition changed', async () => {
    const id = '20000000000000005';
    const times = { StartTime: '2026-11-21 11:00:00', EndTime: '2026-11-21 11:02:00' };
    await post(id, times);
    const { page } = await open(`#/call/${id}`);
    await page.getByText(/^Inbound on 2026-11-21 at 11:00:00, answered by asha, 2\smin\.$/).waitFor();

    await post(id, { ...times, Disposition: 'Sale' });
    await refresh(page);
    const changes = page.locator('.deliveries > li').nth(1).locator('tbody tr');
    const changed = [expect.stringMatching(/^dispositions\s+–\s+Sale$/)];
    await expect.poll(() => changes.allInnerTexts(), soon).toEqual(changed);
    await page.getByText(/disposition Sale\.$/).waitFor();
  });
});
