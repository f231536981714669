import type { CallSummary } from './call-events.ts';

/** The fields of a call and of its legs that decide which part of it belongs to an agent. None is personal. */
export const agentPartFields = {
  status: true,
  agentIds: true,
  timeToAnswerSeconds: true,
  durationSeconds: true,
  holdSeconds: true,
  wrapUpSeconds: true,
  handleSeconds: true,
} as const;

export type Durations = Pick<
  CallSummary,
  'timeToAnswerSeconds' | 'durationSeconds' | 'holdSeconds' | 'wrapUpSeconds' | 'handleSeconds'
>;

/** What decides which part of a call belongs to an agent. */
export interface CallWithAgents extends Durations, Pick<CallSummary, 'status' | 'agentIds'> {
  readonly legs?: readonly (Durations & Pick<CallSummary, 'status' | 'agentIds'>)[] | undefined;
}

/** What of a call belongs to one agent, or to the call as a whole. */
export interface AgentPart extends Durations {
  readonly isAnswered: boolean;
  /** Whether several agents share its durations, so that those of one are not known. */
  readonly isShared?: boolean;
}

export const agentsOfCall = ({ agentIds }: CallWithAgents): readonly string[] => [...new Set(agentIds)];

/**
 * What of a call belongs to an agent. A call with one agent belongs to it whole. Of several agents, each has the legs
 * that name no other.
 */
export const partOfAgent = (call: CallWithAgents, agentId: string): AgentPart => {
  const isAnswered = call.status === 'answered';
  if (agentsOfCall(call).length === 1) return { ...durationsOf(call), isAnswered };

  const own = call.legs?.filter(({ agentIds }) => agentIds?.length === 1 && agentIds[0] === agentId) ?? [];
  if (own.length === 0) return { ...durationsOf({}), isAnswered, isShared: true };
  return { ...sumsOf(own), isAnswered: isAnswered && !own.every(({ status }) => status === 'not-answered') };
};

const durationsOf = (call: Durations): Durations => ({
  timeToAnswerSeconds: call.timeToAnswerSeconds,
  durationSeconds: call.durationSeconds,
  holdSeconds: call.holdSeconds,
  wrapUpSeconds: call.wrapUpSeconds,
  handleSeconds: call.handleSeconds,
});

/** The durations of several legs of one agent add up, but a leg that was not answered has none. */
const sumsOf = (legs: NonNullable<CallWithAgents['legs']>): Durations => {
  const answered = legs.filter(({ status }) => status !== 'not-answered');
  const sum = (field: keyof Durations): number | undefined => {
    const known = answered.flatMap((leg) => leg[field] ?? []);
    return known.length === 0 ? undefined : known.reduce((total, seconds) => total + seconds, 0);
  };
  return {
    timeToAnswerSeconds: answered[0]?.timeToAnswerSeconds,
    durationSeconds: sum('durationSeconds'),
    holdSeconds: sum('holdSeconds'),
    wrapUpSeconds: sum('wrapUpSeconds'),
    handleSeconds: sum('handleSeconds'),
  };
};
