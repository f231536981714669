import { pollProblems } from '../../../lib/agents/feed.ts';
import { rejectionResponses } from '../../../lib/callback/rejections.ts';
import { seededRandom } from '../../../sandbox/simulator/random.ts';
import { bytesPerCase, memoryFailures } from '../memory.ts';
import type { Figure, Part, PartOptions } from '../part.ts';
import { type Growth, grow, tooFast } from './growth.ts';
import { createReceiver } from './receiver.ts';
import { type CaseCounts, type CasesOptions, type Counts, runCases, sumCounts } from './run-cases.ts';
import { tryMalformedResponses } from './try-malformed-http.ts';
import { flood } from './try-request.ts';
import { runInWorker } from './workers.ts';

/** What no request can cause where every table works and the accounts can be read. */
const ofTheWorld = ['accounts-not-set-up', 'accounts-unavailable', 'stores-unavailable'];
/** It happens to a record, not to a post. */
const ofRecords = ['not-storable'];
/** It happens on the way. */
const ofTheWire = ['timeout', 'connection', 'redirect', 'too-large', 'unsendable'];
/** It happens to a run of ours. */
const ofRuns = ['aborted', 'not-polled', 'token-renewed'];

/** Everything that can become of a request or an answer: if nothing ever came to one of them, the changes are too wild. */
export const classes: readonly string[] = [
  'stored',
  'duplicate',
  ...Object.keys(rejectionResponses)
    .filter((reason) => ![...ofTheWorld, ...ofRecords].includes(reason))
    .map((reason) => `refused: ${reason}`),
  'quarantined: not-storable',
  'answer: read',
  ...pollProblems.filter((reason) => ![...ofTheWire, ...ofRuns].includes(reason)).map((reason) => `answer: ${reason}`),
];

/** How much is tried. */
export interface FuzzSize {
  readonly requests: number;
  readonly answers: number;
  /** After each of them the memory is measured. */
  readonly rounds: number;
  /** None: all in this thread. */
  readonly workers: number;
  /** How often each lie is told over HTTP. */
  readonly lieRounds: number;
  /**
   * The memory in bytes that may stay with each case. Of a body that is kept somewhere there are some 5,000; the first
   * minutes compile code, and start timers that run for two minutes.
   */
  readonly mostBytesPerCase: number;
  /** Whether enough is tried for everything to happen that can. */
  readonly needsEveryClass: boolean;
}

/** The sizes by name: a million cases, most of them requests, since an answer takes three polls to judge. */
const fuzzSizes: Readonly<Record<'quick' | 'full', FuzzSize>> = {
  quick: {
    requests: 700,
    answers: 35,
    rounds: 7,
    workers: 0,
    lieRounds: 1,
    mostBytesPerCase: 4_000,
    needsEveryClass: false,
  },
  full: {
    requests: 950_000,
    answers: 50_000,
    rounds: 50,
    workers: 2,
    lieRounds: 40,
    mostBytesPerCase: 300,
    needsEveryClass: true,
  },
};

const onePercent = 100;

/** In this thread, or in as many workers as the size says. */
const tallies = async ({ seed, size: name, onProgress }: PartOptions) => {
  const { requests, answers, rounds, workers } = fuzzSizes[name];
  const shares = Math.max(1, workers);
  const each = { seed, rounds, shares, requests: requests / shares, answers: answers / shares };
  if (workers === 0) return [await runCases({ ...each, share: 0 } satisfies CasesOptions)];
  return Promise.all(
    Array.from({ length: workers }, (_, share) =>
      runInWorker({ ...each, share }, (round) =>
        onProgress(`worker ${share + 1} has done ${Math.round(((round + 1) / rounds) * onePercent)} %`),
      ),
    ),
  );
};

const isTally = (result: object): result is CaseCounts => 'requests' in result;

const figuresOf = (tally: Counts, growths: readonly Growth[], grown: number): readonly Figure[] => {
  const steepest = growths.toSorted((a, b) => b.exponent - a.exponent)[0];
  return [
    { what: 'requests', value: tally.requests },
    { what: 'answers of getAgentLogins', value: tally.answers },
    ...Object.entries(tally.outcomes).map(([what, value]) => ({ what, value })),
    { what: 'CPU time of a request, mean', value: tally.cpuMicroseconds / tally.requests / 1_000, unit: 'ms' },
    { what: 'CPU time per KB, mean', value: tally.cpuMicroseconds / (tally.bytes / 1_024) / 1_000, unit: 'ms' },
    {
      what: `CPU time per KB, worst (request ${tally.worst.number})`,
      value: tally.worst.microsecondsPerKb / 1_000,
      unit: 'ms',
    },
    { what: 'kinds of text of which the growth was measured', value: growths.length },
    { what: `steepest growth, a power of the size (${steepest?.name})`, value: steepest?.exponent ?? 0 },
    { what: 'memory that stays with each case', value: Math.max(0, grown), unit: 'bytes' },
  ];
};

const run: Part['run'] = async (options) => {
  const { seed, size: name, onProgress } = options;
  const size = fuzzSizes[name];
  const results = await tallies(options);
  const whole = results.filter(isTally);
  if (whole.length === 0) return { figures: [], failures: results.flatMap(({ failures }) => failures) };

  const tally = sumCounts(whole);
  const casesPerRound = (size.requests + size.answers) / Math.max(1, size.workers) / size.rounds;
  const lies = await tryMalformedResponses(seededRandom(seed), size.lieRounds);
  onProgress(`${lies.told} lies told over HTTP`);
  const flooded = await flood(createReceiver('open'));
  const growths = await grow(createReceiver('open'), name, onProgress);
  const empty = size.needsEveryClass ? classes.filter((one) => tally.outcomes[one] === undefined) : [];
  return {
    figures: [
      ...figuresOf(tally, growths, Math.max(...whole.map(({ used }) => bytesPerCase(used, casesPerRound)))),
      { what: 'lies told over HTTP', value: lies.told },
      { what: 'of which were read as an answer', value: lies.answered },
      { what: `kept of ${flooded.posts} posts of strangers in one minute`, value: flooded.kept },
    ],
    failures: [
      ...results.flatMap(({ failures }) => failures),
      ...whole.flatMap(({ used }) => memoryFailures(used, casesPerRound, size.mostBytesPerCase)),
      ...lies.breaches.map((breach) => `${breach} (seed ${seed})`),
      ...flooded.breaches,
      ...tooFast(growths),
      ...empty.map((one) => `Nothing ever came to “${one}”: the changes do not reach that far`),
    ],
  };
};

/** Generated and mutated requests and answers: nothing crashes, leaks, gets lost, pollutes, or grows out of proportion. */
export const fuzz: Part = {
  name: 'hostile',
  what: 'generated and mutated posts and answers, each held against what is promised of any',
  run,
};
