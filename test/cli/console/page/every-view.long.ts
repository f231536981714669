import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Request } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { knowing } from './given-answers.ts';
import { call, consoleForThisFile, day, go, goTo, missedDay, refresh, soon } from './open-console.ts';

const { sandbox, open, post, personalUrl } = await consoleForThisFile();

/** Every view, and what shows that it has its data. */
const views: readonly (readonly [hash: string, filled: string])[] = [
  ['#/floor', '.agents .item'],
  [`#/calls?${day}`, '.calls .item'],
  [`#/calls?${missedDay}&state=open`, 'section .item'],
  [`#/call/${call}`, '.deliveries li'],
  [`#/agent/zoe?${day}`, '.totals tr'],
  [`#/day?${day}`, '.groups tbody tr'],
  ['#/events', '.event'],
  ['#/health', '.card + .card'],
  ['#/day?from=2026-11-20&to=2026-11-21', '.groups tbody tr'],
];

describe('another account', () => {
  it.each(views.filter(([hash]) => !hash.includes('events')))(
    'shows nothing of the one before in %s, however late its answers come',
    async (hash, filled) => {
      const { page, problems } = await open('#/nowhere', { url: personalUrl });
      const held: (() => Promise<void>)[] = [];
      let isHeld = false;
      await knowing(page, (accounts) => [...accounts, { account: 'other', timeZone: 'UTC' }]);
      // The other account never answers; those of the first one come when the page shows the other.
      await page.route(/\/api\/(?!about)/, async (route) => {
        if (route.request().url().includes('account=other')) return;
        if (!isHeld) return await route.continue();
        // Asked at once and handed over late, so that no answer is missing because its host was slow.
        const response = route.fetch();
        held.push(async () => route.fulfill({ response: await response }).catch(() => undefined));
        await response;
      });
      const withAccount = (account: string) => `${hash}${hash.includes('?') ? '&' : '?'}account=${account}`;
      await page.reload();
      await go(page, [withAccount('demo'), filled]);
      isHeld = true;
      await refresh(page);
      await goTo(page, withAccount('other'));
      await expect.poll(() => page.getByLabel('Account').inputValue(), soon).toBe('other');
      const nothing = async () => [await page.locator(filled).count(), await page.locator('.age').count()];
      expect(await nothing()).toEqual([0, 0]);
      for (const release of held) await release();
      await page.evaluate("fetch('console/api/about')");
      expect([await nothing(), problems]).toEqual([[0, 0], []]);
    },
  );
});

describe('what strangers posted', () => {
  const markup = '<script>document.title="owned"</script><img src=x onerror="document.title=\'owned\'"><b>bold</b>';
  const id = '20000000000000002';

  it.each<[hash: string, filled: string, toOpen?: string]>([
    [`#/call/${id}`, '.deliveries li', 'text=Show as sent'],
    [`#/calls?${day}`, '.calls .item'],
    [`#/day?${day}&by=skill`, '.groups tbody tr'],
    ['#/events', '.event', `.event:has-text("${id}")`],
    ['#/health', '.reason', '.reason button >> nth=0'],
  ])('is text in %s, whatever it is', async (hash, filled, toOpen) => {
    const facts = { CallerID: markup, Skill: markup, CampaignName: markup, Comments: markup, Disposition: markup };
    const others = { AgentName: markup, AgentID: markup, Type: markup, Odd: markup };
    await post(id, { ...facts, ...others, AudioFile: 'javascript:alert(1)' });
    const data = `{"Apikey":"demo-key","UserName":"demo","Odd":${JSON.stringify(markup)}}`;
    await fetch(sandbox.addresses.callbacks, { method: 'POST', body: new URLSearchParams({ data }) });

    const { page, problems } = await open('#/nowhere', { url: personalUrl });
    await go(page, [hash, filled]);
    if (toOpen !== undefined) await page.locator(toOpen).first().click();
    await expect.poll(() => page.locator('main').innerText(), soon).toContain('<script>');
    expect(await page.locator('main script, main img, main a[href^="javascript"]').count()).toBe(0);
    expect([await page.title(), problems]).toEqual([expect.stringMatching(/Callfeed$/), []]);
  });
});

describe('a console that hides personal fields', () => {
  const personal = /SENTINEL|98765/;
  const bodyOf = async (request: Request): Promise<string> => (await request.response())?.text() ?? '';

  it('has no name, number or recording in its views, its requests or their answers', async () => {
    const { page } = await open('#/nowhere');
    const asked: string[] = [];
    const answers: Promise<string>[] = [];
    page.on('request', (request) => asked.push(request.url(), request.postData() ?? ''));
    // The stream of events never finishes; what it brought is in the page.
    page.on('requestfinished', (request) => answers.push(bodyOf(request)));
    for (const view of views) {
      await go(page, view);
      if (view[0] === '#/events') await page.locator(`.event:has-text("${call}")`).click();
      expect(await page.content()).not.toMatch(personal);
    }
    // The page reads on by itself: what begins from here on is not waited for, and may be cut off.
    page.removeAllListeners('requestfinished');
    const exchanged = [...asked, ...(await Promise.all(answers))];
    expect(exchanged.join('\n')).toContain('(hidden)');
    expect(exchanged.join('\n')).not.toMatch(personal);
  });
});

describe('accessibility', () => {
  const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

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
      await page.evaluate(axe);
      const options = JSON.stringify({ ...rules, resultTypes: ['violations'] });
      const { violations } = await page.evaluate<AxeResult>(`axe.run(${options})`);
      expect(violations.map(({ id, nodes }) => [view[0], id, nodes[0]?.html])).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    }
  });
});

/** The part of the result of axe-core that the test reads. */
interface AxeResult {
  readonly violations: readonly {
    readonly id: string;
    readonly nodes: readonly { readonly html: string }[];
  }[];
}
