import { type AgentFigures, type AgentTime, agentFigures } from './agent-figures.ts';
import type { CallFigures, CallToCount, FigureSettings } from './call-figures.ts';
import {
  type CallGrouping,
  callFigures,
  callFiguresBy,
  callFiguresByTime,
  type DayToCount,
  isTimeGrouping,
  timeGroupings,
} from './group-calls.ts';

/** What the figures of a day are computed from, as `client.day` reads it. */
export interface DayToFigure extends DayToCount {
  readonly calls: readonly CallToCount[];
  readonly agents: readonly AgentTime[];
}

/** The figures of a whole day. */
export interface DayFigures {
  readonly calls: CallFigures;
  readonly agents: AgentFigures;
}

/** A row of a day's table. `agents` is there by agent only: an agent's time belongs to no skill, campaign or period. */
export interface DayGroup {
  /** As of `CallGroup`. */
  readonly key: string | undefined;
  readonly calls: CallFigures;
  readonly agents?: AgentFigures;
}

/** The figures of a day as a whole. */
export const dayFigures = ({ calls, agents }: DayToFigure, settings: FigureSettings): DayFigures => ({
  calls: callFigures(calls, settings),
  agents: agentFigures(agents),
});

/** The figures of a day by group. By agent, those who were logged in without a call come last; by hour or quarter, in order of time. */
export const dayFiguresBy = (by: CallGrouping, day: DayToFigure, settings: FigureSettings): readonly DayGroup[] => {
  if (isTimeGrouping(by))
    return callFiguresByTime(timeGroupings[by], day.calls, day, settings).map(({ key, figures }) => ({
      key,
      calls: figures,
    }));

  const groups = callFiguresBy(by, day.calls, settings).map(({ key, figures }) => ({ key, calls: figures }));
  if (by !== 'agent') return groups;

  const times = new Map(day.agents.map((agent) => [agent.agentId, agent]));
  const withCalls = new Set(groups.map(({ key }) => key));
  const idle = day.agents.filter(({ agentId }) => !withCalls.has(agentId));
  const timeOf = (key: string | undefined) => [times.get(key ?? '')].filter((time) => time !== undefined);
  return [
    ...groups.map((group) => (group.key === undefined ? group : { ...group, agents: agentFigures(timeOf(group.key)) })),
    ...idle.map((agent) => ({ key: agent.agentId, calls: callFigures([], settings), agents: agentFigures([agent]) })),
  ];
};
