import type { AgentPart, CallWithAgents } from '../contract/call-counts.ts';
import {
  type Counts,
  callDurations,
  countCalls,
  countedCalls,
  countMeanings,
  defaultCountSettings,
} from '../contract/call-counts.ts';
import type { CallSummary } from '../contract/call-events.ts';
import { type CallEnd, handleSecondsOf } from '../contract/rules.ts';
import { mapValues } from '../core/collections.ts';
import { matcherOf } from '../core/patterns.ts';

/** What figures need of a call. Rows have all of it; entries of lists lack the durations and the legs. */
export interface CallToCount extends CallEnd, CallWithAgents, Pick<CallSummary, 'skillName' | 'campaignName'> {
  /** Where the call is in lists: its start, else its end, else its first receipt. */
  readonly listedAt: string;
}

/** A call as one group counts it: the whole call, or what of it belongs to an agent. */
export interface CountedCall extends CallEnd, AgentPart {}

export interface FigureSettings {
  /** An abandoned call is short if it ended in less than these seconds after its start. */
  readonly shortSeconds: number;
  /** A call is answered in time if that took at most these seconds. Default: 20, as most contact centres promise. */
  readonly withinSeconds?: number;
}

/** Within how many seconds a call has to be answered for the service level, unless another number is chosen. */
export const defaultWithinSeconds = defaultCountSettings.withinSeconds;

/**
 * A figure; one that cannot be known has no value, and the reason. It rests on `calls` calls, which have the field that
 * decides, out of `of` calls.
 */
export type Figure =
  | { readonly value: number; readonly reason?: undefined; readonly calls: number; readonly of: number }
  | { readonly value: undefined; readonly reason: string };

export interface FigureDefinition {
  readonly title: string;
  readonly unit: 'calls' | 'seconds' | 'share';
  /** How it is computed, for those who read it. */
  readonly definition: string;
}

interface Group {
  readonly calls: readonly CountedCall[];
  readonly counts: Counts;
}

interface CallFigure extends FigureDefinition {
  readonly of: (group: Group) => Figure;
}

const unknown = (reason: string): Figure => ({ value: undefined, reason });

/** A number of calls: known unless there are calls, and none of them has the field that decides. */
const numberOf = (value: number, calls: number, of: number, reason = ''): Figure =>
  of > 0 && calls === 0 ? unknown(reason) : { value, calls, of };

const noStatus = 'No such call has a status that is known.';

const ofOffered = (value: number, { offered, undecided }: Counts): Figure =>
  numberOf(value, offered - undecided, offered, noStatus);

const missed: CallFigure['of'] = ({ counts }) => ofOffered(counts.missed, counts);

const abandoned: CallFigure['of'] = (group) => {
  const ofMissed = missed(group);
  if (ofMissed.value === undefined) return ofMissed;
  const { abandoned: value, missed: of, missedUnclear } = group.counts;
  return numberOf(value, of - missedUnclear, of, 'No missed call has a known hangupBy, which says who gave up.');
};

const shortAbandoned: CallFigure['of'] = (group) => {
  const ofAbandoned = abandoned(group);
  if (ofAbandoned.value === undefined) return ofAbandoned;
  const { shortAbandoned: value, abandonedWithLength, abandoned: of } = group.counts;
  return numberOf(value, abandonedWithLength, of, 'No abandoned call has a start, and an end after it.');
};

/** A share of the offered calls without short abandoned ones. It rests on the calls of which it is known. */
const shareOf = (value: number, calls: number, { offeredWithoutShort: of }: Counts, reason: string): Figure => {
  if (of === 0) return unknown('No call was offered, apart from short abandoned ones.');
  return calls === 0 ? unknown(reason) : { value: rounded(value / calls), calls, of };
};

const serviceLevel: CallFigure['of'] = ({ counts }) => {
  const { answered, answeredWithTime, inTime, serviceLevelCalls } = counts;
  // Missed calls alone would make it zero.
  if (answered > 0 && answeredWithTime === 0) return unknown('No answered call has timeToAnswerSeconds.');
  return shareOf(inTime, serviceLevelCalls, counts, 'No offered call has a status that is known.');
};

const abandonment: CallFigure['of'] = ({ counts }) => {
  const reason = 'No offered call says whether it was answered, or who hung up.';
  return shareOf(counts.givenUp, counts.abandonmentCalls, counts, reason);
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

const durationCalls = mapValues(callDurations, ({ of }) => matcherOf(countedCalls(defaultCountSettings)[of]));

const duration =
  (statistic: keyof typeof statistics, name: keyof typeof callDurations): CallFigure['of'] =>
  ({ calls }) => {
    const { of, field } = callDurations[name];
    const counting = calls.filter(durationCalls[name]);
    if (counting.length === 0) return unknown(`No call was ${of}.`);
    const known = counting.flatMap((call) => (name === 'handle' ? handleSecondsOf(call) : call[field]) ?? []);
    const isShared = counting.some((call) => call.isShared === true);
    if (known.length === 0)
      return unknown(`No ${of} call has ${field}${isShared ? ' for one agent alone: several share it' : ''}.`);
    return { value: rounded(statistics[statistic](known)), calls: known.length, of: counting.length };
  };

const statisticNames = { total: 'sum of', average: 'mean', median: 'middle' } as const;
const zerosToo = ', zeros too.';
const undocumented = `${zerosToo} The service does not document its meaning.`;

/** A duration of handled calls. `more` ends the sentence that says how it is computed. */
const handledDuration = (
  title: string,
  statistic: keyof typeof statisticNames,
  name: keyof typeof callDurations,
  more = '.',
) => ({
  title: `${title}, ${statistic}`,
  unit: 'seconds' as const,
  definition: `The ${statisticNames[statistic]} ${callDurations[name].field} of handled calls that have it${more}`,
  of: duration(statistic, name),
});

const countFigure = (title: string, name: keyof typeof countMeanings, of: CallFigure['of']) => ({
  title,
  unit: 'calls' as const,
  definition: countMeanings[name],
  of,
});

const handleTime =
  'talk + hold + wrap-up of handled calls that have all three; of others handleSeconds, where they have it: handleSecondsOf.';

const declared = {
  calls: countFigure('Calls', 'calls', ({ counts: { calls } }) => numberOf(calls, calls, calls)),
  offered: countFigure('Offered', 'offered', ({ counts: { offered, calls } }) => numberOf(offered, calls, calls)),
  answered: countFigure('Answered', 'answered', ({ counts }) => ofOffered(counts.answered, counts)),
  missed: countFigure('Missed', 'missed', missed),
  abandoned: countFigure('Abandoned', 'abandoned', abandoned),
  shortAbandoned: countFigure('Short abandoned', 'shortAbandoned', shortAbandoned),
  undecided: countFigure('Undecided', 'undecided', ({ counts: { undecided, calls } }) =>
    numberOf(undecided, calls, calls),
  ),
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
    of: duration('median', 'timeToAnswer'),
  },
  timeToAnswerAverageSeconds: {
    title: 'Time to answer, average',
    unit: 'seconds',
    definition: 'The mean timeToAnswerSeconds of answered calls that have it: the average speed of answer.',
    of: duration('average', 'timeToAnswer'),
  },
  timeToAnswerLongestSeconds: {
    title: 'Time to answer, longest',
    unit: 'seconds',
    definition:
      'The largest timeToAnswerSeconds of answered calls: the longest wait that is known. The service does not say how long missed calls waited.',
    of: duration('longest', 'timeToAnswer'),
  },
  handled: countFigure('Handled', 'handled', ({ counts: { handled, withStatus, calls } }) =>
    numberOf(handled, withStatus, calls, noStatus),
  ),
  talkMedianSeconds: handledDuration(
    'Talk',
    'median',
    'talk',
    '. The service sends the talk time; by specification it is the whole call.',
  ),
  talkAverageSeconds: handledDuration('Talk', 'average', 'talk'),
  talkTotalSeconds: handledDuration('Talk', 'total', 'talk'),
  holdMedianSeconds: handledDuration('Hold', 'median', 'hold', undocumented),
  holdAverageSeconds: handledDuration('Hold', 'average', 'hold', zerosToo),
  holdTotalSeconds: handledDuration('Hold', 'total', 'hold'),
  wrapUpMedianSeconds: handledDuration('Wrap-up', 'median', 'wrapUp', undocumented),
  wrapUpAverageSeconds: handledDuration('Wrap-up', 'average', 'wrapUp', zerosToo),
  wrapUpTotalSeconds: handledDuration('Wrap-up', 'total', 'wrapUp'),
  handleMedianSeconds: {
    title: 'Handle time, median',
    unit: 'seconds',
    definition: `The middle ${handleTime}`,
    of: duration('median', 'handle'),
  },
  handleAverageSeconds: {
    title: 'Handle time, average',
    unit: 'seconds',
    definition: `The mean ${handleTime}`,
    of: duration('average', 'handle'),
  },
} as const satisfies Record<string, CallFigure>;

export type CallFigureName = keyof typeof declared;

/** Title, unit and definition of every figure of calls, in the order in which they are shown. */
export const callFigureDefinitions: Readonly<Record<CallFigureName, FigureDefinition>> = declared;

export type CallFigures = Readonly<Record<CallFigureName, Figure>>;

export const figuresOfCounted = (
  calls: readonly CountedCall[],
  { shortSeconds, withinSeconds = defaultWithinSeconds }: FigureSettings,
): CallFigures => {
  const counts = countCalls(calls, { shortSeconds, withinSeconds });
  return mapValues<CallFigureName, CallFigure, Figure>(declared, ({ of }) => of({ calls, counts }));
};
