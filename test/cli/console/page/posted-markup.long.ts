import { describe, expect, it } from 'vitest';
import { consoleForThisFile, day, go, soon } from './open-console.ts';

const { sandbox, open, post, personalUrl } = await consoleForThisFile();

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
