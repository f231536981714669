import { keysOf, mapValues } from '../core/collections.ts';
import { type Pattern, patternTest } from '../core/patterns.ts';
import type { CallSummary } from './call-events.ts';
import {
  abandonedCalls,
  abandonedWithin,
  type CallEnd,
  type Durations,
  elapsedSecondsOf,
  handleSecondsOf,
  inboundCalls,
  missedCalls,
} from './rules.ts';

/**
 * How calls are counted, for the client and for the views of the history: which call counts in what. A call has `isAnswered`
 * beside its own fields, as an agent of it need not have answered.
 */

/** Below which seconds an abandoned call is short, and within which an answered one is in time. In SQL they are columns. */
export interface CountSettings<Seconds = number> {
  readonly shortSeconds: Seconds;
  readonly withinSeconds: Seconds;
}

/** Within 20 seconds, as most contact centres promise. */
export const defaultCountSettings: CountSettings = { shortSeconds: 10, withinSeconds: 20 };

export const answeredCalls = { ...inboundCalls, isAnswered: [true] } as const;
const noWord = ['unknown', { exists: false }] as const;
const known = [{ exists: true }] as const;

/** The calls that each count counts, as patterns over the fields of a call and `isAnswered`. */
export const countedCalls = <Seconds>({ shortSeconds, withinSeconds }: CountSettings<Seconds>) => ({
  calls: {},
  withStatus: { status: [{ 'anything-but': ['unknown'] }] },
  offered: inboundCalls,
  answered: answeredCalls,
  missed: missedCalls,
  abandoned: abandonedCalls,
  shortAbandoned: abandonedWithin(shortSeconds),
  undecided: { ...inboundCalls, status: noWord },
  handled: { isAnswered: [true], type: [{ 'anything-but': ['ivr'] }, { exists: false }] } as const,
  answeredWithTime: { ...answeredCalls, timeToAnswerSeconds: known },
  inTime: { ...answeredCalls, timeToAnswerSeconds: [{ numeric: ['<=', withinSeconds] }] } as const,
  missedUnclear: { ...missedCalls, hangupBy: noWord },
  abandonedWithLength: { ...abandonedCalls, elapsedSeconds: known },
});

type CountName = keyof ReturnType<typeof countedCalls>;

/**
 * The calls on which shares rest, as sums of counts. A call is in one at most of the counts that are added, and a count that is
 * taken away has only calls of the counts that are added.
 */
export const countSums = {
  /** Offered calls of which it is known whether they were answered. */
  decided: { add: ['offered'], take: ['undecided'] },
  /** Missed calls of which it is known who hung up. */
  missedClear: { add: ['missed'], take: ['missedUnclear'] },
  /** Offered calls that gave the agents a chance: short abandoned ones count on neither side of a share. */
  offeredWithoutShort: { add: ['offered'], take: ['shortAbandoned'] },
  /** Of these, the calls where it is known whether they were answered in time. */
  serviceLevelCalls: { add: ['answeredWithTime', 'missed'], take: ['shortAbandoned'] },
  /** Of these, the calls where it is known whether the customer gave up. */
  abandonmentCalls: { add: ['offered'], take: ['undecided', 'missedUnclear', 'shortAbandoned'] },
  givenUp: { add: ['abandoned'], take: ['shortAbandoned'] },
  /** Answered calls that took longer than the chosen seconds. */
  answeredLate: { add: ['answeredWithTime'], take: ['inTime'] },
  /** Outgoing calls and the like, and offered ones of which nobody knows whether they were answered. */
  others: { add: ['calls'], take: ['answered', 'missed'] },
  /** Of an agent: offered calls that somebody else answered. */
  passedOn: { add: ['offered'], take: ['answered', 'missed', 'undecided'] },
} as const satisfies Record<string, CountSum>;

export type CountSum = Readonly<Record<'add' | 'take', readonly CountName[]>>;

/**
 * The words by which a list of calls selects the calls of a count. Those that were answered within some seconds, and those that took
 * longer, are selected by these seconds.
 */
export const countsByWord = {
  offered: 'offered',
  answered: 'answered',
  'passed-on': 'passedOn',
  missed: 'missed',
  abandoned: 'abandoned',
  'short-abandoned': 'shortAbandoned',
  'given-up': 'givenUp',
  undecided: 'undecided',
  handled: 'handled',
  other: 'others',
  'service-level': 'serviceLevelCalls',
  abandonment: 'abandonmentCalls',
} as const satisfies Record<string, CountName | keyof typeof countSums>;

export const countMeanings = {
  calls: 'Calls of every type that started in the period. A call over midnight belongs to the day of its start.',
  offered:
    'Inbound calls, and calls without a type. A call that a skill transfer continues (linkedCallId) is one of its own.',
  answered: 'Offered calls with the status answered. By agent: those that this agent answered, where legs show it.',
  missed: 'Offered calls with the status not-answered, by the contract’s isMissed. Abandoned calls are among them.',
  abandoned: 'Missed calls in which the customer hung up (hangupBy is user), by the contract’s isAbandoned.',
  shortAbandoned:
    'Abandoned calls that ended less than the chosen seconds after their start. Time in a menu counts: isShortAbandoned.',
  undecided: 'Offered calls whose status is absent or unknown. Offered = answered + missed + undecided, but by agent.',
  handled: 'Answered calls of every type but ivr, outgoing ones too: the calls of talk, hold and wrap-up.',
} as const satisfies Partial<Record<CountName, string>>;

export type Counts = Readonly<Record<CountName | keyof typeof countSums, number>>;

export const countCalls = (calls: Iterable<CountedCall>, settings: CountSettings): Counts => {
  const patterns: Readonly<Record<CountName, Pattern>> = countedCalls(settings);
  const counts: Record<CountName, number> = { ...mapValues(patterns, () => 0) };
  const all = keysOf(patterns).map((name) => [name, patternTest(patterns[name])] as const);
  for (const call of calls) {
    const fields = fieldsOf(call);
    for (const [name, fits] of all) if (fits(fields)) counts[name] += 1;
  }
  const total = (names: readonly CountName[]) => names.reduce((sum, name) => sum + counts[name], 0);
  return { ...counts, ...mapValues(countSums, ({ add, take }) => total(add) - total(take)) };
};

const fieldsOf = (call: CountedCall) => ({ ...call, elapsedSeconds: elapsedSecondsOf(call) });

const isSum = (name: keyof Counts): name is keyof typeof countSums => Object.hasOwn(countSums, name);

/** Which calls a count or a sum counts, and the fields that decide. */
export const countTest = (name: keyof Counts, settings: CountSettings) => {
  const patterns: Readonly<Record<CountName, Pattern>> = countedCalls(settings);
  const { add, take }: CountSum = isSum(name) ? countSums[name] : { add: [name], take: [] };
  const testsOf = (names: readonly CountName[]) => names.map((one) => patternTest(patterns[one]));
  const added = testsOf(add);
  const taken = testsOf(take);
  return {
    fields: [...add, ...take].flatMap((one) => Object.keys(patterns[one])),
    fits(call: CountedCall): boolean {
      const fields = fieldsOf(call);
      const isIn = (tests: typeof added) => tests.some((fits) => fits(fields));
      return isIn(added) && !isIn(taken);
    },
  };
};

/** The durations of calls: in which field each is, which count of calls it is of, and the word by which a list selects the calls that have it. */
export const callDurations = {
  timeToAnswer: { field: 'timeToAnswerSeconds', of: 'answered', word: 'time-to-answer' },
  talk: { field: 'durationSeconds', of: 'handled', word: 'talk' },
  hold: { field: 'holdSeconds', of: 'handled', word: 'hold' },
  wrapUp: { field: 'wrapUpSeconds', of: 'handled', word: 'wrap-up' },
  handle: { field: 'handleSeconds', of: 'handled', word: 'handle' },
} as const satisfies Record<string, { readonly field: keyof Durations; readonly of: CountName; readonly word: string }>;

export type DurationName = keyof typeof callDurations;

export const durationOf = (call: Durations, name: DurationName): number | undefined =>
  name === 'handle' ? handleSecondsOf(call) : call[callDurations[name].field];

export const durationFields = {
  timeToAnswerSeconds: true,
  durationSeconds: true,
  holdSeconds: true,
  wrapUpSeconds: true,
  handleSeconds: true,
} as const;

/** The fields of a call and of its legs that decide which part of it belongs to an agent. None is personal. */
export const agentPartFields = { status: true, agentIds: true, ...durationFields } as const;

/** What decides which part of a call belongs to an agent. */
export interface CallWithAgents extends Durations, Pick<CallSummary, 'status' | 'agentIds'> {
  readonly legs?: readonly (Durations & Pick<CallSummary, 'status' | 'agentIds'>)[] | undefined;
}

/** What of a call belongs to one agent, or to the call as a whole. */
export interface AgentPart extends Durations {
  readonly isAnswered: boolean;
}

/** A call as one group counts it: the whole call, or what of it belongs to an agent. */
export interface CountedCall extends CallEnd, AgentPart {}

export const agentsOfCall = ({ agentIds }: CallWithAgents): readonly string[] => [...new Set(agentIds)];

/**
 * What of a call belongs to an agent. A call with one agent belongs to it whole. Of several agents, each has the legs
 * that name no other: their durations add up, but a leg that was not answered has none.
 */
export const partOfAgent = (call: CallWithAgents, agentId: string): AgentPart => {
  const isAnswered = call.status === 'answered';
  if (agentsOfCall(call).length === 1) return { ...call, isAnswered };

  const own = call.legs?.filter(({ agentIds }) => agentIds?.length === 1 && agentIds[0] === agentId) ?? [];
  const answered = own.filter(({ status }) => status !== 'not-answered');
  const sums = mapValues(durationFields, (_, field): number | undefined => {
    const known = answered.flatMap((leg) => leg[field] ?? []);
    return known.length === 0 ? undefined : known.reduce((total, seconds) => total + seconds, 0);
  });
  return {
    ...sums,
    timeToAnswerSeconds: answered[0]?.timeToAnswerSeconds,
    isAnswered: isAnswered && (own.length === 0 || answered.length > 0),
  };
};

/** A call as one of its agents counts it, or as a whole. */
export const countedCallOf = <Call extends CallEnd & CallWithAgents>(
  call: Call,
  agentId?: string,
): Call & AgentPart => ({
  ...call,
  ...(agentId === undefined ? { isAnswered: call.status === 'answered' } : partOfAgent(call, agentId)),
});
