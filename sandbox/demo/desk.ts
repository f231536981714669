import type { PlannedCall } from '../simulator/call.ts';
import type { Engagement, SimulatedAgent } from '../simulator/centre.ts';
import { ready } from '../simulator/shifts.ts';
import type { Stretch } from './shifts.ts';

const second = 1000;

/** Who is at the desks of a planned day, second by second: the agents' shifts and breaks, and the calls that they were given. */
export const createDesks = (stretches: readonly Stretch[]) => {
  const byAgent = [...Map.groupBy(stretches, ({ agent }) => agent.id).values()];
  const freeSince = new Map<string, number>();

  const isReady = (own: readonly Stretch[], at: number): boolean =>
    own.some(({ from, until, state }) => state === ready && from <= at && at < until);

  return {
    /** Ready agents with a skill, the one who has been free longest first, as calls are distributed. */
    idle(skill: string, at: number, forSeconds = 0): readonly SimulatedAgent[] {
      const free = byAgent.flatMap((own) => {
        const agent = own[0]?.agent;
        if (agent === undefined || !agent.skills.includes(skill) || !isReady(own, at)) return [];
        const since = freeSince.get(agent.id) ?? own[0]?.from ?? 0;
        return since + forSeconds * second <= at ? [{ agent, since }] : [];
      });
      return free.toSorted((one, other) => one.since - other.since).map(({ agent }) => agent);
    },
    /** A call keeps its agents from its beginning on, also those to whom it is transferred later. */
    take({ engagements }: Pick<PlannedCall, 'engagements'>) {
      for (const { agent, readyAt } of engagements) freeSince.set(agent.id, readyAt);
    },
  };
};

export type Desks = ReturnType<typeof createDesks>;

/** The parts of the agents in a call: each rings, talks, and wraps up when the call goes on to the next one. */
export const engagementsOf = (
  callId: string,
  agents: readonly SimulatedAgent[],
  {
    ringsAt,
    ringSeconds,
    talkSeconds,
    wrapUpSeconds,
  }: Readonly<Record<'ringsAt' | 'ringSeconds' | 'talkSeconds' | 'wrapUpSeconds', number>>,
): readonly Engagement[] => {
  const share = Math.floor(talkSeconds / agents.length) * second;
  const answeredAt = ringsAt + ringSeconds * second;
  const endsAt = answeredAt + talkSeconds * second;
  return agents.map((agent, index) => {
    const talksAt = answeredAt + index * share;
    const isLast = index === agents.length - 1;
    const leavesAt = isLast ? endsAt : talksAt + share;
    const readyAt = leavesAt + (isLast ? wrapUpSeconds : Math.ceil(wrapUpSeconds / 3)) * second;
    return { agent, callId, ringsAt: index === 0 ? ringsAt : talksAt, talksAt, leavesAt, readyAt };
  });
};
