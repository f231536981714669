import { describe, expect, it } from 'vitest';
import { answered, answering, listed } from './given-answers.ts';
import { consoleForThisFile, day, go, goTo, missedDay } from './open-console.ts';

const { open, personalUrl } = await consoleForThisFile();

describe('Agent', () => {
  it('says what an agent does now', async () => {
    const { page } = await open('#/agent/ines');
    await page.getByText(/^\S? ?Now: ready since \d\d:.*, for \d+\s(?:s|min).*\. Skills: .*Support/).waitFor();
  });

  it.each([
    ['zoe', 'zoe SENTINEL Zoe'],
    // Who has logged out has a name in calls.
    ['asha', 'asha SENTINEL Rao'],
  ])('names %s where personal data are shown', async (agentId, heading) => {
    const { page } = await open(`#/agent/${agentId}?${day}`, { url: personalUrl });
    await page.getByRole('heading', { name: heading }).waitFor();
  });

  it('says of an agent with calls and without states that nobody was polled then', async () => {
    const { page } = await open(`#/agent/asha?${missedDay}`);
    await page.getByText('No states are stored for this day, though calls name the agent').waitFor();
  });

  it('says of nobody that the id may be wrong', async () => {
    const { page } = await open('#/nowhere');
    await go(page, [`#/agent/nobody?${missedDay}`, 'text=Is the id spelt as on the floor?']);
  });

  it('links to further calls of the same agent', async () => {
    const { page } = await open('#/nowhere');
    const call = { ...listed('c1', new Date().toISOString()), agentIds: ['asha', 'zoe'] };
    await answering(page, 'calls', () => answered([call], { next: 'x' }));
    await goTo(page, '#/agent/zoe');
    await page.getByText('More of them').first().waitFor();
    expect(await page.locator('a[href*="agent=asha"]').count()).toBe(0);
  });
});
