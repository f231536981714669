import type { Request } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { call, consoleForThisFile, go } from './open-console.ts';
import { views } from './views.ts';

const { open } = await consoleForThisFile();

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
