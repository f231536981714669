import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, vi } from 'vitest';
import { connect } from '../../../../cli/frame/connect.ts';
import { startAgentsSandbox } from '../../../support/polled-centre.ts';
import { demoCall, logIn, postCall } from '../../../support/sandbox.ts';
import { forThisFile, serveForThisFile } from '../../support/local-deployment.ts';
import { problemsOf, startBrowser } from '../browser.ts';

export const soon = { timeout: 45_000 };

/** The sandbox's day, on which a call of agent asha is stored. */
export const day = 'day=2026-11-21';
export const call = '20000000000000001';

/** On this day only these calls were made: two are still open, one rang again, one was returned, one has no number. */
export const missedDay = 'day=2026-11-13';
const callsOfMissedDay = [
  ['09:00:00', 'NotAnswered', '09840012345'],
  ['09:10:00', 'NotAnswered', '+919840012345'],
  ['09:20:00', 'NotAnswered', '9840022222'],
  ['09:30:00', 'Answered', '00919840022222'],
  ['09:40:00', 'NotAnswered', '9840033333'],
  ['09:41:00', 'Answered', '09840033333', 'Manual'],
  ['09:50:00', 'NotAnswered', 'anonymous'],
].map(([time, Status = '', CallerID = '', Type = 'Inbound'], index) =>
  demoCall(`7000000000000000${index}`, {
    StartTime: `2026-11-13 ${time}`,
    EndTime: `2026-11-13 ${time}`,
    Status,
    CallerID,
    Type,
  }),
);

/**
 * A browser and a sandbox for the tests of a file, with the calls above and two agents: zoe, who pauses, and ines, who is
 * ready. Their personal data contain SENTINEL or 98765. Each test begins with a fresh poll and closes its pages.
 */
export const consoleForThisFile = async () => {
  const starting = startBrowser();
  const sandbox = await forThisFile(startAgentsSandbox());
  const { gateway, callbacks } = sandbox.addresses;
  const location = { stack: '', endpoint: gateway };
  const personal = await serveForThisFile({
    deployment: await connect(location),
    location,
    isPersonal: true,
    clock: () => new Date(),
    token: 'T0KEN',
  });
  const browser = await starting;
  const contexts = new Set<BrowserContext>();

  /** Posts calls until all are in the table: on a busy machine some are parked first, and posted again, they are stored at once. */
  const postAll = (calls: readonly unknown[]) =>
    vi.waitFor(async () => {
      const [, reply] = await postCall(callbacks, calls);
      const { stored, duplicates } = Object(reply);
      expect(stored + duplicates).toBe(calls.length);
    }, soon);
  const post = (id: string, changes: Readonly<Record<string, string>> = {}) => postAll([demoCall(id, changes)]);

  /** Opens an address of the sandbox's own console, which hides personal fields, or of the one at `url`. */
  const open = async (
    hash: string,
    { url = `${gateway}/`, colorScheme = 'light' as 'light' | 'dark', width = 1280, height = 720 } = {},
  ) => {
    const context = await browser.newContext({ locale: 'en-GB', colorScheme, viewport: { width, height } });
    contexts.add(context);
    context.setDefaultTimeout(soon.timeout);
    const page = await context.newPage();
    const problems = problemsOf(page);
    await page.goto(`${url}${hash}`);
    await page.waitForSelector('main');
    return { page, problems };
  };

  beforeAll(async () => {
    await post(call, { AgentName: 'SENTINEL Rao', AudioFile: 'https://recordings.example.com/SENTINEL.mp3' });
    await postAll(callsOfMissedDay);
    const zoe = { ...logIn('zoe', 'PAUSE'), name: 'SENTINEL Zoe', phoneNumber: '09876512345', skills: ['Sales'] };
    await sandbox.script(zoe, { ...logIn('ines'), skills: ['Sales', 'Support'] });
  });
  beforeEach(async () => {
    await sandbox.poll();
  });
  afterEach(async () => {
    // A question that a test holds back may still be on its way; its answer is no longer wanted.
    for (const page of [...contexts].flatMap((context) => context.pages())) {
      await page.unrouteAll({ behavior: 'ignoreErrors' });
    }
    // A page that stays open reads on, and takes time from the next test.
    for (const context of contexts) await context.close();
    contexts.clear();
  });
  afterAll(() => browser.close());

  return { sandbox, gateway, open, post, postAll, personalUrl: personal.url };
};

/** Goes to an address of the page, and waits until a selector shows that it has its data. */
export const go = async (page: Page, [hash, filled]: readonly [hash: string, filled: string]) => {
  await goTo(page, hash);
  await page.waitForSelector(filled);
};
export const goTo = (page: Page, hash: string) => page.evaluate(`location.hash = ${JSON.stringify(hash)}`);

/** A page that becomes visible again reads at once, so a test need not wait for its interval. */
export const refresh = (page: Page) => page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");

/** Waits until the page has taken what came so far: this answer comes after it. */
export const afterEarlierAnswers = (page: Page) => page.evaluate("fetch('console/api/feed')");

export const rowOf = (page: Page, agentId: string) => page.locator('.agents .item', { hasText: agentId });
