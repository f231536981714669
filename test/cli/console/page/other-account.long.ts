import { describe, expect, it } from 'vitest';
import { knowing } from './given-answers.ts';
import { consoleForThisFile, go, goTo, refresh, soon } from './open-console.ts';
import { views } from './views.ts';

const { open, personalUrl } = await consoleForThisFile();

describe('another account', () => {
  it.each(views.filter(([hash]) => !hash.includes('events')))(
    'shows nothing of the one before in %s, however late its answers come',
    async (hash, filled) => {
      const { page, problems } = await open('#/nowhere', { url: personalUrl });
      const lateAnswers: (() => Promise<void>)[] = [];
      let holdsAnswers = false;
      await knowing(page, (accounts) => [...accounts, { account: 'other', timeZone: 'UTC' }]);
      // The other account never answers; those of the first one come when the page shows the other.
      await page.route(/\/api\/(?!about)/, async (route) => {
        if (route.request().url().includes('account=other')) return;
        if (!holdsAnswers) return await route.continue();
        // Asked at once and handed over late, so that no answer is missing because its host was slow.
        const response = route.fetch();
        lateAnswers.push(async () => route.fulfill({ response: await response }).catch(() => undefined));
        await response;
      });
      const withAccount = (account: string) => `${hash}${hash.includes('?') ? '&' : '?'}account=${account}`;

      await page.reload();
      await go(page, [withAccount('demo'), filled]);
      holdsAnswers = true;
      await refresh(page);
      await goTo(page, withAccount('other'));
      await expect.poll(() => page.getByLabel('Account').inputValue(), soon).toBe('other');

      const countShown = async () => [await page.locator(filled).count(), await page.locator('.age').count()];
      expect(await countShown()).toEqual([0, 0]);

      for (const release of lateAnswers) await release();
      await page.evaluate("fetch('console/api/about')");

      expect([await countShown(), problems]).toEqual([[0, 0], []]);
    },
  );
});
