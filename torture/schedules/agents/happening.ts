import fc from 'fast-check';

/** Agents come in teams, all of which do the same. */
export const teams = ['asha', 'zoe', 'omar', 'li'];
/** What an agent's state may be sent as, and by the README's words is. */
export const stateBySpelling: Readonly<Record<string, string>> = {
  READY: 'ready',
  INCALL: 'in-call',
  acw: 'acw',
  Idle: 'idle',
  PAUSE: 'pause',
  Lunch: 'unknown',
};
export const statesAsSent = Object.keys(stateBySpelling);

/** What the centre answers: its floor, or something else; `nameless` and `stateless` spoil one record of it. */
export const answerKinds = ['floor', 'timeout', 'limit', 'html', 'nameless', 'stateless'] as const;
export type AnswerKind = (typeof answerKinds)[number];

/** Whose records change to which: a state, another number, or gone. */
export type Move = readonly [team: number, to: number];

/** Some moves between two polls. */
export const moves: fc.Arbitrary<readonly Move[]> = fc.array(
  fc.tuple(fc.nat(teams.length - 1), fc.nat(statesAsSent.length + 1)),
  { maxLength: 3 },
);

/** Mostly the floor. */
export const answers: fc.Arbitrary<AnswerKind> = fc.oneof(
  { weight: 8, arbitrary: fc.constant('floor' as const) },
  { weight: 2, arbitrary: fc.constantFrom(...answerKinds.slice(1)) },
);

/** How many slots go by: mostly the next one is served; now and then the poller stood still. */
export const slotsLater: fc.Arbitrary<number> = fc.oneof(
  { weight: 8, arbitrary: fc.constant(1) },
  { weight: 2, arbitrary: fc.integer({ min: 2, max: 700 }) },
);
