import type { Page } from 'playwright-core';

/** Answers a question of the page in place of the console: by its number, from 0 on. A number as answer is a status. */
export const answering = (page: Page, name: string, answer: (number: number, url: string) => unknown) => {
  let number = 0;
  return page.route(new RegExp(`/api/${name}(?:\\?|$)`), async (route) => {
    const body = await answer(number++, route.request().url());
    // A question that the page has dropped meanwhile takes no answer.
    await route.fulfill(typeof body === 'number' ? { status: body, body: '' } : { json: body }).catch(() => undefined);
  });
};

/** Has the page know other accounts. */
export const knowing = (page: Page, change: (accounts: readonly object[]) => readonly object[]) =>
  page.route(/\/api\/about/, async (route) => {
    const about = await (await route.fetch()).json();
    await route.fulfill({ json: { ...about, accounts: change(about.accounts) } });
  });

/** An answer with calls of 2026-11-21 in India. */
export const answered = (calls: readonly object[], more: object = {}) => {
  const start = '2026-11-20T18:30:00.000Z';
  const end = '2026-11-21T18:30:00.000Z';
  const days = { from: '2026-11-21', to: '2026-11-21' };
  return { ...days, days, start, end, calls, missedReading: {}, bars: [], quarters: [], ...more };
};

/** A call in such an answer. */
export const listed = (callId: string, listedAt: string) => ({ callId, listedAt, account: 'demo', revision: 1 });

/** An answer with the cards of Health, besides one that nobody could read. */
export const operationsWith = (...cards: readonly object[]) => ({
  now: new Date().toISOString(),
  cards: [...cards, { title: 'Dead letters', verdict: 'unknown', lines: ['not read'] }],
});
