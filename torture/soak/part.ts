import { setTimeout as pause } from 'node:timers/promises';
import { seededRandom } from '../../sandbox/simulator/random.ts';
import type { Part, PartOptions, PartReport } from '../part.ts';
import { postTo } from '../posting/post-to.ts';
import { followEvents } from '../sandbox/follow-events.ts';
import { type SandboxChild, startSandboxChild } from '../sandbox/sandbox-child.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { inspectorAt } from './inspector.ts';
import { judge } from './judge.ts';
import { judgeOutcome } from './judge-outcome.ts';
import { sampler } from './sampler.ts';
import type { Sample } from './series.ts';
import { soakSizes } from './soak-sizes.ts';
import { steadyPosts } from './steady-posts.ts';

const progressOf = ({ at, heap, reply, lag }: Sample): string =>
  `${at.toFixed(0)} s, heap ${heap.toFixed(1)} MB, reply ${reply.toFixed(0)} ms, event after ${lag.toFixed(0)} ms`;

/** Posts and takes samples until the time is over, then judges them. */
const soaked = async (
  child: SandboxChild,
  { seed, size: name, onProgress }: PartOptions,
  signal: AbortSignal,
): Promise<PartReport> => {
  const size = soakSizes[name];
  const { post, close } = postTo(child.addresses.gateway);
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
