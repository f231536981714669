import type { Random } from '../../sandbox/simulator/random.ts';
import { percentile } from '../figures/percentile.ts';
import { arrivals } from '../posting/arrivals.ts';
import { atTheirTimes } from '../posting/at-their-times.ts';
import type { PreparedPost } from '../posting/prepared-posts.ts';
import { cpuSeconds } from '../sandbox/cpu-seconds.ts';
import type { FollowedEvents } from '../sandbox/follow-events.ts';
import type { SandboxChild } from '../sandbox/sandbox-child.ts';
import { until } from '../sandbox/until.ts';
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
  await until(
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

  await atTheirTimes(arrivals(random, rate, posts.length), (index, dueAt) => {
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
