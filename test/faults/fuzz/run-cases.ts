import { usedBytes } from '../memory.ts';
import { bytesOf } from './carriers.ts';
import { createReceiver } from './receiver.ts';
import { tryAnswer } from './try-answer.ts';
import { type Receivers, type Tried, tryRequest } from './try-request.ts';

/** Remembers each kind of breach once: a fault that shows in every hundredth case is one fault. */
export interface ViolationLog {
  readonly note: (breach: string, about: string) => void;
  readonly failures: () => readonly string[];
}

/** Without what differs from case to case. */
const kindOf = (breach: string): string => breach.replace(/".*"/s, '…').replace(/\d+/g, '#').slice(0, 100);

/** A book with nothing in it. */
const createViolationLog = (): ViolationLog => {
  const kinds = new Map<string, { readonly first: string; readonly times: number }>();

  return {
    note(breach, about) {
      const kind = kindOf(breach);
      const { first = `${breach} (${about})`, times = 0 } = kinds.get(kind) ?? {};
      kinds.set(kind, { first, times: times + 1 });
    },
    failures: () => [...kinds.values()].map(({ first, times }) => (times === 1 ? first : `${times} times: ${first}`)),
  };
};

/** Which cases are tried: of every `shares` numbers this run takes one, the `share`th. */
export interface CasesOptions {
  readonly seed: number;
  readonly requests: number;
  readonly answers: number;
  readonly rounds: number;
  readonly share: number;
  readonly shares: number;
  /** The receivers as deployed unless told. */
  readonly receivers?: Receivers;
  /** Told the number before each case, so that somebody else sees where it hangs. */
  readonly onCase?: (number: number) => void;
  readonly onRound?: (round: number) => void;
}

/** The receivers as deployed. */
export const deployedReceivers = (): Receivers => ({ open: createReceiver('open'), secret: createReceiver('secret') });

/** Smaller ones take their time for other things than their bytes. */
const leastBytes = 4 * 1024;

const outcomesOf = ({ replies, trial }: Tried): readonly string[] => [
  ...replies.map(({ reason, stored }) =>
    reason === undefined ? (stored > 0 ? 'stored' : 'duplicate') : `refused: ${reason}`,
  ),
  ...trial.quarantine.flatMap(({ reason, bytes, account }) => [
    ...(reason === undefined ? [] : [`quarantined: ${String(reason)}`]),
    ...(bytes === undefined
      ? []
      : [account === undefined ? 'quarantined, cut: a stranger’s' : 'quarantined, cut: an account’s']),
  ]),
];

/** Tries so many requests and answers in rounds, and looks after each round how much memory is in use. */
export const runCases = async (options: CasesOptions): Promise<CaseCounts> => {
  const { seed, requests, answers, rounds, share, shares, receivers = deployedReceivers(), onCase, onRound } = options;
  const book = createViolationLog();
  const outcomes = new Map<string, number>();
  const used: number[] = [];
  let [cpuMicroseconds, bytes] = [0, 0];
  let worst: Worst = { microsecondsPerKb: 0, number: -1 };

  const count = (outcome: string): void => {
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
  };
  const oneRequest = async (number: number): Promise<void> => {
    onCase?.(number);
    const tried = await tryRequest(receivers, seed, number);
    const size = bytesOf(tried.request.posted);
    const microsecondsPerKb = tried.trial.cpuMicroseconds / (size / 1_024);
    cpuMicroseconds += tried.trial.cpuMicroseconds;
    bytes += size;
    if (size >= leastBytes && microsecondsPerKb > worst.microsecondsPerKb) worst = { microsecondsPerKb, number };
    for (const outcome of outcomesOf(tried)) count(outcome);
    for (const breach of tried.breaches) book.note(breach, `node test/faults/fuzz/replay.ts ${seed} ${number}`);
  };
  const oneAnswer = async (number: number): Promise<void> => {
    onCase?.(number);
    const { outcome, breaches } = await tryAnswer(seed, number);
    count(`answer: ${outcome}`);
    for (const breach of breaches) book.note(breach, `node test/faults/fuzz/replay.ts ${seed} ${number} --answer`);
  };
  const inRound = async (total: number, round: number, tryOne: (number: number) => Promise<void>): Promise<void> => {
    const upTo = Math.floor((total * (round + 1)) / rounds);
    for (let index = Math.floor((total * round) / rounds); index < upTo; index++) {
      const number = index * shares + share;
      await tryOne(number).catch((error: unknown) =>
        book.note(`It cannot be judged: ${String(error)}`, `case ${number} of seed ${seed}`),
      );
    }
  };

  for (let round = 0; round < rounds; round++) {
    await inRound(requests, round, oneRequest);
    await inRound(answers, round, oneAnswer);
    used.push(await usedBytes());
    onRound?.(round);
  }
  return {
    ...{ requests, answers, cpuMicroseconds, bytes, worst, used },
    outcomes: Object.fromEntries(outcomes),
    failures: book.failures(),
  };
};

/** The case of most CPU time by its size, and how to see it again. */
export interface Worst {
  readonly microsecondsPerKb: number;
  readonly number: number;
}

/** What was counted while cases were tried. */
export interface CaseCounts {
  readonly requests: number;
  readonly answers: number;
  /** How often each thing became of a request or answer. */
  readonly outcomes: Readonly<Record<string, number>>;
  readonly cpuMicroseconds: number;
  readonly bytes: number;
  readonly worst: Worst;
  /** The bytes in use at the end of each round. */
  readonly used: readonly number[];
  /** Each kind of breach once, with the first case that showed it. */
  readonly failures: readonly string[];
}

/** A tally without the memory: each run has its own. */
export type Counts = Omit<CaseCounts, 'used' | 'failures'>;

const sum = (tallies: readonly Counts[], of: (tally: Counts) => number): number =>
  tallies.reduce((total, tally) => total + of(tally), 0);

/** What several runs counted together. */
export const sumCounts = (tallies: readonly Counts[]): Counts => {
  const names = new Set(tallies.flatMap(({ outcomes }) => Object.keys(outcomes)));
  const worst = tallies.map((tally) => tally.worst).toSorted((a, b) => b.microsecondsPerKb - a.microsecondsPerKb);
  return {
    requests: sum(tallies, ({ requests }) => requests),
    answers: sum(tallies, ({ answers }) => answers),
    outcomes: Object.fromEntries(
      [...names].sort().map((name) => [name, sum(tallies, ({ outcomes }) => outcomes[name] ?? 0)]),
    ),
    cpuMicroseconds: sum(tallies, ({ cpuMicroseconds }) => cpuMicroseconds),
    bytes: sum(tallies, ({ bytes }) => bytes),
    worst: worst[0] ?? { microsecondsPerKb: 0, number: -1 },
  };
};
