import { agentsOfCall, type CountedCall, countedCallOf } from '../contract/call-counts.ts';
import { handlingAgents } from '../contract/rules.ts';
import { compare, mapValues } from '../core/collections.ts';
import { beginOfPeriod } from '../core/time.ts';
import {
  type CallFigures,
  type CallToCount,
  type FigureDefinition,
  type FigureSettings,
  figuresOfCounted,
  rounded,
} from './call-figures.ts';
import type { SecondsByState } from './past-agents.ts';

/** By what calls are grouped, with how a call counts, for those who read the figures. */
export const callGroupings = {
  agent:
    'A call counts once for each agent that it names, so rows add up to more than the total. Durations count where a leg has them ' +
    'for one agent, or the call has one agent: several agents share the others, and nobody knows how.',
  skill: 'A call counts once, by its own skill, so rows add up to the total. A skill transfer makes a call of its own.',
  campaign: 'A call counts once, by its own campaign, so rows add up to the total.',
  hour: 'A call counts once, in the hour of the account’s time zone in which it started, so rows add up to the total.',
  quarter: 'As by hour, in quarters of an hour.',
} as const;
export type CallGrouping = keyof typeof callGroupings;

export const timeGroupings = { hour: 60, quarter: 15 } as const;

/** Whether calls are grouped by when they started. */
export const isTimeGrouping = (by: CallGrouping): by is keyof typeof timeGroupings => Object.hasOwn(timeGroupings, by);

export interface CallGroup {
  /** The agent's id, the skill or the campaign; undefined for calls without one. Of time, the instant at which it begins. */
  readonly key: string | undefined;
  readonly figures: CallFigures;
}

/** A day in its account's time zone, by its bounds: `end` is the next day's start. */
export interface DayToCount {
  readonly start: string;
  readonly end: string;
  readonly timeZone: string;
}

export const callFigures = (calls: readonly CallToCount[], settings: FigureSettings): CallFigures =>
  figuresOfCounted(
    calls.map((call) => countedCallOf(call)),
    settings,
  );

/** The figures by agent, skill or campaign: the largest group first, calls without one last. */
export const callFiguresBy = (
  by: Exclude<CallGrouping, keyof typeof timeGroupings>,
  calls: readonly CallToCount[],
  settings: FigureSettings,
): readonly CallGroup[] =>
  groupsOf(calls.flatMap(countedIn[by]), settings).toSorted(
    (a, b) =>
      Number(a.key === undefined) - Number(b.key === undefined) ||
      (b.figures.calls.value ?? 0) - (a.figures.calls.value ?? 0) ||
      compare(a.key ?? '', b.key ?? ''),
  );

/** The figures by hour, or by quarter of an hour. Every period of the day is there, those without calls too. */
export const callFiguresByTime = (
  minutes: 60 | 15,
  calls: readonly CallToCount[],
  { start, end, timeZone }: DayToCount,
  settings: FigureSettings,
): readonly CallGroup[] => {
  const periodOf = (ms: number) => beginOfPeriod(ms, minutes, timeZone);
  const periods: string[] = [];
  for (let ms = Date.parse(start); ms < Date.parse(end); ms += quarterHourMs) periods.push(periodOf(ms));
  const counted = calls.map((call) => [periodOf(Date.parse(call.listedAt)), countedCallOf(call)] as const);
  return groupsOf(counted, settings, periods).toSorted((a, b) => compare(a.key ?? '', b.key ?? ''));
};

const quarterHourMs = 15 * 60_000;

type Counted = readonly [key: string | undefined, call: CountedCall];

const groupsOf = (
  counted: readonly Counted[],
  settings: FigureSettings,
  keys: readonly string[] = [],
): readonly CallGroup[] => {
  const groups = Map.groupBy(counted, ([key]) => key);
  return [...new Set([...keys, ...groups.keys()])].map((key) => {
    const calls = (groups.get(key) ?? []).map(([, call]) => call);
    return { key, figures: figuresOfCounted(calls, settings) };
  });
};

const countedIn = {
  agent(call: CallToCount): readonly Counted[] {
    const ids = agentsOfCall(call);
    if (ids.length === 0) return [[undefined, countedCallOf(call)]];
    return ids.map((id) => [id, countedCallOf(call, id)]);
  },
  skill: (call: CallToCount): readonly Counted[] => [[call.skillName, countedCallOf(call)]],
  campaign: (call: CallToCount): readonly Counted[] => [[call.campaignName, countedCallOf(call)]],
};

/** What the figures of a day are computed from, as `client.day` reads it. */
export interface DayToFigure extends DayToCount {
  readonly calls: readonly CallToCount[];
  readonly agents: readonly AgentTime[];
}

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

export const dayFigures = ({ calls, agents }: DayToFigure, settings: FigureSettings): DayFigures => ({
  calls: callFigures(calls, settings),
  agents: agentFigures(agents),
});

/** The figures of a day by group. By agent, those who were logged in without a call come last; by hour or quarter, in order of time. */
export const dayFiguresBy = (by: CallGrouping, day: DayToFigure, settings: FigureSettings): readonly DayGroup[] => {
  const found = isTimeGrouping(by)
    ? callFiguresByTime(timeGroupings[by], day.calls, day, settings)
    : callFiguresBy(by, day.calls, settings);
  const groups = found.map(({ key, figures }) => ({ key, calls: figures }));
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

/** An agent's time in each state on a day; undefined where nothing of that day is stored. */
export interface AgentTime {
  readonly agentId: string;
  readonly secondsByState: SecondsByState | undefined;
}

/** A figure of agents' time; one that cannot be known has no value, and the reason. */
export type TimeFigure =
  | { readonly value: number; readonly reason?: undefined }
  | { readonly value: undefined; readonly reason: string };

/** Title, unit and definition of every figure of agents' time. */
export const agentFigureDefinitions = {
  loggedInSeconds: {
    title: 'Logged in',
    unit: 'seconds',
    definition:
      'The time in all states, from the agents’ intervals. It is as exact as the polls: up to 15 seconds for each change of state.',
  },
  handlingSeconds: {
    title: 'Handling',
    unit: 'seconds',
    definition: 'The time in calling, in a call and after-call work.',
  },
  availableSeconds: {
    title: 'Available',
    unit: 'seconds',
    definition: 'The time in ready, the only state that is free.',
  },
  occupancy: {
    title: 'Occupancy',
    unit: 'share',
    definition:
      'Handling / (handling + available), as the trade defines it. Logged-in time in other states (pause, aux, release, idle, ' +
      'busy, offline, unknown) counts on neither side.',
  },
} as const satisfies Record<string, FigureDefinition>;

export type AgentFigureName = keyof typeof agentFigureDefinitions;

/** The figures of some agents' time, and the seconds in each state; undefined where nothing is known. */
export interface AgentFigures extends Readonly<Record<AgentFigureName, TimeFigure>> {
  readonly secondsByState: SecondsByState | undefined;
}

const noTime = 'No interval of the day is stored: nobody was logged in or polled, or intervals have expired.';

/** Computes the figures of one agent, or of several together. Agents without a stored interval are left out. */
export const agentFigures = (agents: readonly AgentTime[]): AgentFigures => {
  const known = agents.flatMap(({ secondsByState }) => secondsByState ?? []);
  if (known.length === 0) {
    const nothing: TimeFigure = { value: undefined, reason: noTime };
    return { ...mapValues(agentFigureDefinitions, () => nothing), secondsByState: undefined };
  }
  const seconds = known.reduce<SecondsByState>(addSeconds, {});
  const total = Object.values(seconds).reduce((sum, each) => sum + each, 0);
  const handling = handlingAgents.state.reduce((sum, state) => sum + (seconds[state] ?? 0), 0);
  const available = seconds.ready ?? 0;
  return {
    loggedInSeconds: { value: total },
    handlingSeconds: { value: handling },
    availableSeconds: { value: available },
    occupancy:
      handling + available === 0
        ? { value: undefined, reason: 'Nobody was ready or handled a call.' }
        : { value: rounded(handling / (handling + available)) },
    secondsByState: seconds,
  };
};

export const addSeconds = (one: SecondsByState, other: SecondsByState): SecondsByState => {
  const sum: Record<string, number> = { ...one };
  for (const [state, seconds] of Object.entries(other)) sum[state] = (sum[state] ?? 0) + seconds;
  return sum;
};
