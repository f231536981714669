import { setTimeout as pause } from 'node:timers/promises';
import { fork, type Random, seededRandom } from '../../../sandbox/simulator/random.ts';
import type { Part, PartOptions, PartReport } from '../part.ts';
import { createPostClient } from '../posts/post-client.ts';
import { arrivalTimes, posts, runAtTimes } from '../posts/posts.ts';
import { followEvents } from '../sandbox/follow-events.ts';
import { type SandboxChild, startSandboxChild } from '../sandbox/sandbox-child.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { judge, judgeOutcome, soakSizes } from './judge.ts';
import { inspectorAt, type Sample, sampler } from './sampler.ts';

/** Posts that go on, and what became of them. */
export interface SteadyPosts {
  /** Resolves when the last was sent. */
  readonly sent: Promise<void>;
  /** The latencies since this was asked last, in milliseconds from when a post was due. */
  readonly latencies: () => readonly number[];
  /** How often each status was answered; 0 is no answer. */
  readonly answers: ReadonlyMap<number, number>;
}

/** How much is posted, and until when at the latest. */
export interface SteadyPostsOptions {
  readonly random: Random;
  readonly rate: number;
  readonly seconds: number;
  readonly post: ReturnType<typeof createPostClient>['post'];
  readonly signal: AbortSignal;
}

/** Posts as the contact centre does, at a steady rate. */
const steadyPosts = ({ random, rate, seconds, post, signal }: SteadyPostsOptions): SteadyPosts => {
  const series = posts(fork(random));
  const answers = new Map<number, number>();
  let latencies: number[] = [];

  const send = async (dueAt: number): Promise<void> => {
    const { status = 0 } = (await post(series.next().value)) ?? {};
    latencies.push(performance.now() - dueAt);
    answers.set(status, (answers.get(status) ?? 0) + 1);
  };
  const times = arrivalTimes(fork(random), rate, rate * seconds);

  return {
    sent: runAtTimes(times, (_index, dueAt) => void send(dueAt), signal),
    latencies() {
      const taken = latencies;
      latencies = [];
      return taken;
    },
    answers,
  };
};

const progressOf = ({ at, heap, reply, lag }: Sample): string =>
  `${at.toFixed(0)} s, heap ${heap.toFixed(1)} MB, reply ${reply.toFixed(0)} ms, event after ${lag.toFixed(0)} ms`;

/** Posts and takes samples until the time is over, then judges them. */
const soaked = async (
  child: SandboxChild,
  { seed, size: name, onProgress }: PartOptions,
  signal: AbortSignal,
): Promise<PartReport> => {
  const size = soakSizes[name];
  const { post, close } = createPostClient(child.addresses.gateway);
  const followed = await followEvents(child.addresses.events);
  const inspector = await inspectorAt(child.inspector ?? '');
  const posting = steadyPosts({ ...size, random: seededRandom(seed), post, signal });
  const taking = sampler({ child, inspector, followed, latencies: posting.latencies });
  const samples: Sample[] = [];

  try {
    while ((samples.at(-1)?.at ?? 0) < size.seconds) {
      await pause(size.sampleSeconds * 1_000);
      const sample = await taking.take();
      samples.push(sample);
      onProgress(progressOf(sample));
    }
    await posting.sent;
    const [outcome, judged] = [judgeOutcome(posting.answers, await child.state(), size), judge(samples, size)];
    return {
      figures: [...outcome.figures, { what: 'samples', value: samples.length }, ...judged.figures],
      failures: [...outcome.failures, ...judged.failures],
    };
  } finally {
    close();
    taking.close();
    inspector.close();
    await followed.stop();
  }
};

const run: Part['run'] = async (options) => {
  const { path: data, remove } = temporaryFolder('soak');
  const child = await startSandboxChild({ data, traffic: true, inspected: true });
  const stopping = new AbortController();

  try {
    const report = await soaked(child, options, stopping.signal);
    const left = (await child.stop()).map(({ command }) => `A process was left: ${command}.`);
    return { ...report, failures: [...report.failures, ...left] };
  } finally {
    stopping.abort();
    await child.stop();
    remove();
  }
};

/** A steady rate for a long time: whatever grows meanwhile would end a process some day. */
export const soak: Part = {
  name: 'soak',
  what: 'a steady rate for ten minutes; memory, handles and lag stay flat',
  run,
};
