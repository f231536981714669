import { agentsOfCall, partOfAgent } from '../contract/agent-part.ts';
import { compare } from '../core/collections.ts';
import { beginOfPeriod } from '../core/time.ts';
import {
  type CallFigures,
  type CallToCount,
  type CountedCall,
  type FigureSettings,
  figuresOfCounted,
} from './call-figures.ts';

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
  figuresOfCounted(calls.map(wholeCall), settings);

/** The figures by agent, skill or campaign: the largest group first, calls without one last. */
export const callFiguresBy = (
  by: Exclude<CallGrouping, keyof typeof timeGroupings>,
  calls: readonly CallToCount[],
  settings: FigureSettings,
): readonly CallGroup[] => {
  const groups = groupsOf(calls.flatMap((call) => countedIn[by](call)));
  return toFigures(groups, settings).toSorted(
    (a, b) =>
      Number(a.key === undefined) - Number(b.key === undefined) ||
      (b.figures.calls.value ?? 0) - (a.figures.calls.value ?? 0) ||
      compare(a.key ?? '', b.key ?? ''),
  );
};

/** The figures by hour, or by quarter of an hour. Every period of the day is there, those without calls too. */
export const callFiguresByTime = (
  minutes: 60 | 15,
  calls: readonly CallToCount[],
  { start, end, timeZone }: DayToCount,
  settings: FigureSettings,
): readonly CallGroup[] => {
  const periodOf = (ms: number) => beginOfPeriod(ms, minutes, timeZone);
  const groups = new Map<string | undefined, CountedCall[]>();
  for (let ms = Date.parse(start); ms < Date.parse(end); ms += quarterHourMs) groups.set(periodOf(ms), []);
  const counted = calls.map((call) => [periodOf(Date.parse(call.listedAt)), wholeCall(call)] as const);
  return toFigures(groupsOf(counted, groups), settings).toSorted((a, b) => compare(a.key ?? '', b.key ?? ''));
};

const quarterHourMs = 15 * 60_000;

type Counted = readonly [key: string | undefined, call: CountedCall];

const groupsOf = (counted: readonly Counted[], groups = new Map<string | undefined, CountedCall[]>()) => {
  for (const [key, call] of counted) {
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [call]);
    else group.push(call);
  }
  return groups;
};

const toFigures = (groups: ReadonlyMap<string | undefined, readonly CountedCall[]>, settings: FigureSettings) =>
  [...groups].map(([key, calls]): CallGroup => ({ key, figures: figuresOfCounted(calls, settings) }));

export const wholeCall = (call: CallToCount): CountedCall => ({ ...call, isAnswered: call.status === 'answered' });

const countedIn: Readonly<
  Record<Exclude<CallGrouping, keyof typeof timeGroupings>, (call: CallToCount) => readonly Counted[]>
> = {
  agent(call) {
    const ids = agentsOfCall(call);
    if (ids.length === 0) return [[undefined, wholeCall(call)]];
    return ids.map((id) => [id, { ...call, ...partOfAgent(call, id) }]);
  },
  skill: (call) => [[call.skillName, wholeCall(call)]],
  campaign: (call) => [[call.campaignName, wholeCall(call)]],
};
