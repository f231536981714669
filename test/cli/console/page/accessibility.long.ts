import { describe, expect, it } from 'vitest';
import { accessibilityFaults } from './axe.ts';
import { brokenValues } from './broken-values.ts';
import { afterEarlierAnswers, consoleForThisFile, go } from './open-console.ts';
import { views, viewsOfPeople } from './views.ts';

const { open, personalUrl, post } = await consoleForThisFile();

/** A call of which both times changed, with names of several words. */
const changedId = '20000000000000066';
const changedCall = [`#/call/${changedId}`, '.deliveries li + li'] as const;
const postChangedCall = async () => {
  await post(changedId, { StartTime: '2026-11-14 11:00:00', EndTime: '2026-11-14 11:02:00' });
  await post(changedId, {
    StartTime: '2026-11-14 10:59:00',
    EndTime: '2026-11-14 11:03:00',
    TimeToAnswer: '00:00:10',
    Skill: 'Customer service',
    CampaignName: 'Renewals of November',
  });
};
const callsOfDays = ['#/calls?from=2026-11-13T00:00:00Z&to=2026-11-14T12:00:00Z', '.calls .item'] as const;

describe('accessibility', () => {
  it.each([
    ['light', 1280, {}],
    ['light', 390, {}],
    // The other theme has other colours, and nothing else.
    ['dark', 1280, { runOnly: ['color-contrast'] }],
    ['dark', 390, { runOnly: ['color-contrast'] }],
  ] as const)('has no fault in any view, %s, at a width of %d', async (colorScheme, width, rules) => {
    const { page } = await open('#/nowhere', { colorScheme, width });

    for (const view of views) {
      await go(page, view);
      if (width === 390) await page.getByRole('button', { name: 'Menu' }).click();
      expect(await accessibilityFaults(page, rules), view[0]).toEqual([]);
    }
  });

  it.each([1440, 390])('has no view that is wider than its window of %d, or breaks a value', async (width) => {
    await postChangedCall();
    const { page } = await open('#/nowhere', { width, url: personalUrl });

    for (const view of [...views, ...viewsOfPeople, changedCall, callsOfDays]) {
      await go(page, view);
      if (width === 390) await page.getByRole('button', { name: 'Menu' }).click();
      await page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true");
      await afterEarlierAnswers(page);

      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), view[0]).toBe(true);
      expect(await brokenValues(page), view[0]).toEqual([]);
    }
  });
});
