import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fork, type Random } from '../../../sandbox/simulator/random.ts';
import type { PreparedPost } from '../posts/expected-outcome.ts';
import { arrivalTimes, runAtTimes } from '../posts/posts.ts';
import { type SandboxChild, startSandboxChild } from '../sandbox/sandbox-child.ts';
import { type FaultStep, faultPlan, faultPlanToKill, type LoadSize } from './load-plan.ts';
import { type Sender, setFault, type Tried } from './sender.ts';

/** What is posted while faults come and go, and where. */
export interface UnderFaultsOptions {
  readonly random: Random;
  readonly size: Pick<LoadSize, 'faultySeconds' | 'longestFaultSeconds'>;
  /** Posts a second. */
  readonly rate: number;
  readonly nextPosts: (count: number) => Promise<readonly PreparedPost[]>;
  readonly sender: Sender;
  readonly child: SandboxChild;
  readonly data: string;
  /** Told of the sandbox that was started in place of the one that was killed. */
  readonly onStarted: (child: SandboxChild) => void;
  readonly onProgress: (line: string) => void;
}

/** How it went: the sandbox that runs now, and what was so when the other one was killed. */
export interface UnderFaults {
  readonly child: SandboxChild;
  readonly killedAfterEvents: number;
  readonly parkedBefore: number;
  readonly underwayAtKill: number;
  readonly awaySeconds: number;
}

const resendMilliseconds = 1_000;

/** Longer than the sandbox takes to start; posts go on meanwhile. */
const awaySeconds = 20;

const eventsKept = async (data: string): Promise<number> =>
  (await readFile(join(data, 'events.ndjson'), 'utf8')).split('\n').length - 1;

/**
 * Posts at a steady rate under faults, kills the sandbox in the middle, starts it again, and goes on. Does not wait for
 * the last answers, which may hang as long as a fault is in force.
 */
export const underFaults = async (options: UnderFaultsOptions): Promise<UnderFaults> => {
  const { random, size, rate, nextPosts, sender, data, onProgress } = options;
  const { faultySeconds, longestFaultSeconds: longest } = size;
  const seconds = faultySeconds / 2;
  const post = async (posts: readonly PreparedPost[], signal?: AbortSignal): Promise<void> => {
    const send = (index: number, dueAt: number): void => {
      const next = posts[index];
      if (next !== undefined) void sender.send(next, dueAt);
    };
    await runAtTimes(arrivalTimes(fork(random), rate, posts.length), send, signal);
  };
  const inject = async (child: SandboxChild, plan: readonly FaultStep[]): Promise<void> => {
    const startedAt = performance.now();
    const untilSecond = (at: number) => pause(Math.max(0, startedAt + at * 1_000 - performance.now()));
    for (const { at, name, fault } of plan) {
      await untilSecond(at);
      onProgress(`${name} ${fault.mode} ${fault.rate}`);
      await setFault(child, name, fault);
    }
    await untilSecond(seconds);
  };
  const killAndStart = async (killed: SandboxChild): Promise<UnderFaults> => {
    const { counts } = await killed.state();
    const underwayAtKill = sender.open().underway;
    await killed.kill();
    const killedAt = performance.now();
    const killedAfterEvents = await eventsKept(data);
    onProgress(`killed after ${killedAfterEvents} events, with ${underwayAtKill} posts under way`);

    const child = await startSandboxChild({ data, traffic: false, port: killed.port });
    options.onStarted(child);
    const away = (performance.now() - killedAt) / 1_000;
    return { child, killedAfterEvents, parkedBefore: counts.parked, underwayAtKill, awaySeconds: away };
  };
  const over = new AbortController();
  const resend = async (): Promise<void> => {
    while (!over.signal.aborted) {
      await pause(resendMilliseconds, undefined, { signal: over.signal }).catch(() => undefined);
      await sender.resend();
    }
  };

  const [first, meanwhile, second] = [
    await nextPosts(rate * seconds),
    await nextPosts(rate * awaySeconds),
    await nextPosts(rate * seconds),
  ];
  void resend();
  try {
    await Promise.all([inject(options.child, faultPlanToKill(fork(random), seconds, longest)), post(first)]);
    const back = new AbortController();
    const posting = post(meanwhile, back.signal);
    const killed = await killAndStart(options.child).finally(() => back.abort());
    await posting;
    await Promise.all([inject(killed.child, faultPlan(fork(random), seconds, longest)), post(second)]);
    return killed;
  } finally {
    over.abort();
  }
};

const tried = 5;

/** Where and what is posted while the table answers nothing at all, and how long a reply may take then. */
export interface HungTableOptions {
  readonly child: Pick<SandboxChild, 'addresses'>;
  readonly sender: Pick<Sender, 'send'>;
  readonly nextPosts: (count: number) => Promise<readonly PreparedPost[]>;
  readonly mostMilliseconds: number;
}

/** What was wrong with the replies: none, one of the 5xx, or one that came too late. Whatever was taken is parked. */
const judgeHung = (replies: readonly Tried[], mostMilliseconds: number): readonly string[] => [
  ...replies.flatMap(({ reply, milliseconds }) => {
    if (reply === undefined) return ['While the table hung, a post was not answered.'];
    if (reply.status >= 500) return [`While the table hung, a post was answered with ${reply.status}.`];
    return milliseconds <= mostMilliseconds
      ? []
      : [`While the table hung, a reply took ${Math.round(milliseconds)} ms, where ${mostMilliseconds} are allowed.`];
  }),
  ...(replies.some(({ reply }) => (reply?.parked ?? 0) > 0) ? [] : ['While the table hung, nothing was parked.']),
];

/** A table that hangs must not make whoever posts wait for long: what is posted meanwhile is parked within the deadlines. */
export const hungTable = async ({
  child,
  sender,
  nextPosts,
  mostMilliseconds,
}: HungTableOptions): Promise<readonly string[]> => {
  const posts = await nextPosts(tried);
  await setFault(child, 'dynamodb', { mode: 'timeout', rate: 1 });
  try {
    const replies = await Promise.all(posts.map((post) => sender.send(post, performance.now())));
    return judgeHung(replies, mostMilliseconds);
  } finally {
    await setFault(child, 'dynamodb', { mode: 'none', rate: 1 });
  }
};
