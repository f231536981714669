import fc from 'fast-check';
import { fail, ok } from '../../../../lib/core/result.ts';
import type { Row } from '../../../../lib/storage/rows.ts';
import type { TelephonyService } from '../../../../lib/telephony/service/service.ts';
import { requestTimeoutMs } from '../../../../lib/telephony/service/service.ts';
import { weighted } from '../../../support/property.ts';

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
export type AnswerKind = (typeof answerKinds)[number];

/** A team and its change: a state, another number, or a log-out. */
export type Move = readonly [team: number, to: number];

export const moves: fc.Arbitrary<readonly Move[]> = fc.array(
  fc.tuple(fc.nat(teams.length - 1), fc.nat(statesAsSent.length + 1)),
  { maxLength: 3 },
);

export const answers: fc.Arbitrary<AnswerKind> = weighted<AnswerKind>(
  [8, fc.constant('agents')],
  [2, fc.constantFrom(...answerKinds.slice(1))],
);

/** How many slots pass: mostly one; sometimes the poller did not run for long. */
export const slotsLater: fc.Arbitrary<number> = weighted([8, fc.constant(1)], [2, fc.integer({ min: 2, max: 700 })]);

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
    ...{ change, leave, records },
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
export const trackUnidentified = () => {
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
