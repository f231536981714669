import fc from 'fast-check';
import { faultKinds } from '../../../deployment/fault.ts';
import { weighted } from '../../../support/property.ts';
import type { FaultRule } from '../processes.ts';
import { type AnswerKind, answers, type Move, moves, slotsLater } from './contact-centre.ts';

/** A place for one process at a time. */
export type PollingSlot = 'poller 0' | 'poller 1' | 'publisher';

/** A tick for a process, so long after the step begins. */
export interface Tick {
  readonly to: 0 | 1;
  readonly afterMs: number;
}

/** What happens in a slot of polling, and in the next one if it takes so long. */
export interface PollingStep {
  readonly slots: number;
  /** The changes of each account’s agents. */
  readonly moves: readonly [readonly Move[], readonly Move[]];
  readonly answers: readonly [AnswerKind, AnswerKind];
  /** How long answers take; a time-out takes as long as the poller waits. */
  readonly answerMs: number;
  readonly ticks: readonly Tick[];
  /** A process whose clock is set, and its error. */
  readonly clock?: { readonly of: 0 | 1; readonly errorMs: number } | undefined;
  readonly restart?: 0 | 1 | undefined;
  /** How many records the publisher gets at a time; undefined if it does not run. */
  readonly publish?: number | undefined;
}

/** Everything that decides what happens to the agents of two accounts. */
export interface PollingHistory {
  readonly turnsSeed: number;
  /** How many agents a team has: so many that their changes need more transactions than a run has time for, or one. */
  readonly teamSize?: number | undefined;
  readonly processes: Readonly<Record<PollingSlot, readonly (readonly FaultRule[])[]>>;
  readonly steps: readonly PollingStep[];
}

const rule: fc.Arbitrary<FaultRule> = fc.record({
  from: fc.nat({ max: 16 }),
  count: fc.constantFrom(1, 1, 2, 2, 6),
  fault: fc.constantFrom(...faultKinds.filter((fault) => fault !== 'pass')),
  service: fc.constantFrom(undefined, undefined, 'dynamodb' as const, 'telephony' as const),
});

const lives = fc.array(fc.oneof(fc.constant([]), fc.array(rule, { minLength: 1, maxLength: 2 })), { maxLength: 3 });

const seldom = <Value>(arbitrary: fc.Arbitrary<Value>, weight = 5): fc.Arbitrary<Value | undefined> =>
  weighted<Value | undefined>([weight, fc.constant(undefined)], [1, arbitrary]);

const which = fc.constantFrom(0 as const, 1 as const);

const tick: fc.Arbitrary<Tick> = fc.record({
  to: which,
  afterMs: weighted([3, fc.constant(0)], [1, fc.integer({ min: 1, max: 12_900 })]),
});

const step: fc.Arbitrary<PollingStep> = fc.record({
  slots: slotsLater,
  moves: fc.tuple(moves, moves),
  answers: fc.tuple(answers, answers),
  answerMs: fc.constantFrom(0, 0, 300, 3_900),
  ticks: fc.array(tick, { minLength: 1, maxLength: 3 }),
  clock: seldom(
    fc.record({
      of: which,
      errorMs: weighted([3, fc.integer({ min: -5_000, max: 5_000 })], [1, fc.integer({ min: -240_000, max: -5_000 })]),
    }),
    20,
  ),
  restart: seldom(which),
  publish: seldom(fc.constantFrom(100, 1, 2), 2),
});

export const pollingHistories: fc.Arbitrary<PollingHistory> = fc.record({
  turnsSeed: fc.nat({ max: 999_999 }),
  teamSize: seldom(fc.constant(30), 25),
  processes: fc.record({ 'poller 0': lives, 'poller 1': lives, publisher: lives }),
  steps: fc.array(step, { minLength: 1, maxLength: 9 }),
});
