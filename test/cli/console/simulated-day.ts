import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import type { Page } from 'playwright-core';
import type { Answers } from '../../../cli/console/api.ts';
import type { Account } from '../../../lib/accounts/accounts.ts';
import { createSimulatedCentre } from '../../../sandbox/simulator/centre.ts';
import { between, fork, seededRandom, shuffled } from '../../../sandbox/simulator/random.ts';
import { simulatedCall } from '../../../sandbox/simulator/simulated-call.ts';
import { demoCall } from '../../support/sandbox.ts';
import { deploymentWith, serveForThisFile } from '../support/local-deployment.ts';

/** The hours of this zone do not begin with hours in UTC. */
const account: Account = {
  userName: 'demo',
  apiKeys: ['demo-key'],
  timeZone: 'Asia/Kolkata',
  token: { kind: 'none' },
};
export const day = '2026-11-20';
export const aWeekBefore = '2026-11-13';
const afterThat = '2026-11-21T09:00:00.000Z';
const minute = 60_000;

/** A working day of the simulator's calls with all their quirks. Some have no agent, skill, type or outcome. */
const postsOf = (date: string, count: number, seed: number) => {
  const random = seededRandom(seed);
  const centre = createSimulatedCentre(fork(random), 20);
  const live = { ...centre, isThere: () => true };
  const from = Date.parse(`${date}T09:00:00+05:30`);
  const posts = Array.from({ length: count }, () => {
    const at = from + between(random, 0, 8 * 60) * minute;
    return simulatedCall(fork(random), at, live, account).posts;
  });
  return shuffled(random, posts.flat());
};

/** Calls that rang at one agent in vain before another one answered, for an id and a minute. */
const passedOn = (id: string, minutes: string) =>
  [
    { UCID: `${id}1`, AgentID: 'asha01', Status: 'NotAnswered', TimeToAnswer: '' },
    { UCID: `${id}2`, AgentID: 'devi07', Status: 'Answered', TimeToAnswer: '00:00:35' },
  ].map((leg) => demoCall(id, { ...leg, StartTime: `${day} 11:${minutes}:00`, EndTime: `${day} 11:${minutes}:50` }));

/** Calls that the simulator does not make: abandoned at once and later, and without a field. */
const incomplete = Array.from({ length: 24 }, (_, index) =>
  demoCall(`8100000000000${100 + index}`, {
    StartTime: `${day} 1${index % 6}:3${index % 10}:00`,
    EndTime: `${day} 1${index % 6}:3${index % 10}:0${index % 9}`,
    ...(index % 2 === 0 && {
      Status: 'NotAnswered',
      AgentID: '',
      HangupBy: ['UserHangup', 'System', ''][index % 3] ?? '',
    }),
    ...(index % 5 === 0 && { Status: '' }),
    ...(index % 4 === 1 && { Skill: '', TimeToAnswer: `00:00:${10 + index}` }),
    ...(index % 7 === 3 && { Type: '' }),
  }),
);

type Query = Readonly<Record<string, string | undefined>>;

/** A console of a deployment with a simulated day, and a smaller one a week before, for the tests of a file. */
export const serveSimulatedDay = async (count: number, now = afterThat) => {
  const further = [...incomplete, ...passedOn('82000000000000001', '05'), ...passedOn('82000000000000002', '55')];
  const posted = further.map((call) => ({
    contentType: 'application/x-www-form-urlencoded',
    query: '',
    body: new URLSearchParams({ data: JSON.stringify(call) }).toString(),
  }));
  const posts = [...postsOf(day, count, 1), ...postsOf(aWeekBefore, Math.ceil(count / 5), 2), ...posted];
  // Otherwise a week before would no longer be kept.
  const retention = { callDays: 90, quarantineDays: 90 };
  // A sandbox would be asked whether it has a demonstration.
  const bus = { kind: 'event-bridge', name: 'bus', client: new EventBridgeClient() } as const;
  const deployment = { ...(await deploymentWith(account, posts, now)), retention, bus };
  const served = await serveForThisFile({
    deployment,
    location: { stack: 'callfeed' },
    token: 'T0KEN',
    isPersonal: false,
    clock: () => new Date(now),
  });
  const ask = async <Address extends keyof Answers>(address: Address, query: Query): Promise<Answers[Address]> => {
    const defined = Object.entries(query).flatMap(([name, value]): [string, string][] =>
      value === undefined ? [] : [[name, value]],
    );
    const answer = await fetch(`${served.url}console/api/${address}?${new URLSearchParams(defined)}`);
    const body = await answer.json();
    if (!answer.ok) throw new Error(`${address} of ${JSON.stringify(query)}: ${Object(body).message}`);
    return body as Answers[Address];
  };
  return { served, ask };
};

/** A link of Day to Calls: where on the page it is, and the number of calls that it names. */
export interface DayLink {
  readonly kind: string;
  readonly href: string;
  readonly number: number;
}

/** Every link to Calls of the day that a page shows. */
export const linksOf = async (page: Page): Promise<readonly DayLink[]> => {
  await page.waitForSelector('.groups tbody a');
  // It comes with an answer of its own.
  await page.getByText('still open').waitFor();
  // A bar of a period opens its day.
  if (/[?&]day=/.test(page.url())) await page.waitForSelector('.plot a');
  await page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true");
  const found = await page.locator('main a[href*="#/calls"]').evaluateAll((links) =>
    links.map((link) => ({
      isIn: ['.plot', '.tile b', '.tile', 'details', '.groups th', '.groups'].find((part) => link.closest(part)) ?? '',
      href: String(link.getAttribute('href')),
      title: link.getAttribute('title') ?? String(link.textContent),
    })),
  );
  const kinds = new Map(
    Object.entries({ '.plot': 'bar', '.tile b': 'tile', '.tile': 'beside', details: 'figure', '.groups th': 'row' }),
  );
  return found.map(({ isIn, href, title }) => ({
    href: href.slice(href.indexOf('#')),
    kind: kinds.get(isIn) ?? 'cell',
    // “Show 12 calls”, “10:15:00: 12 answered”, or the number alone.
    number: Number(/(?:^|Show |\d\d:\d\d:\d\d: )([\d,]+)(?: |$)/.exec(title)?.[1]?.replaceAll(',', '')),
  }));
};

/** How many calls the page says that the list of an address has. */
export const shownCount = async (page: Page, hash: string): Promise<number> => {
  await Promise.all([
    page.waitForResponse((response) => response.url().includes('/api/calls?')),
    page.evaluate(`location.hash = ${JSON.stringify(hash)}`),
  ]);
  // A list that is not shown to its end has its number a moment later.
  const status = page.locator('main p [role=status]').filter({ hasText: /^(?:[\d,]+ calls?,|The newest .* of )/ });
  const text = await status.innerText();
  return Number(/([\d,]+) calls?,/.exec(text)?.[1]?.replaceAll(',', ''));
};
