import type { Random } from '../../../sandbox/simulator/random.ts';
import type { PreparedPost } from '../posts/expected-outcome.ts';
import { arrivalTimes, runAtTimes } from '../posts/posts.ts';
import type { FollowedEvents } from '../sandbox/follow-events.ts';
import { cpuSeconds } from '../sandbox/processes.ts';
import { type SandboxChild, waitUntil } from '../sandbox/sandbox-child.ts';
import { percentile } from '../statistics.ts';
import type { Sender, Tried } from './sender.ts';

/** What one rate did. Milliseconds, from the instant at which a post was to be sent. */
export interface Step {
  readonly rate: number;
  readonly posts: number;
  /** Posts that were taken in, a second, until the last was answered. */
  readonly achieved: number;
  readonly p50: number;
  readonly p90: number;
  readonly p99: number;
  readonly max: number;
  /** How long after its row the slowest event came. */
  readonly lag: number;
  /** Shares of one processor: the sandbox with the functions, DynamoDB Local, and who posts. */
  readonly cpu: { readonly sandbox: number; readonly dynamodb: number; readonly poster: number };
}

/** What a step posts, and where. */
export interface StepOptions {
  readonly rate: number;
  readonly random: Random;
  readonly posts: readonly PreparedPost[];
  readonly sender: Pick<Sender, 'send'>;
  readonly child: Pick<SandboxChild, 'pids' | 'state'>;
  readonly followed: Pick<FollowedEvents, 'lags'>;
}

const quietMilliseconds = 60_000;

const isTaken = ({ reply }: Tried): boolean => reply !== undefined && reply.status < 500;

/** Resolves when no event has come for a moment. */
const untilCaughtUp = async (child: StepOptions['child']): Promise<void> => {
  let events = -1;
  let since = Date.now();
  await waitUntil(
    'the events to come',
    async () => {
      const { events: now } = await child.state();
      if (now !== events) since = Date.now();
      events = now;
      return Date.now() - since > 500;
    },
    quietMilliseconds,
  );
};

/** Posts at one rate, waits for all answers and events, and tells how it went. */
export const runStep = async ({ rate, random, posts, sender, child, followed }: StepOptions): Promise<Step> => {
  const used = () => Promise.all([child.pids.sandbox, child.pids.dynamodb, process.pid].map((pid) => cpuSeconds(pid)));
  const tried: Promise<Tried>[] = [];
  followed.lags();
  const before = await used();
  const startedAt = performance.now();

  await runAtTimes(arrivalTimes(random, rate, posts.length), (index, dueAt) => {
    const post = posts[index];
    if (post !== undefined) tried.push(sender.send(post, dueAt));
  });
  const results = await Promise.all(tried);
  const seconds = (performance.now() - startedAt) / 1_000;
  const after = await used();
  await untilCaughtUp(child);

  const latencies = results.map(({ milliseconds }) => milliseconds);
  const [sandbox = 0, dynamodb = 0, poster = 0] = after.map((one, index) => (one - (before[index] ?? 0)) / seconds);
  return {
    rate,
    posts: posts.length,
    achieved: results.filter(isTaken).length / seconds,
    p50: percentile(latencies, 0.5),
    p90: percentile(latencies, 0.9),
    p99: percentile(latencies, 0.99),
    max: percentile(latencies, 1),
    lag: percentile(followed.lags(), 1),
    cpu: { sandbox, dynamodb, poster },
  };
};

/** What counts as slow: the service that posts would wait, and subscribers would be behind. */
const slowMilliseconds = 1_000;
const farBehindMilliseconds = 5_000;

/** A machine that does something else for a moment is not the limit. */
const tries = 2;

/** Whether a rate can go on for ever: taken in as fast as it came, answered and told soon. */
const isSustained = ({ rate, achieved, p99, lag }: Step): boolean =>
  achieved >= 0.9 * rate && p99 <= slowMilliseconds && lag <= farBehindMilliseconds;

/** Raises the rate until it is not sustained, and not at a second try either. The steps, the last try of each. */
export const climb = async (
  rates: readonly number[],
  step: (rate: number) => Promise<Step>,
): Promise<readonly Step[]> => {
  const steps: Step[] = [];
  for (const rate of rates) {
    let taken = await step(rate);
    for (let tried = 1; tried < tries && !isSustained(taken); tried++) taken = await step(rate);
    steps.push(taken);
    if (!isSustained(taken)) break;
  }
  return steps;
};

/** The highest rate that was sustained; 0 if none was. */
export const sustainedRate = (steps: readonly Step[]): number => steps.filter(isSustained).at(-1)?.rate ?? 0;
