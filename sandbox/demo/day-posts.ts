import type { Account } from '../../lib/accounts/accounts.ts';
import type { PlannedCall } from '../simulator/call.ts';
import type { Engagement, LoggedIn } from '../simulator/centre.ts';
import {
  formCarrier,
  plainWriting,
  postedContentOf,
  shapes,
  singleShape,
  timelines,
  type Wire,
} from '../simulator/posts.ts';
import { type Random, seededRandom } from '../simulator/random.ts';
import type { DayPlan } from './day-plan.ts';

/** A post of the service about a call, and when it arrives, in milliseconds since the epoch. */
export interface DuePost {
  readonly at: number;
  readonly callId: string;
  readonly wire: Wire;
}

const second = 1000;

/** The service needs so long for its post after a call, or after its wrap-up. */
const postedAfter = 2 * second;

/** What the service posts of a day, in the order of time: most calls once, others again, with a disposition or less complete. */
export const postsOf = ({ calls }: Pick<DayPlan, 'calls'>, account: Account): readonly DuePost[] =>
  calls.flatMap((call) => postsOfCall(call, account)).toSorted((one, other) => one.at - other.at);

const postsOfCall = (call: PlannedCall, account: Account): readonly DuePost[] => {
  const random = seededRandom(Number(call.id.slice(-9)));
  const [advanced] = shapes;
  const shape = random() < 0.25 ? advanced : singleShape;
  const posted = (version: PlannedCall, at: number): DuePost => {
    const content = postedContentOf(shape, version, account, (fields) => fields);
    return { at, callId: call.id, wire: formCarrier.carry(plainWriting.write(content)) };
  };
  const first = call.endedAt + postedAfter;
  const wrapsUp = call.wrapUpSeconds * second;
  const versions = versionsOf(random, call);
  const posts =
    versions === undefined
      ? [posted(call, first + wrapsUp)]
      : versions
          .versions(random, call)
          .map((one) => posted(one.call, first + (versions.wrapsUpLater ? 0 : wrapsUp) + one.afterSeconds * second));
  const [last] = posts.slice(-1);
  return random() < 0.04 && last !== undefined ? [...posts, { ...last, at: last.at + 9 * second }] : posts;
};

const [lateDisposition, , lessCompleteLater] = timelines;

/** Of some calls the disposition comes later, and of a few a copy that knows less. */
const versionsOf = (random: Random, { engagements }: PlannedCall) => {
  const drawn = random();
  if (engagements.length === 0 || drawn > 0.24) return undefined;
  return drawn < 0.2 ? lateDisposition : lessCompleteLater;
};

/** Who is logged in at an instant of a day, and in which state: a call comes before a break, and before the end of a shift. */
export const loggedInAt = (
  { stretches, calls }: Pick<DayPlan, 'stretches' | 'calls'>,
  at: number,
): readonly LoggedIn[] => {
  const there = stretches.filter(({ from, until }) => from <= at && at < until);
  const busy = calls
    .filter(({ startedAt }) => startedAt <= at)
    .flatMap(({ engagements }) => engagements.filter(({ ringsAt, readyAt }) => ringsAt <= at && at < readyAt));
  const found = new Map([
    ...there.map(({ agent, state }): [string, LoggedIn] => [agent.id, { ...agent, state }]),
    ...busy.map((own): [string, LoggedIn] => [own.agent.id, { ...own.agent, state: stateIn(own, at) }]),
  ]);
  return [...found.values()];
};

const stateIn = ({ talksAt, leavesAt }: Engagement, at: number): string => {
  if (at < talksAt) return 'calling';
  return at < leavesAt ? 'INCALL' : 'ACW';
};
