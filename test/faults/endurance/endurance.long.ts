import { setTimeout as pause } from 'node:timers/promises';
import type { SandboxState } from '../../../sandbox/sandbox-routes.ts';
import { fork, seededRandom } from '../../../sandbox/simulator/random.ts';
import { rounded } from '../../support/statistics.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import type { Figure, Part, PartOptions, PartReport } from '../parts.ts';
import { createLedger, createSender, type Ledger, preparedPosts } from './ledger.ts';
import { drain, type Endurance, hungTable, type Kill, steadyLoad, underFaults } from './phases.ts';
import { type Allowed, judgeSamples, startSandboxChild } from './samples.ts';
import { isOfCall, readStoredState, repeatsIn, type StoredState, verify } from './verify.ts';

/** How long the phases take, and what counts as flat. */
export interface EnduranceSize {
  readonly rate: number;
  /** What is loaded, compiled and cached in this time is not a leak. */
  readonly warmUpSeconds: number;
  readonly steadySeconds: number;
  readonly sampleSeconds: number;
  readonly allowed: Allowed;
  /** Whether a post that is not stored in time during the steady phase is a failure. */
  readonly judgesSpeed: boolean;
  /** How long a reply may take while the table hangs: the deployed deadlines, and where speed is not judged any time. */
  readonly hungReplyMs: number;
  /** Before the kill, and again after it. */
  readonly faultySeconds: number;
  /** The longest time of a fault, and between two. */
  readonly longestFaultSeconds: number;
}

const sizes: Readonly<Record<PartOptions['size'], EnduranceSize>> = {
  // Other tests run beside it, so speed, timers and waiting connections are not judged.
  quick: {
    rate: 10,
    warmUpSeconds: 1,
    steadySeconds: 4,
    sampleSeconds: 0.5,
    allowed: { heap: 12, rss: 150 },
    judgesSpeed: false,
    hungReplyMs: Number.POSITIVE_INFINITY,
    faultySeconds: 1.6,
    longestFaultSeconds: 0.6,
  },
  full: {
    rate: 20,
    warmUpSeconds: 110,
    steadySeconds: 300,
    sampleSeconds: 5,
    // The publisher’s memory of recent events takes some 2.5 MB until it is cleared.
    allowed: { heap: 4, rss: 32, timers: 20, resources: 20, files: 20, reply: 10, lag: 100 },
    judgesSpeed: true,
    hungReplyMs: 3_500,
    faultySeconds: 140,
    longestFaultSeconds: 6,
  },
};

/** A steady load, then faults and a SIGKILL on the same data, then a comparison of everything stored with everything posted. */
export const endurance: Part = {
  name: 'endurance',
  what: 'a steady load, then faults and a kill; memory stays flat and nothing is lost',
  async run({ seed, size: name, onProgress }) {
    const size = sizes[name];
    const random = seededRandom(seed);
    const { path: data, remove } = temporaryFolder('endurance');
    const ledger = createLedger();
    const child = await startSandboxChild({ data });
    const sender = createSender(child.addresses.gateway, fork(random), ledger);
    const run: Endurance = {
      ...{ random, size, data, sender, child, onProgress },
      nextPosts: preparedPosts(fork(random)),
    };
    try {
      return await allPhases(run, ledger);
    } finally {
      await run.child.stop();
      remove();
    }
  },
};

const allPhases = async (run: Endurance, ledger: Ledger): Promise<PartReport> => {
  const { sender, size, onProgress } = run;
  const steady = judgeSamples(await steadyLoad(run), size.allowed);
  const slow = size.judgesSpeed ? slowAnswers(sender.answers()) : [];
  const hung = await hungTable(run);
  const kill = await underFaults(run);
  await drain(run);
  const stored = await settledState(ledger, run, kill);
  const outcome = judgeOutcome(sender.answers(), [kill.state, await run.child.state()]);
  onProgress(`comparing ${stored.calls.length} rows and ${stored.events.length} events`);
  return {
    figures: [...outcome.figures, ...steady.figures, ...faultFigures(ledger, stored, kill)],
    failures: [...steady.failures, ...slow, ...hung, ...outcome.failures, ...verify(ledger, stored)],
  };
};

const settleMs = 60_000;

/** What is stored once nothing is wrong with it, or at the deadline: on a busy machine the last events come late. */
const settledState = async (ledger: Ledger, { child }: Endurance, kill: Kill): Promise<StoredState> => {
  const deadline = performance.now() + settleMs;
  for (;;) {
    const stored = { ...(await readStoredState(child)), killedAfter: [kill.events] };
    if (verify(ledger, stored).length === 0 || performance.now() > deadline) return stored;
    await pause(1_000);
  }
};

const countOf = (answers: ReadonlyMap<string, number>, pattern: RegExp): number =>
  [...answers].reduce((sum, [label, count]) => sum + (pattern.test(label) ? count : 0), 0);

/** Without a fault every post is answered, and the stores have time for it. */
const slowAnswers = (answers: ReadonlyMap<string, number>): readonly string[] => {
  const count = countOf(answers, /^(no answer|503)/);
  return count === 0 ? [] : [`${count} posts of the steady load were not stored in time.`];
};

/** Whether no post failed for good, nothing became a dead letter, and the service was never asked too often. */
const judgeOutcome = (answers: ReadonlyMap<string, number>, states: readonly SandboxState[]): PartReport => {
  const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);
  const accounts = states.flatMap(({ provider }) => Object.values(provider));
  const polls = sum(accounts.map(({ requests }) => requests));
  const overLimit = sum(accounts.map((account) => account.overLimit));
  const posts = sum([...answers.values()]);
  const failed = countOf(answers, /^(401|500)/);
  const deadLetters = Math.max(...states.map((state) => state.deadLetters));

  return {
    figures: [
      { what: 'posts, with those sent again', value: posts },
      ...[...answers].map(([label, value]): Figure => ({ what: `posts answered: ${label}`, value })),
      { what: 'polls', value: polls },
    ],
    failures: [
      ...(posts === 0 ? ['Nothing was posted.'] : []),
      ...(polls === 0 ? ['The agents were never polled.'] : []),
      ...(failed > 0 ? [`${failed} posts were answered with 401 or 500.`] : []),
      ...(overLimit > 0 ? [`The service’s limit was exceeded ${overLimit} times.`] : []),
      ...(deadLetters > 0 ? [`${deadLetters} parked records became dead letters.`] : []),
    ],
  };
};

const faultFigures = (ledger: Ledger, { calls, quarantine, events }: StoredState, kill: Kill): readonly Figure[] => {
  const deliveries = [...ledger.records.values()].flatMap((record) => [...record.deliveries.values()]);
  const ofCalls = events.filter(isOfCall);
  return [
    {
      what: 'distinct deliveries acknowledged',
      value: deliveries.filter(({ acknowledgedAt }) => acknowledgedAt !== undefined).length,
    },
    { what: 'legs and participants', value: ledger.records.size },
    { what: 'rows in the table, with index entries', value: calls.length },
    { what: 'rows in quarantine', value: quarantine.length },
    { what: 'records parked before the kill', value: kill.state.counts.parked },
    { what: 'posts in flight at the kill', value: kill.inFlight },
    { what: 'down after the kill', value: rounded(kill.downSeconds), unit: 's' },
    { what: 'events of calls and participants', value: ofCalls.length },
    { what: 'repeated events', value: repeatsIn(ofCalls) },
  ];
};
