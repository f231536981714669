import { fork, seededRandom } from '../../../sandbox/simulator/random.ts';
import type { Figure, Part, PartReport } from '../part.ts';
import { preparedPosts } from '../posts/expected-outcome.ts';
import { createPostClient } from '../posts/post-client.ts';
import { followEvents } from '../sandbox/follow-events.ts';
import { type SandboxChild, startSandboxChild } from '../sandbox/sandbox-child.ts';
import { rounded } from '../statistics.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { createLedger, type Ledger } from './ledger.ts';
import { loadSizes } from './load-plan.ts';
import { climb, runStep, type Step, sustainedRate } from './rate-step.ts';
import { createSender, type Sender, settle } from './sender.ts';
import { readStoredState, type StoredState } from './stored-state.ts';
import { hungTable, type UnderFaults, underFaults } from './under-faults.ts';
import { repeatsIn, verify } from './verify.ts';

const stepFigures = ({ rate, achieved, p50, p90, p99, max, lag, cpu }: Step): readonly Figure[] => {
  const at = `at ${rate} posts/s:`;
  return [
    { what: `${at} taken in`, value: rounded(achieved), unit: '1/s' },
    { what: `${at} reply, median`, value: rounded(p50), unit: 'ms' },
    { what: `${at} reply, 90 %`, value: rounded(p90), unit: 'ms' },
    { what: `${at} reply, 99 %`, value: rounded(p99), unit: 'ms' },
    { what: `${at} reply, slowest`, value: rounded(max), unit: 'ms' },
    { what: `${at} row to event, slowest`, value: rounded(lag, 0), unit: 'ms' },
    { what: `${at} processor, sandbox and functions`, value: rounded(100 * cpu.sandbox, 0), unit: '%' },
    { what: `${at} processor, DynamoDB Local`, value: rounded(100 * cpu.dynamodb, 0), unit: '%' },
    { what: `${at} processor, who posts`, value: rounded(100 * cpu.poster, 0), unit: '%' },
  ];
};

/** All that was measured, as figures. */
export interface Measured {
  readonly steps: readonly Step[];
  readonly ledger: Ledger;
  readonly sender: Sender;
  readonly found: StoredState;
  readonly faults: UnderFaults;
}

/** The figures of this part: the ladder first, then the faults. */
const loadFigures = ({ steps, ledger, sender, found, faults }: Measured): readonly Figure[] => {
  const answers = sender.answers();
  const sum = (isMeant: (word: string) => boolean): number =>
    [...answers].reduce((total, [word, count]) => total + (isMeant(word) ? count : 0), 0);
  const deliveries = [...ledger.records.values()].flatMap((record) => [...record.deliveries.values()]);
  const told = found.events.filter(({ detail }) => detail['callId'] !== undefined);

  return [
    ...steps.flatMap(stepFigures),
    { what: 'highest rate that was sustained', value: sustainedRate(steps), unit: '1/s' },
    { what: 'posts, with those sent again', value: sum(() => true) },
    ...[...answers].map(([word, value]): Figure => ({ what: `posts answered: ${word}`, value })),
    {
      what: 'distinct deliveries acknowledged',
      value: deliveries.filter((one) => one.acknowledgedAt !== undefined).length,
    },
    { what: 'legs and participants', value: ledger.records.size },
    { what: 'rows in the table, with index entries', value: found.calls.length },
    { what: 'records parked before the kill', value: faults.parkedBefore },
    { what: 'posts under way at the kill', value: faults.underwayAtKill },
    { what: 'away after the kill', value: rounded(faults.awaySeconds), unit: 's' },
    { what: 'events of calls and participants', value: told.length },
    { what: 'of them repeats', value: repeatsIn(told) },
    { what: 'rows in quarantine', value: found.quarantine.length },
  ];
};

const run: Part['run'] = async ({ seed, size: sizeName, onProgress }) => {
  const size = loadSizes[sizeName];
  const random = seededRandom(seed);
  const nextPosts = preparedPosts(fork(random));
  const { path: data, remove } = temporaryFolder('load');
  const ledger = createLedger();
  let child: SandboxChild = await startSandboxChild({ data, traffic: false });
  const { post, close } = createPostClient(child.addresses.gateway);
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
    const found = { ...(await readStoredState(child)), killedAfter: [faults.killedAfterEvents] };
    onProgress(`comparing ${found.calls.length} rows and ${found.events.length} events`);
    return {
      figures: loadFigures({ steps, ledger, sender, found, faults }),
      failures: [...hung, ...verify(ledger, found)],
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
