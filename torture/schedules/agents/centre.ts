import type { TelephonyService } from '../../../lib/ports.ts';
import type { Facts } from '../../../lib/record/delivery.ts';
import { fail, ok } from '../../../lib/result.ts';
import { type AnswerKind, type Move, stateBySpelling, statesAsSent, teams } from './happening.ts';

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
