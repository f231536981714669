import { fork, seededRandom } from '../../sandbox/simulator/random.ts';
import type { Part, PartReport } from '../part.ts';
import { postTo } from '../posting/post-to.ts';
import { preparedPosts } from '../posting/prepared-posts.ts';
import { followEvents } from '../sandbox/follow-events.ts';
import { type SandboxChild, startSandboxChild } from '../sandbox/sandbox-child.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { climb, sustainedRate } from './climb.ts';
import { find } from './find.ts';
import { hungTable } from './hung-table.ts';
import { createLedger } from './ledger.ts';
import { loadFigures } from './load-figures.ts';
import { loadSizes } from './load-sizes.ts';
import { prove } from './prove.ts';
import { createSender } from './sender.ts';
import { settle } from './settle.ts';
import { runStep } from './step.ts';
import { underFaults } from './under-faults.ts';

const run: Part['run'] = async ({ seed, size: sizeName, onProgress }) => {
  const size = loadSizes[sizeName];
  const random = seededRandom(seed);
  const nextPosts = preparedPosts(fork(random));
  const { path: data, remove } = temporaryFolder('load');
  const ledger = createLedger();
  let child: SandboxChild = await startSandboxChild({ data, traffic: false });
  const { post, close } = postTo(child.addresses.gateway);
  const sender = createSender(post, ledger);

  const warmUp = async (): Promise<void> => {
    for (const first of await nextPosts(size.warmUpPosts)) await sender.send(first, performance.now());
  };
  const ladder = async () => {
    const followed = await followEvents(child.addresses.events);
    const step = async (rate: number) => {
      const posts = await nextPosts(rate * size.stepSeconds);
      const done = await runStep({ rate, random: fork(random), posts, sender, child, followed });
      onProgress(`${rate} posts/s, ${done.achieved.toFixed(1)} taken in, 99 % within ${done.p99.toFixed(0)} ms`);
      return done;
    };
    return await climb(size.ladder, step).finally(followed.stop);
  };
  const work = async (): Promise<PartReport> => {
    await warmUp();
    const steps = await ladder();
    const hung = await hungTable({ child, sender, nextPosts, mostMilliseconds: size.hungReplyMilliseconds });
    const onStarted = (started: SandboxChild): void => {
      child = started;
    };
    const rate = Math.max(size.leastFaultyRate, size.faultyShare * sustainedRate(steps));
    onProgress(`faults at ${rate} posts/s`);
    const faults = await underFaults({
      random: fork(random),
      size,
      rate,
      nextPosts,
      sender,
      child,
      data,
      onStarted,
      onProgress,
    });
    await settle(child, sender, onProgress);
    const found = { ...(await find(child)), killedAfter: [faults.killedAfterEvents] };
    onProgress(`comparing ${found.calls.length} rows and ${found.events.length} events`);
    return {
      figures: loadFigures({ steps, ledger, sender, found, faults }),
      failures: [...hung, ...prove(ledger, found)],
    };
  };

  try {
    const report = await work();
    const left = await child.stop();
    const failures = left.map(({ command }) => `A process was left: ${command}.`);
    return { ...report, failures: [...report.failures, ...failures] };
  } finally {
    close();
    await child.stop();
    remove();
  }
};

/** Load in two phases: posts at a rising rate, then under faults and a kill; in the end everything is compared. */
export const load: Part = {
  name: 'load',
  what: 'posts at a rising rate, with faults and a kill, then every row and event compared',
  run,
};
