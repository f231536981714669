import { agentsOfCall, type CountedCall, countedCallOf } from '../lib/contract/call-counts.ts';
import { compare } from '../lib/core/collections.ts';
import { beginOfPeriod, justBefore, localDate, localTime, quarterHourMs } from '../lib/core/time.ts';
import { type AgentFigures, type AgentTime, agentFigures } from './agent-figures.ts';
import { type CallFigures, type CallToCount, type FigureSettings, figuresOfCounted } from './call-figures.ts';

/** By what calls are grouped, with how a call counts, for those who read the figures. */
export const callGroupings = {
  agent:
    'A call counts once for each agent that it names, so rows add up to more than the total. Durations count where a leg has them ' +
    'for one agent, or the call has one agent: several agents share the others, and nobody knows how.',
  skill: 'A call counts once, by its own skill, so rows add up to the total. A skill transfer makes a call of its own.',
  campaign: 'A call counts once, by its own campaign, so rows add up to the total.',
  hour:
    'A call counts once, in the hour of the account’s time zone in which it started, so rows add up to the total. Of several ' +
    'days, a row is that hour of all of them.',
  quarter: 'As by hour, in quarters of an hour.',
  day: 'A call counts once, on the day of the account’s time zone on which it started, so rows add up to the total.',
} as const;
export type CallGrouping = keyof typeof callGroupings;

export const timeGroupings = { hour: 60, quarter: 15 } as const;

/** Whether calls are grouped by the time of day at which they started. */
export const isTimeGrouping = (by: CallGrouping): by is keyof typeof timeGroupings => Object.hasOwn(timeGroupings, by);

export interface CallGroup {
  /**
   * The agent's id, the skill or the campaign; undefined for calls without one. The date of a day. Of an hour or quarter, the
   * instant at which it begins; over several days the local time, such as 09:15.
   */
  readonly key: string | undefined;
  readonly figures: CallFigures;
}

/** A day in its account's time zone, or several, by their bounds: `end` is the next day's start. */
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
  by: keyof typeof countedIn,
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
  day: DayToCount,
  settings: FigureSettings,
): readonly CallGroup[] => groupsOfTime((ms) => beginOfPeriod(ms, minutes, day.timeZone), calls, day, settings);

/** The periods of a day, or of several: the first and the last instant of each. */
const periodsOf = (keyOf: (ms: number) => string, { start, end }: Pick<DayToCount, 'start' | 'end'>) => {
  const found = new Map<string, { readonly from: string; readonly to: string }>();
  for (let ms = Date.parse(start); ms < Date.parse(end); ms += quarterHourMs) {
    const from = found.get(keyOf(ms))?.from ?? new Date(ms).toISOString();
    found.set(keyOf(ms), { from, to: new Date(ms + quarterHourMs - 1).toISOString() });
  }
  return found;
};

/** The hours or quarters of one day. An hour in which clocks change may be longer or shorter. */
export const periodsOfDay = (minutes: 60 | 15, day: DayToCount) =>
  periodsOf((ms) => beginOfPeriod(ms, minutes, day.timeZone), day);

const groupsOfTime = (
  keyOf: (ms: number) => string,
  calls: readonly CallToCount[],
  day: DayToCount,
  settings: FigureSettings,
): readonly CallGroup[] => {
  const counted = calls.map((call) => [keyOf(Date.parse(call.listedAt)), countedCallOf(call)] as const);
  const groups = groupsOf(counted, settings, [...periodsOf(keyOf, day).keys()]);
  return groups.toSorted((a, b) => compare(a.key ?? '', b.key ?? ''));
};

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

/** What the figures of a day, or of several, are computed from, as `client.day` and `client.period` read it. */
export interface DayToFigure extends DayToCount {
  readonly calls: readonly CallToCount[];
  readonly agents: readonly AgentTime[];
}

export interface DayFigures {
  readonly calls: CallFigures;
  readonly agents: AgentFigures;
}

/** A row of a table. `agents` is there by agent and by day only: an agent's time belongs to no skill, campaign or hour. */
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

/** The figures by group. By agent, those who were logged in without a call come last; by time, rows are in order of time. */
export const dayFiguresBy = (by: CallGrouping, day: DayToFigure, settings: FigureSettings): readonly DayGroup[] => {
  const groups = groupsBy(by, day, settings).map(({ key, figures }) => ({ key, calls: figures }));
  if (by === 'day') return groups.map((group) => ({ ...group, agents: agentFigures(timesOn(group.key, day)) }));
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

const groupsBy = (by: CallGrouping, day: DayToFigure, settings: FigureSettings): readonly CallGroup[] =>
  by === 'day' || isTimeGrouping(by)
    ? groupsOfTime(timeKeys(by, day), day.calls, day, settings)
    : callFiguresBy(by, day.calls, settings);

/** The date, the instant at which a period begins, or over several days its local time. */
const timeKeys = (by: 'day' | keyof typeof timeGroupings, { start, end, timeZone }: DayToCount) => {
  if (by === 'day') return (ms: number) => localDate(new Date(ms).toISOString(), timeZone);
  const beginOf = (ms: number) => beginOfPeriod(ms, timeGroupings[by], timeZone);
  if (localDate(start, timeZone) === localDate(justBefore(end), timeZone)) return beginOf;
  return (ms: number) => localTime(beginOf(ms), timeZone).slice(11, 16);
};

const timesOn = (date = '', { agents }: DayToFigure): readonly AgentTime[] =>
  agents.map(({ agentId, secondsByDay = {} }) => ({ agentId, secondsByState: secondsByDay[date] }));
