import { rejectionResponses } from '../../../lib/callback/reply.ts';
import { serviceProblems } from '../../../lib/service/service.ts';
import type { Point } from '../../support/statistics.ts';
import {
  bytesPerCase,
  figuresOf,
  type Histories,
  memoryFailures,
  type PlayedChunk,
  runChunks,
} from '../models/run-chunks.ts';
import type { Figure, Part, PartOptions } from '../parts.ts';
import { grow, tooFast } from './growth.ts';
import { createReceiver } from './receiver.ts';

interface FuzzSize {
  readonly histories: Histories;
  /**
   * The bytes that a case may retain. A body that is stored somewhere has about 5,000. The first minutes compile code and
   * start timers that run for two minutes.
   */
  readonly maxBytesPerCase: number;
  /** Whether there are enough cases to reach every outcome. */
  readonly needsEveryOutcome: boolean;
}

/** Mostly requests, since an answer takes three polls to judge. */
const sizes: Readonly<Record<PartOptions['size'], FuzzSize>> = {
  quick: {
    histories: {
      requests: { runs: 450, chunk: 75 },
      answers: { runs: 30, chunk: 30 },
      service: { runs: 40, chunk: 40 },
    },
    maxBytesPerCase: 4_000,
    needsEveryOutcome: false,
  },
  full: {
    histories: {
      requests: { runs: 950_000, chunk: 5_000 },
      answers: { runs: 50_000, chunk: 500 },
      service: { runs: 2_000, chunk: 100 },
    },
    maxBytesPerCase: 300,
    needsEveryOutcome: true,
  },
};

/** Posts and answers of any shape: nothing crashes, leaks, is lost, pollutes prototypes, or takes too much time or memory. */
export const fuzz: Part = {
  name: 'fuzz',
  what: 'generated and mutated posts and answers, each checked for what is promised of any',
  async run(options) {
    const { size: name, onProgress } = options;
    const { histories, maxBytesPerCase, needsEveryOutcome } = sizes[name];
    const played = await runChunks(histories, options);
    const memory = memoryByThread(played);
    const growths = await grow(createReceiver('open'), name, onProgress);
    const steepest = growths.toSorted((a, b) => b.exponent - a.exponent)[0];
    const figures = outcomeFigures(played);
    const reached = new Set(figures.map(({ what }) => what));
    return {
      figures: [
        ...figures,
        { what: 'kinds of text whose growth was measured', value: growths.length },
        { what: `steepest growth, a power of the size (${steepest?.name})`, value: steepest?.exponent ?? 0 },
        { what: 'memory that a case retains', value: Math.max(0, ...memory.map(bytesPerCase)), unit: 'bytes' },
      ],
      failures: [
        ...distinct(played.flatMap(({ failure = [] }) => failure)),
        ...memory.flatMap((used) => memoryFailures(used, maxBytesPerCase)),
        ...tooFast(growths),
        ...(needsEveryOutcome ? outcomes.filter((outcome) => !reached.has(outcome)) : []).map(
          (outcome) => `No case had the outcome “${outcome}”: the changes do not reach it`,
        ),
      ],
    };
  },
};

/** Reasons that no request has where every table works and the accounts can be read. */
const ofOurs = ['accounts-not-set-up', 'accounts-unavailable', 'stores-unavailable'];
/** A reason of requests that are no posts. */
const ofOtherMethods = ['method-not-allowed'];
/** Reasons that only the posts of known senders have. */
const ofKnownSenders = ['too-many-records', 'participant-without-call', 'mixed-accounts', 'unknown-user'];
/** A reason of records, not of posts. */
const ofRecords = ['not-storable'];
/** Reasons that the network has. */
const ofNetwork = ['timeout', 'connection', 'redirect', 'too-large', 'unsendable'];
/** Reasons that a run of the poller has. */
const ofRuns = ['aborted', 'not-polled', 'token-renewed'];

/** Every outcome of a request or an answer. If no case reaches one of them, the changes are too wild. */
export const outcomes: readonly string[] = [
  'requests: stored',
  'requests: duplicate',
  ...Object.keys(rejectionResponses)
    .filter((reason) => ![...ofOurs, ...ofRecords, ...ofOtherMethods].includes(reason))
    .map((reason) => `requests: ${ofKnownSenders.includes(reason) ? 'acknowledged' : 'rejected'}: ${reason}`),
  'requests: quarantined: not-storable',
  'answers: answer: read',
  ...serviceProblems
    .filter((reason) => ![...ofNetwork, ...ofRuns].includes(reason))
    .map((reason) => `answers: answer: ${reason}`),
];

/** The counted outcomes, and the CPU time of requests in place of its sums. */
const outcomeFigures = (played: readonly PlayedChunk[]): readonly Figure[] => {
  const figures = figuresOf(played);
  const figureOf = (name: string) => figures.find(({ what }) => what === name)?.value ?? 0;
  const [cpu, bytes] = ['requests: CPU µs', 'requests: bytes'] as const;
  const requests = figureOf('histories of requests');
  return [
    ...figures.filter(({ what }) => what !== cpu && what !== bytes).toSorted((a, b) => (a.what < b.what ? -1 : 1)),
    { what: 'CPU time of a request, mean', value: figureOf(cpu) / requests / 1_000, unit: 'ms' },
    { what: 'CPU time per KB, mean', value: figureOf(cpu) / (figureOf(bytes) / 1_024) / 1_000, unit: 'ms' },
  ];
};

/** The bytes in use by the number of cases so far, for each thread. */
const memoryByThread = (played: readonly PlayedChunk[]): readonly (readonly Point[])[] =>
  [...Map.groupBy(played, ({ thread }) => thread).values()].map((own) => {
    let at = 0;
    return own.map((chunk) => {
      at += chunk.played;
      return { at, value: chunk.usedBytes };
    });
  });

/** One failure of each kind: without digits and quotations most are the same. */
const distinct = (failures: readonly string[]): readonly string[] => {
  const kindOf = (failure: string): string => failure.split(' — ')[0]?.replace(/".*"/s, '…').replace(/\d+/g, '#') ?? '';
  return [...Map.groupBy(failures, kindOf).values()].flatMap((same) => same.slice(0, 1));
};
