import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Fault, type FaultName, faultNames } from '../../../sandbox/faults.ts';
import type { SandboxState } from '../../../sandbox/sandbox-routes.ts';
import { fork, pick, type Random } from '../../../sandbox/simulator/random.ts';
import { until } from '../../support/process-tree.ts';
import type { Attempt, PreparedPost, Sender } from './ledger.ts';
import type { EnduranceSize } from './part.ts';
import { minSamples, type Sample, type SandboxChild, startSampler, startSandboxChild } from './samples.ts';

/** A fault that begins or ends, in seconds from the start of the plan. */
interface FaultChange {
  readonly at: number;
  readonly name: FaultName;
  readonly fault: Fault;
}

const noFault: Fault = { mode: 'none', rate: 1 };

/** Faults of table, bus and queue that begin and end independently of each other. Times are in seconds. */
const faultPlan = (random: Random, seconds: number, longest: number): readonly FaultChange[] =>
  (['dynamodb', 'eventbridge', 'queue'] as const)
    .flatMap((name) => changesOf(name, fork(random), seconds, longest))
    .filter(({ at }) => at < seconds)
    .sort((one, later) => one.at - later.at);

/** A plan before a kill: towards its end all three services are in trouble. */
const faultPlanToKill = (random: Random, seconds: number, longest: number): readonly FaultChange[] => {
  const pressureAt = seconds - longest;
  return [...faultPlan(random, pressureAt, longest), ...pressure.map((change) => ({ at: pressureAt, ...change }))];
};

const modes = ['throttle', 'error', 'timeout'] as const;
const rates = [0.02, 0.1, 0.3, 0.6, 1] as const;

const changesOf = (name: FaultName, random: Random, seconds: number, longest: number): readonly FaultChange[] => {
  const changes: FaultChange[] = [];
  const length = (): number => longest * (0.2 + 0.8 * random());
  for (let at = length(); at < seconds; at += length()) {
    changes.push({ at, name, fault: { mode: pick(random, modes), rate: pick(random, rates) } });
    at += length();
    changes.push({ at, name, fault: noFault });
  }
  return changes;
};

/** In force at the kill: posts wait for the table, some are parked, and events are rejected. */
const pressure: readonly Omit<FaultChange, 'at'>[] = [
  { name: 'dynamodb', fault: { mode: 'timeout', rate: 0.6 } },
  { name: 'queue', fault: { mode: 'error', rate: 0.1 } },
  { name: 'eventbridge', fault: { mode: 'throttle', rate: 0.3 } },
];

/** What all phases share. `child` changes when the sandbox is killed and started again. */
export interface Endurance {
  readonly random: Random;
  readonly size: EnduranceSize;
  readonly data: string;
  readonly nextPosts: (count: number) => Promise<readonly PreparedPost[]>;
  readonly sender: Sender;
  child: SandboxChild;
  readonly onProgress: (line: string) => void;
}

/** Posts at a steady rate, and takes samples once the warm-up is over. */
export const steadyLoad = async ({ child, size, nextPosts, sender, onProgress }: Endurance) => {
  const { rate, warmUpSeconds, steadySeconds, sampleSeconds } = size;
  const posts = await nextPosts(rate * (warmUpSeconds + steadySeconds));
  const sampler = await startSampler(child, sender.latencies);
  let isSent = false;
  const sending = sender.sendAtRate(posts, rate).finally(() => {
    isSent = true;
  });
  const samples: Sample[] = [];
  try {
    await pause(warmUpSeconds * 1_000);
    sender.latencies();
    // A busy machine takes longer for the posts, and memory grows with their number.
    while (!isSent || sender.open().inFlight > 0 || samples.length < minSamples) {
      await pause(sampleSeconds * 1_000);
      const sample = await sampler.take();
      samples.push(sample);
      const { at, heap, reply, lag } = sample;
      onProgress(
        `${at.toFixed(0)} s, heap ${heap.toFixed(1)} MB, reply ${reply.toFixed(0)} ms, lag ${lag.toFixed(0)} ms`,
      );
    }
    return samples;
  } finally {
    await sending;
    await sampler.close();
  }
};

const postsToHungTable = 5;

/** While the table hangs, posts are parked within the deadlines, so that the sender does not wait for long. */
export const hungTable = async ({ child, size, nextPosts, sender }: Endurance): Promise<readonly string[]> => {
  const posts = await nextPosts(postsToHungTable);
  await setFault(child, 'dynamodb', { mode: 'timeout', rate: 1 });
  try {
    const attempts = await Promise.all(posts.map((post) => sender.send(post, performance.now())));
    return judgeHung(attempts, size.hungReplyMs);
  } finally {
    await setFault(child, 'dynamodb', noFault);
  }
};

const judgeHung = (attempts: readonly Attempt[], maxMs: number): readonly string[] => [
  ...attempts.flatMap(({ reply, milliseconds }) => {
    if (reply === undefined) return ['While the table hung, a post was not answered.'];
    if (reply.status >= 500) return [`While the table hung, a post was answered with ${reply.status}.`];
    return milliseconds <= maxMs
      ? []
      : [`While the table hung, a reply took ${Math.round(milliseconds)} ms, where ${maxMs} are allowed.`];
  }),
  ...(attempts.some(({ reply }) => (reply?.parked ?? 0) > 0) ? [] : ['While the table hung, nothing was parked.']),
];

export interface Kill {
  readonly state: SandboxState;
  readonly events: number;
  readonly inFlight: number;
  readonly downSeconds: number;
}

const resendMs = 1_000;

/** Longer than the sandbox takes to start; posts go on meanwhile. */
const maxDownSeconds = 20;

/**
 * Posts under faults, kills the sandbox, starts it on the same data, and goes on under faults. It does not wait for the
 * last replies, which may hang as long as a fault is in force.
 */
export const underFaults = async (run: Endurance): Promise<Kill> => {
  const { random, size, nextPosts, sender } = run;
  const { rate, faultySeconds: seconds, longestFaultSeconds: longest } = size;
  const [before, meanwhile, after] = [
    await nextPosts(rate * seconds),
    await nextPosts(rate * maxDownSeconds),
    await nextPosts(rate * seconds),
  ];
  const over = new AbortController();
  const resendNowAndThen = async (): Promise<void> => {
    while (!over.signal.aborted) {
      await pause(resendMs, undefined, { signal: over.signal }).catch(() => undefined);
      await sender.resend();
    }
  };
  void resendNowAndThen();
  try {
    await Promise.all([
      inject(run, faultPlanToKill(fork(random), seconds, longest), seconds),
      sender.sendAtRate(before, rate),
    ]);
    const isBack = new AbortController();
    const sending = sender.sendAtRate(meanwhile, rate, isBack.signal);
    const kill = await killAndStart(run).finally(() => isBack.abort());
    await sending;
    await Promise.all([
      inject(run, faultPlan(fork(random), seconds, longest), seconds),
      sender.sendAtRate(after, rate),
    ]);
    return kill;
  } finally {
    over.abort();
  }
};

const inject = async ({ child, onProgress }: Endurance, plan: readonly FaultChange[], seconds: number) => {
  const startedAt = performance.now();
  const untilSecond = (at: number) => pause(Math.max(0, startedAt + at * 1_000 - performance.now()));
  for (const { at, name, fault } of plan) {
    await untilSecond(at);
    onProgress(`${name} ${fault.mode} ${fault.rate}`);
    await setFault(child, name, fault);
  }
  await untilSecond(seconds);
};

const killAndStart = async (run: Endurance): Promise<Kill> => {
  const { child: killed, data, sender, onProgress } = run;
  const state = await killed.state();
  const { inFlight } = sender.open();
  await killed.kill();
  const killedAt = performance.now();
  const events = (await readFile(join(data, 'events.ndjson'), 'utf8')).split('\n').length - 1;
  onProgress(`killed after ${events} events, with ${inFlight} posts in flight`);

  run.child = await startSandboxChild({ data, port: killed.port });
  return { state, events, inFlight, downSeconds: (performance.now() - killedAt) / 1_000 };
};

const setFault = async ({ addresses }: SandboxChild, name: FaultName, fault: Fault): Promise<void> => {
  const response = await fetch(`${addresses.faults}/${name}`, { method: 'PUT', body: JSON.stringify(fault) });
  if (!response.ok) throw new Error(`The sandbox rejected a fault: ${await response.text()}`);
};

const drainSeconds = 180;
const progressMs = 2_000;

/** Without an event for so long, none is expected any more. */
const quietMs = 1_000;

/** Lifts all faults and waits until every post is answered, nothing is parked and no event comes. Rejects if not in time. */
export const drain = async ({ child, sender, onProgress }: Endurance): Promise<void> => {
  for (const name of faultNames) await setFault(child, name, noFault);

  let quietSince = Date.now();
  let reportedAt = 0;
  let known = -1;
  const isDrained = async (): Promise<boolean> => {
    await sender.resend();
    const { inFlight, toResend } = sender.open();
    const { parked, events } = await child.state();
    if (parked + inFlight + toResend > 0 || events !== known) quietSince = Date.now();
    known = events;
    if (Date.now() - reportedAt > progressMs) {
      onProgress(`${toResend} to send again, ${parked} parked, ${events} events`);
      reportedAt = Date.now();
    }
    return Date.now() - quietSince > quietMs;
  };
  await until('everything posted is stored and published', isDrained, Boolean, { seconds: drainSeconds });
};
