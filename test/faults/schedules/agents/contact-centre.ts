import fc from 'fast-check';
import type { TelephonyService } from '../../../../lib/agents/get-agent-logins.ts';
import { requestTimeoutMs } from '../../../../lib/agents/rate-limit.ts';
import type { Facts } from '../../../../lib/core/objects.ts';
import { fail, ok } from '../../../../lib/core/result.ts';

/** Agents come in teams, all of which do the same. */
const teams = ['asha', 'zoe', 'omar', 'li'];
/** What an agent's state may be sent as, and by the README's words is. */
const stateBySpelling: Readonly<Record<string, string>> = {
  READY: 'ready',
  INCALL: 'in-call',
  acw: 'acw',
  Idle: 'idle',
  PAUSE: 'pause',
  Lunch: 'unknown',
};
const statesAsSent = Object.keys(stateBySpelling);

/** What the centre answers: its floor, or something else; `nameless` and `stateless` spoil one record of it. */
const answerKinds = ['floor', 'timeout', 'limit', 'html', 'nameless', 'stateless'] as const;
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

type Answer = Awaited<ReturnType<TelephonyService['post']>>;

/** A contact centre's floor, which changes as told. */
export interface Centre {
  readonly move: (moves: readonly Move[]) => void;
  /** What each agent is sent as now. */
  readonly states: () => ReadonlyMap<string, string>;
  /** Everybody, as a row would tell of them. */
  readonly agents: () => ReadonlyMap<string, Facts>;
  /** An answer of a kind, as the floor is now. */
  readonly answer: (kind: AnswerKind) => Answer;
}

/** A centre with nobody there yet, whose teams have so many agents. */
export const createCentre = (teamSize: number): Centre => {
  const floor = new Map<string, { readonly state: string; readonly number: number }>();

  const moveOne = (agentId: string, to: number): void => {
    const before = floor.get(agentId) ?? { state: 'READY', number: 0 };
    const state = statesAsSent[to];
    if (state !== undefined) floor.set(agentId, { ...before, state });
    else if (to === statesAsSent.length) floor.set(agentId, { ...before, number: before.number + 1 });
    else floor.delete(agentId);
  };
  const records = () =>
    [...floor].map(([AgentId, { state, number }]) => ({
      AgentId,
      AgentName: AgentId,
      AgentState: state,
      // Each of them changes alone.
      PhoneNumber: `44${Math.ceil(number / 2)}`,
      SkillName: `Skill ${Math.floor(number / 2)}, Sales`,
    }));
  const spoilt = (kind: AnswerKind) => {
    const [first, ...others] = records();
    if (first === undefined || (kind !== 'nameless' && kind !== 'stateless')) return records();
    return [{ ...first, [kind === 'nameless' ? 'AgentId' : 'AgentState']: '' }, ...others];
  };

  return {
    move(moves) {
      for (const [team, to] of moves)
        for (let index = 0; index < teamSize; index++) moveOne(`${teams[team]}-${index}`, to);
    },
    states: () => new Map([...floor].map(([agentId, { state }]) => [agentId, state])),
    agents: () =>
      new Map(
        records().map(({ AgentId, AgentName, AgentState, PhoneNumber, SkillName }) => [
          AgentId,
          {
            state: stateBySpelling[AgentState],
            stateAsSent: AgentState,
            name: AgentName,
            phoneNumber: PhoneNumber,
            skills: SkillName.split(', ').sort(),
          },
        ]),
      ),
    answer(kind) {
      if (kind === 'timeout') return fail({ reason: 'timeout' });
      if (kind === 'limit') return ok({ status: 200, text: '{"status":"error","message":"Max limit exceeded"}' });
      if (kind === 'html') return ok({ status: 200, text: '<html></html>' });
      return ok({ status: 200, text: JSON.stringify({ status: 'success', message: spoilt(kind) }) });
    },
  };
};

/** Once every answer of so long had a record without an id, one who is there may be logged out by another such. */
const doubtMs = 295_000;

/** Tells whether an answer may log out somebody who is there, as the README's limits say. */
export const trackUnidentified = () => {
  let namelessSinceMs: number | undefined;
  return (kind: AnswerKind, atMs: number): boolean => {
    if (kind === 'nameless') namelessSinceMs ??= atMs;
    return kind === 'nameless' && atMs - (namelessSinceMs ?? atMs) > doubtMs;
  };
};

/** One request as the telephony service saw it, by its own clock. */
export interface ObservedRequest {
  readonly atMs: number;
  /** Who was there, by an answer from which that could be known. */
  readonly states?: ReadonlyMap<string, string> | undefined;
  /** Nobody can be blamed for logging out whom such an answer does not name. */
  readonly isDoubtOver: boolean;
}

/** The telephony service of one account. */
export interface Telephony extends TelephonyService {
  readonly asked: () => readonly ObservedRequest[];
  readonly answerWith: (kind: AnswerKind, afterMs: number) => void;
}

const tellsOfFloor = new Set<AnswerKind>(['floor', 'nameless', 'stateless']);

/** A service that answers for a centre. Its clock is right. */
export const createTelephony = (
  centre: Centre,
  nowMs: () => number,
  sleep: (milliseconds: number) => Promise<void>,
): Telephony => {
  const asked: ObservedRequest[] = [];
  const isDoubtOver = trackUnidentified();
  let kind: AnswerKind = 'floor';
  let answerMs = 0;

  return {
    asked: () => asked,
    answerWith(next, afterMs) {
      kind = next;
      answerMs = afterMs;
    },
    async post() {
      const states = tellsOfFloor.has(kind) ? centre.states() : undefined;
      asked.push({ atMs: nowMs(), states, isDoubtOver: isDoubtOver(kind, nowMs()) });
      const answer = centre.answer(kind);
      await sleep(kind === 'timeout' ? requestTimeoutMs : answerMs);
      return answer;
    },
  };
};
