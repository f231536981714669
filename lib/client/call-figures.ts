import type { AgentPart, CallWithAgents, Durations } from '../contract/agent-part.ts';
import type { CallSummary } from '../contract/call-events.ts';
import {
  type CallEnd,
  handleSecondsOf,
  isAbandoned,
  isInbound,
  isMissed,
  isShortAbandoned,
} from '../contract/rules.ts';
import { mapValues } from '../core/collections.ts';

/** What figures need of a call. Rows have all of it; entries of lists lack the durations and the legs. */
export interface CallToCount extends CallEnd, CallWithAgents, Pick<CallSummary, 'skillName' | 'campaignName'> {
  /** Where the call is in lists: its start, else its end, else its first receipt. */
  readonly listedAt: string;
}

/** A call as one group counts it: the whole call, or what of it belongs to an agent. */
export interface CountedCall extends CallEnd, AgentPart {}

/** How figures are computed. */
export interface FigureSettings {
  /** An abandoned call is short if it ended less than so many seconds after its start. */
  readonly shortSeconds: number;
  /** A call is answered in time if that took at most so many seconds. Default: 20, as most contact centres promise. */
  readonly withinSeconds?: number;
}

/** Within how many seconds a call has to be answered for the service level, unless another number is chosen. */
export const defaultWithinSeconds = 20;

/**
 * A figure; one that cannot be known has no value, and the reason. It rests on `calls`, those that have the field which decides,
 * of the `of` calls that should.
 */
export type Figure =
  | { readonly value: number; readonly reason?: undefined; readonly calls: number; readonly of: number }
  | { readonly value: undefined; readonly reason: string };

/** What a figure is. */
export interface FigureDefinition {
  readonly title: string;
  readonly unit: 'calls' | 'seconds' | 'share';
  /** How it is computed, for those who read it. */
  readonly definition: string;
}

interface CallFigure extends FigureDefinition {
  readonly of: (calls: readonly CountedCall[], settings: FigureSettings) => Figure;
}

const unknown = (reason: string): Figure => ({ value: undefined, reason });

const hasWord = (word: string | undefined): boolean => word !== undefined && word !== 'unknown';

const isHandled = ({ isAnswered, type }: CountedCall): boolean => isAnswered && type !== 'ivr';
const isOfferedAndAnswered = (call: CountedCall): boolean => isInbound(call) && call.isAnswered;
const hasBothInstants = ({ startedAt, endedAt }: CountedCall): boolean =>
  startedAt !== undefined && endedAt !== undefined;

/** A number of calls is known unless no call has the field that decides. */
const counted = (
  calls: readonly CountedCall[],
  counts: (call: CountedCall) => boolean,
  decidesIn: (call: CountedCall) => boolean,
  reason: string,
): Figure => {
  const deciding = calls.filter(decidesIn);
  if (calls.length > 0 && deciding.length === 0) return unknown(reason);
  return { value: calls.filter(counts).length, calls: deciding.length, of: calls.length };
};

/** A number of calls that is always known. */
const numberOf = (calls: readonly CountedCall[], counts: (call: CountedCall) => boolean): Figure =>
  counted(calls, counts, () => true, '');

const byStatus = (calls: readonly CountedCall[], counts: (call: CountedCall) => boolean): Figure =>
  counted(calls, counts, ({ status }) => hasWord(status), 'No such call has a status that is known.');

const offeredOf = (calls: readonly CountedCall[]) => calls.filter(isInbound);

const missed = (calls: readonly CountedCall[]): Figure => byStatus(offeredOf(calls), isMissed);

const abandoned = (calls: readonly CountedCall[]): Figure => {
  const ofMissed = missed(calls);
  return ofMissed.value === undefined
    ? ofMissed
    : counted(
        calls.filter(isMissed),
        isAbandoned,
        ({ hangupBy }) => hasWord(hangupBy),
        'No missed call has a known hangupBy, which says who gave up.',
      );
};

const shortAbandoned = (calls: readonly CountedCall[], { shortSeconds }: FigureSettings): Figure => {
  const ofAbandoned = abandoned(calls);
  return ofAbandoned.value === undefined
    ? ofAbandoned
    : counted(
        calls.filter(isAbandoned),
        (call) => isShortAbandoned(call, shortSeconds),
        hasBothInstants,
        'No abandoned call has both its start and its end.',
      );
};

/** Offered calls that gave the agents a chance: short abandoned ones count on neither side of a share. */
const withoutShort = (calls: readonly CountedCall[], { shortSeconds }: FigureSettings) =>
  offeredOf(calls).filter((call) => !isShortAbandoned(call, shortSeconds));

/** The share of calls that `decides` is true of, among those that it decides. */
const shareOf = (
  calls: readonly CountedCall[],
  decides: (call: CountedCall) => boolean | undefined,
  reason: string,
): Figure => {
  if (calls.length === 0) return unknown('No call was offered, apart from short abandoned ones.');
  const decided = calls.flatMap((call) => decides(call) ?? []);
  if (decided.length === 0) return unknown(reason);
  return { value: rounded(decided.filter(Boolean).length / decided.length), calls: decided.length, of: calls.length };
};

const serviceLevel: CallFigure['of'] = (calls, settings) => {
  const { withinSeconds = defaultWithinSeconds } = settings;
  const base = withoutShort(calls, settings);
  const reason = 'No answered call has timeToAnswerSeconds.';
  // Missed calls alone would make it zero.
  if (
    base.some(isOfferedAndAnswered) &&
    base.every((call) => !call.isAnswered || call.timeToAnswerSeconds === undefined)
  )
    return unknown(reason);
  const isInTime = (call: CountedCall): boolean | undefined => {
    if (!call.isAnswered) return isMissed(call) ? false : undefined;
    return call.timeToAnswerSeconds === undefined ? undefined : call.timeToAnswerSeconds <= withinSeconds;
  };
  return shareOf(base, isInTime, 'No offered call has a status that is known.');
};

const abandonment: CallFigure['of'] = (calls, settings) => {
  const isGivenUp = (call: CountedCall): boolean | undefined => {
    if (!hasWord(call.status)) return undefined;
    return isMissed(call) && !hasWord(call.hangupBy) ? undefined : isAbandoned(call);
  };
  const reason = 'No offered call says whether it was answered, or who hung up.';
  return shareOf(withoutShort(calls, settings), isGivenUp, reason);
};

const statistics = {
  total: (seconds: readonly number[]) => seconds.reduce((sum, each) => sum + each, 0),
  average: (seconds: readonly number[]) => statistics.total(seconds) / seconds.length,
  longest: (seconds: readonly number[]) => seconds.reduce((longest, each) => Math.max(longest, each), 0),
  median(seconds: readonly number[]) {
    const sorted = seconds.toSorted((a, b) => a - b);
    const upper = sorted[Math.floor(sorted.length / 2)] ?? 0;
    return sorted.length % 2 === 1 ? upper : ((sorted[sorted.length / 2 - 1] ?? 0) + upper) / 2;
  },
} as const;

/** The service's durations have at most three decimals. */
export const rounded = (value: number): number => Math.round(value * 1000) / 1000;

/** The calls that a duration is of. */
const durationCalls = { answered: isOfferedAndAnswered, handled: isHandled } as const;

const duration =
  (
    statistic: keyof typeof statistics,
    field: keyof Durations,
    of: keyof typeof durationCalls = 'handled',
  ): CallFigure['of'] =>
  (calls) => {
    const counting = calls.filter(durationCalls[of]);
    if (counting.length === 0) return unknown(`No call was ${of}.`);
    const known = counting.flatMap((call) => (field === 'handleSeconds' ? handleSecondsOf(call) : call[field]) ?? []);
    const isShared = counting.some((call) => call.isShared === true);
    if (known.length === 0)
      return unknown(`No ${of} call has ${field}${isShared ? ' for one agent alone: several share it' : ''}.`);
    return { value: rounded(statistics[statistic](known)), calls: known.length, of: counting.length };
  };

const statisticNames = { total: 'sum of', average: 'mean', median: 'middle' } as const;
const zerosToo = ', zeros too.';
const undocumented = `${zerosToo} The service does not document its meaning.`;

/** A duration of handled calls. `more` ends the sentence that says how it is computed. */
const handledDuration = (name: string, statistic: keyof typeof statisticNames, field: keyof Durations, more = '.') => ({
  title: `${name}, ${statistic}`,
  unit: 'seconds' as const,
  definition: `The ${statisticNames[statistic]} ${field} of handled calls that have it${more}`,
  of: duration(statistic, field),
});

/** Every figure of calls, with how it is computed: the text for readers, and the function. */
const declared = {
  calls: {
    title: 'Calls',
    unit: 'calls',
    definition: 'Calls of every type that started in the period. A call over midnight belongs to the day of its start.',
    of: (calls) => numberOf(calls, () => true),
  },
  offered: {
    title: 'Offered',
    unit: 'calls',
    definition:
      'Inbound calls, and calls without a type. A call that a skill transfer continues (linkedCallId) is one of its own.',
    of: (calls) => numberOf(calls, isInbound),
  },
  answered: {
    title: 'Answered',
    unit: 'calls',
    definition: 'Offered calls with the status answered. By agent: those that this agent answered, where legs show it.',
    of: (calls) => byStatus(offeredOf(calls), ({ isAnswered }) => isAnswered),
  },
  missed: {
    title: 'Missed',
    unit: 'calls',
    definition:
      'Offered calls with the status not-answered, by the contract’s isMissed. Abandoned calls are among them.',
    of: missed,
  },
  abandoned: {
    title: 'Abandoned',
    unit: 'calls',
    definition: 'Missed calls in which the customer hung up (hangupBy is user), by the contract’s isAbandoned.',
    of: abandoned,
  },
  shortAbandoned: {
    title: 'Short abandoned',
    unit: 'calls',
    definition:
      'Abandoned calls that ended less than the chosen seconds after their start. Time in a menu counts: isShortAbandoned.',
    of: shortAbandoned,
  },
  undecided: {
    title: 'Undecided',
    unit: 'calls',
    definition:
      'Offered calls whose status is absent or unknown. Offered = answered + missed + undecided, but by agent.',
    of: (calls) => numberOf(calls, (call) => isInbound(call) && !hasWord(call.status)),
  },
  serviceLevel: {
    title: 'Service level',
    unit: 'share',
    definition:
      'Answered within the chosen seconds (20 by default) / offered without short abandoned, of the calls that tell: answered ' +
      'ones with timeToAnswerSeconds, and missed ones. The service does not say whether that time counts the queue, or only the ringing.',
    of: serviceLevel,
  },
  abandonment: {
    title: 'Abandonment',
    unit: 'share',
    definition:
      'Abandoned without short abandoned / offered without short abandoned, of the calls that tell: a missed one needs hangupBy.',
    of: abandonment,
  },
  timeToAnswerMedianSeconds: {
    title: 'Time to answer, median',
    unit: 'seconds',
    definition: 'The middle timeToAnswerSeconds of answered calls that have it: half of them were answered sooner.',
    of: duration('median', 'timeToAnswerSeconds', 'answered'),
  },
  timeToAnswerAverageSeconds: {
    title: 'Time to answer, average',
    unit: 'seconds',
    definition: 'The mean timeToAnswerSeconds of answered calls that have it: the average speed of answer.',
    of: duration('average', 'timeToAnswerSeconds', 'answered'),
  },
  timeToAnswerLongestSeconds: {
    title: 'Time to answer, longest',
    unit: 'seconds',
    definition:
      'The largest timeToAnswerSeconds of answered calls: the longest wait that is known. The service does not say how long missed calls waited.',
    of: duration('longest', 'timeToAnswerSeconds', 'answered'),
  },
  handled: {
    title: 'Handled',
    unit: 'calls',
    definition: 'Answered calls of every type but ivr, outgoing ones too: the calls of talk, hold and wrap-up.',
    of: (calls) => byStatus(calls, isHandled),
  },
  talkMedianSeconds: handledDuration(
    'Talk',
    'median',
    'durationSeconds',
    '. The service sends the talk time; by specification it is the whole call.',
  ),
  talkAverageSeconds: handledDuration('Talk', 'average', 'durationSeconds'),
  talkTotalSeconds: handledDuration('Talk', 'total', 'durationSeconds'),
  holdMedianSeconds: handledDuration('Hold', 'median', 'holdSeconds', undocumented),
  holdAverageSeconds: handledDuration('Hold', 'average', 'holdSeconds', zerosToo),
  holdTotalSeconds: handledDuration('Hold', 'total', 'holdSeconds'),
  wrapUpMedianSeconds: handledDuration('Wrap-up', 'median', 'wrapUpSeconds', undocumented),
  wrapUpAverageSeconds: handledDuration('Wrap-up', 'average', 'wrapUpSeconds', zerosToo),
  wrapUpTotalSeconds: handledDuration('Wrap-up', 'total', 'wrapUpSeconds'),
  handleMedianSeconds: {
    title: 'Handle time, median',
    unit: 'seconds',
    definition:
      'The middle talk + hold + wrap-up of handled calls that have all three; of others handleSeconds, where they have it: handleSecondsOf.',
    of: duration('median', 'handleSeconds'),
  },
  handleAverageSeconds: {
    title: 'Handle time, average',
    unit: 'seconds',
    definition:
      'The mean talk + hold + wrap-up of handled calls that have all three; of others handleSeconds, where they have it: handleSecondsOf.',
    of: duration('average', 'handleSeconds'),
  },
} as const satisfies Record<string, CallFigure>;

/** The name of a figure of calls. */
export type CallFigureName = keyof typeof declared;

/** Title, unit and definition of every figure of calls, in the order in which they are shown. */
export const callFigureDefinitions: Readonly<Record<CallFigureName, FigureDefinition>> = declared;

/** Every figure of some calls. */
export type CallFigures = Readonly<Record<CallFigureName, Figure>>;

/** Computes every figure of what a group counts. */
export const figuresOfCounted = (calls: readonly CountedCall[], settings: FigureSettings): CallFigures =>
  mapValues<CallFigureName, CallFigure, Figure>(declared, (figure) => figure.of(calls, settings));
