import { usedBytes } from '../figures/used-bytes.ts';
import { tryAnswer } from './answers/try-answer.ts';
import { createBreachBook } from './breach-book.ts';
import { createReceiver } from './receiver.ts';
import { bytesOf } from './requests/posted.ts';
import { type Receivers, type Tried, tryRequest } from './requests/try-request.ts';
import type { Tally, Worst } from './tally.ts';

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
export const runCases = async (options: CasesOptions): Promise<Tally> => {
  const { seed, requests, answers, rounds, share, shares, receivers = deployedReceivers(), onCase, onRound } = options;
  const book = createBreachBook();
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
    for (const breach of tried.breaches) book.note(breach, `node torture/hostile/replay.ts ${seed} ${number}`);
  };
  const oneAnswer = async (number: number): Promise<void> => {
    onCase?.(number);
    const { outcome, breaches } = await tryAnswer(seed, number);
    count(`answer: ${outcome}`);
    for (const breach of breaches) book.note(breach, `node torture/hostile/replay.ts ${seed} ${number} --answer`);
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
