import fc from 'fast-check';
import { fail, ok } from '../../../../lib/core/result.ts';
import { requestTimeoutMs, type TelephonyService } from '../../../../lib/service/service.ts';
import type { Row } from '../../../../lib/storage/rows.ts';
import { faultKinds } from '../../../deployment/functions.ts';
import { weighted } from '../../../support/arbitraries.ts';
import type { FaultRule } from '../processes.ts';

/** Agents belong to teams, whose members all do the same. */
const teams = ['asha', 'zoe', 'omar', 'li'];
/** States as sent, and their words by the README. */
const stateBySpelling: Readonly<Record<string, string>> = {
  READY: 'ready',
  INCALL: 'in-call',
  acw: 'acw',
  Idle: 'idle',
  PAUSE: 'pause',
  Lunch: 'unknown',
};
const statesAsSent = Object.keys(stateBySpelling);

/** What the centre answers: its agents or something else; `nameless` and `stateless` corrupt one record. */
const answerKinds = ['agents', 'timeout', 'limit', 'html', 'nameless', 'stateless'] as const;
type AnswerKind = (typeof answerKinds)[number];

/** A team and its change: a state, another number, or a log-out. */
type Move = readonly [team: number, to: number];

export const moves: fc.Arbitrary<readonly Move[]> = fc.array(
  fc.tuple(fc.nat(teams.length - 1), fc.nat(statesAsSent.length + 1)),
  { maxLength: 3 },
);

export const answers: fc.Arbitrary<AnswerKind> = weighted<AnswerKind>(
  [8, fc.constant('agents')],
  [2, fc.constantFrom(...answerKinds.slice(1))],
);

/** How many slots pass: mostly one; sometimes the poller did not run for long. */
const slotsLater: fc.Arbitrary<number> = weighted([8, fc.constant(1)], [2, fc.integer({ min: 2, max: 700 })]);

type Answer = Awaited<ReturnType<TelephonyService['post']>>;

/** A contact centre whose agents change on request. */
export const createCentre = (teamSize: number) => {
  const loggedIn = new Map<string, { readonly state: string; readonly number: number }>();
  let answered = 0;

  const change = (agentId: string, changes: { readonly state?: string; readonly number?: number }): void =>
    void loggedIn.set(agentId, { state: 'READY', number: 0, ...loggedIn.get(agentId), ...changes });
  const leave = (agentId: string): boolean => loggedIn.delete(agentId);
  const moveOne = (agentId: string, to: number): void => {
    const state = statesAsSent[to];
    if (state !== undefined) change(agentId, { state });
    else if (to === statesAsSent.length) change(agentId, { number: (loggedIn.get(agentId)?.number ?? 0) + 1 });
    else leave(agentId);
  };
  const records = () =>
    [...loggedIn].map(([AgentId, { state, number }]) => ({
      AgentId,
      AgentName: AgentId,
      AgentState: state,
      // Number and skills change in turn, never together.
      PhoneNumber: `44${Math.ceil(number / 2)}`,
      SkillName: `Skill ${Math.floor(number / 2)}, Sales`,
    }));
  const corrupted = (kind: AnswerKind) => {
    const [first, ...others] = records();
    if (first === undefined || (kind !== 'nameless' && kind !== 'stateless')) return records();
    return [{ ...first, [kind === 'nameless' ? 'AgentId' : 'AgentState']: '' }, ...others];
  };

  return {
    change,
    leave,
    records,
    move(moves: readonly Move[]) {
      for (const [team, to] of moves)
        for (let index = 0; index < teamSize; index++) moveOne(`${teams[team]}-${index}`, to);
    },
    states: (): ReadonlyMap<string, string> => new Map([...loggedIn].map(([agentId, { state }]) => [agentId, state])),
    /** Everybody, as a row should have them. */
    agents: (): ReadonlyMap<string, Row> =>
      new Map(
        records().map(({ AgentId, AgentName, AgentState, PhoneNumber, SkillName }) => [
          AgentId,
          {
            state: stateBySpelling[AgentState],
            stateAsSent: AgentState,
            name: AgentName,
            phoneNumber: PhoneNumber,
            skills: SkillName.split(', '),
          },
        ]),
      ),
    answer(kind: AnswerKind): Answer {
      if (kind === 'timeout') return fail({ reason: 'timeout' });
      if (kind === 'limit') return ok({ status: 200, text: '{"status":"error","message":"Max limit exceeded"}' });
      if (kind === 'html') return ok({ status: 200, text: '<html></html>' });
      answered += 1;
      // A field that is new in every answer must change nothing.
      const message = corrupted(kind).map((record) => ({ ...record, Answers: answered }));
      return ok({ status: 200, text: JSON.stringify({ status: 'success', message }) });
    },
  };
};

export type Centre = ReturnType<typeof createCentre>;

/** After answers with a nameless record for so long, a further such answer may log out an agent who is logged in. */
const unidentifiedMs = 295_000;

/** Whether an answer may log out an agent who is logged in, by the README’s limits. */
const trackUnidentified = () => {
  let namelessSinceMs: number | undefined;
  return (kind: AnswerKind, atMs: number): boolean => {
    if (kind === 'nameless') namelessSinceMs ??= atMs;
    return kind === 'nameless' && atMs - (namelessSinceMs ?? atMs) > unidentifiedMs;
  };
};

/** One request as the telephony service saw it, by its own clock. */
export interface ObservedRequest {
  readonly atMs: number;
  /** The agents’ states, if the answer listed them. */
  readonly states?: ReadonlyMap<string, string> | undefined;
  /** Such an answer may log out the agents that it does not name. */
  readonly isUnidentifiedExpired: boolean;
}

export interface Telephony extends TelephonyService {
  readonly requests: () => readonly ObservedRequest[];
  readonly answerWith: (kind: AnswerKind, afterMs: number) => void;
}

const listsAgents = new Set<AnswerKind>(['agents', 'nameless', 'stateless']);

/** A service that answers for a centre. Its clock is right. */
export const createTelephony = (
  centre: Centre,
  nowMs: () => number,
  sleep: (milliseconds: number) => Promise<void>,
): Telephony => {
  const requests: ObservedRequest[] = [];
  const isUnidentifiedExpired = trackUnidentified();
  let kind: AnswerKind = 'agents';
  let answerMs = 0;

  return {
    requests: () => requests,
    answerWith(next, afterMs) {
      kind = next;
      answerMs = afterMs;
    },
    async post() {
      const states = listsAgents.has(kind) ? centre.states() : undefined;
      requests.push({ atMs: nowMs(), states, isUnidentifiedExpired: isUnidentifiedExpired(kind, nowMs()) });
      const answer = centre.answer(kind);
      await sleep(kind === 'timeout' ? requestTimeoutMs : answerMs);
      return answer;
    },
  };
};

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
