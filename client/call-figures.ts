import {
  type CallWithAgents,
  type CountedCall,
  type Counts,
  callDurations,
  countCalls,
  countedCalls,
  countMeanings,
  type DurationName,
  defaultCountSettings,
  durationOf,
} from '../lib/contract/call-counts.ts';
import type { CallSummary } from '../lib/contract/call-events.ts';
import type { CallEnd } from '../lib/contract/rules.ts';
import { mapValues } from '../lib/core/collections.ts';
import { matcherOf } from '../lib/core/patterns.ts';

/** What figures need of a call. Rows have all of it; entries of lists lack the durations and the legs. */
export interface CallToCount extends CallEnd, CallWithAgents, Pick<CallSummary, 'skillName' | 'campaignName'> {
  /** Where the call is in lists: its start, else its end, else its first receipt. */
  readonly listedAt: string;
}

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

type FigureOf = (calls: readonly CountedCall[], counts: Counts) => Figure;

/** Which calls a figure counts, or rests on; of a duration, those where it is known. */
export interface CallsOfFigure {
  readonly counts: keyof Counts;
  readonly known?: DurationName;
}

interface CallFigure extends FigureDefinition, CallsOfFigure {
  readonly of: FigureOf;
}

const unknown = (reason: string): Figure => ({ value: undefined, reason });

const noStatus = 'No such call has a status that is known.';
const noTime = 'No answered call has timeToAnswerSeconds.';

/** Each number of calls: among which calls they count, which of these have the field that decides, and why none may. */
const countRules = {
  calls: ['calls', 'calls', ''],
  offered: ['calls', 'calls', ''],
  answered: ['offered', 'decided', noStatus],
  missed: ['offered', 'decided', noStatus],
  abandoned: ['missed', 'missedClear', 'No missed call has a known hangupBy, which says who gave up.'],
  shortAbandoned: ['abandoned', 'abandonedWithLength', 'No abandoned call has a start, and an end after it.'],
  answeredLate: ['answered', 'answeredWithTime', noTime],
  undecided: ['calls', 'calls', ''],
  handled: ['calls', 'withStatus', noStatus],
} as const;

type CountFigure = keyof typeof countRules;

/** A number of calls: not known where those among which it counts are not, or where none of these has what decides. */
const countOf = (name: CountFigure, counts: Counts): Figure => {
  const [among, decided, reason] = countRules[name];
  const all = among === 'calls' ? undefined : countOf(among, counts);
  if (all?.reason !== undefined) return all;
  const value = counts[name];
  const calls = counts[decided];
  const of = counts[among];
  return of > 0 && calls === 0 ? unknown(reason) : { value, calls, of };
};

/** A share of the offered calls without short abandoned ones. It rests on the calls of which it is known. */
const shareOf = (value: number, calls: number, { offeredWithoutShort: of }: Counts, reason: string): Figure => {
  if (of === 0) return unknown('No call was offered, apart from short abandoned ones.');
  return calls === 0 ? unknown(reason) : { value: rounded(value / calls), calls, of };
};

const serviceLevel: FigureOf = (_calls, counts) => {
  const { answered, answeredWithTime, inTime, serviceLevelCalls } = counts;
  // Missed calls alone would make it zero.
  if (answered > 0 && answeredWithTime === 0) return unknown(noTime);
  return shareOf(inTime, serviceLevelCalls, counts, 'No offered call has a status that is known.');
};

const abandonment: FigureOf = (_calls, counts) => {
  const reason = 'No offered call says whether it was answered, or who hung up.';
  return shareOf(counts.givenUp, counts.abandonmentCalls, counts, reason);
};

const sum = (seconds: readonly number[]): number => seconds.reduce((total, each) => total + each, 0);

/** Of at least one number. */
export const median = (seconds: readonly number[]): number => {
  const sorted = seconds.toSorted((a, b) => a - b);
  const middle = sorted.slice(Math.ceil(sorted.length / 2) - 1, Math.floor(sorted.length / 2) + 1);
  return sum(middle) / middle.length;
};

const statistics = {
  total: { word: 'sum of', of: sum },
  average: { word: 'mean', of: (seconds) => sum(seconds) / seconds.length },
  longest: { word: 'largest', of: (seconds) => seconds.reduce((longest, each) => Math.max(longest, each), 0) },
  median: { word: 'middle', of: median },
} as const satisfies Record<string, { word: string; of: (seconds: readonly number[]) => number }>;

/** The service's durations have at most three decimals. */
export const rounded = (value: number): number => Math.round(value * 1000) / 1000;

const durationCalls = mapValues(callDurations, ({ of }) => matcherOf(countedCalls(defaultCountSettings)[of]));

const durationTitles: Readonly<Record<DurationName, string>> = {
  timeToAnswer: 'Time to answer',
  talk: 'Talk',
  hold: 'Hold',
  wrapUp: 'Wrap-up',
  handle: 'Handle time',
};

/** The figure of a duration. `more` ends the sentence that says how it is computed. */
const duration = (name: DurationName, statistic: keyof typeof statistics, more = '.'): CallFigure => {
  const { of, field } = callDurations[name];
  return {
    title: `${durationTitles[name]}, ${statistic}`,
    unit: 'seconds',
    counts: of,
    known: name,
    definition: `The ${statistics[statistic].word} ${field} of ${of} calls that have it${more}`,
    of(calls) {
      const counting = calls.filter(durationCalls[name]);
      if (counting.length === 0) return unknown(`No call was ${of}.`);
      const known = counting.flatMap((call) => durationOf(call, name) ?? []);
      if (known.length === 0) return unknown(`No ${of} call has ${field}, or several agents share it.`);
      return { value: rounded(statistics[statistic].of(known)), calls: known.length, of: counting.length };
    },
  };
};

const count = (title: string, name: CountFigure, definition: string): CallFigure => ({
  title,
  unit: 'calls',
  counts: name,
  definition,
  of: (_calls, counts) => countOf(name, counts),
});

const counted = (title: string, name: keyof typeof countMeanings): CallFigure =>
  count(title, name, countMeanings[name]);

const zerosToo = ', zeros too.';
const undocumented = `${zerosToo} The service does not document its meaning.`;
const allThree = ': talk + hold + wrap-up where all three are known, else what the service sends (handleSecondsOf).';

const declared = {
  calls: counted('Calls', 'calls'),
  offered: counted('Offered', 'offered'),
  answered: counted('Answered', 'answered'),
  missed: counted('Missed', 'missed'),
  abandoned: counted('Abandoned', 'abandoned'),
  shortAbandoned: counted('Short abandoned', 'shortAbandoned'),
  undecided: counted('Undecided', 'undecided'),
  serviceLevel: {
    title: 'Service level',
    unit: 'share',
    counts: 'serviceLevelCalls',
    definition:
      'Answered within the chosen seconds (20 by default) / offered without short abandoned, of the calls that tell: answered ' +
      'ones with timeToAnswerSeconds, and missed ones. The service does not say whether that time counts the queue, or only the ringing.',
    of: serviceLevel,
  },
  abandonment: {
    title: 'Abandonment',
    unit: 'share',
    counts: 'abandonmentCalls',
    definition:
      'Abandoned without short abandoned / offered without short abandoned, of the calls that tell: a missed one needs hangupBy.',
    of: abandonment,
  },
  timeToAnswerMedianSeconds: duration('timeToAnswer', 'median', ': half of them were answered sooner.'),
  timeToAnswerAverageSeconds: duration('timeToAnswer', 'average', ': the average speed of answer.'),
  timeToAnswerLongestSeconds: duration(
    'timeToAnswer',
    'longest',
    ': the longest wait that is known. The service does not say how long missed calls waited.',
  ),
  handled: counted('Handled', 'handled'),
  talkMedianSeconds: duration(
    'talk',
    'median',
    '. The service sends the talk time; by specification it is the whole call.',
  ),
  talkAverageSeconds: duration('talk', 'average'),
  talkTotalSeconds: duration('talk', 'total'),
  holdMedianSeconds: duration('hold', 'median', undocumented),
  holdAverageSeconds: duration('hold', 'average', zerosToo),
  holdTotalSeconds: duration('hold', 'total'),
  wrapUpMedianSeconds: duration('wrapUp', 'median', undocumented),
  wrapUpAverageSeconds: duration('wrapUp', 'average', zerosToo),
  wrapUpTotalSeconds: duration('wrapUp', 'total'),
  handleMedianSeconds: duration('handle', 'median', allThree),
  handleAverageSeconds: duration('handle', 'average', allThree),
  answeredLate: count(
    'Answered late',
    'answeredLate',
    'Answered calls with timeToAnswerSeconds that took longer than the chosen seconds (20 by default).',
  ),
} as const satisfies Record<string, CallFigure>;

export type CallFigureName = keyof typeof declared;

/** Title, unit and definition of every figure of calls, in the order in which they are shown. */
export const callFigureDefinitions: Readonly<Record<CallFigureName, FigureDefinition>> = declared;

const byName: Readonly<Record<string, CallsOfFigure>> = declared;

/** The calls that a figure opens. A figure of agents' time has none. */
export const callsOfFigure = (name: string): CallsOfFigure | undefined => byName[name];

export type CallFigures = Readonly<Record<CallFigureName, Figure>>;

export const figuresOfCounted = (
  calls: readonly CountedCall[],
  { shortSeconds, withinSeconds = defaultWithinSeconds }: FigureSettings,
): CallFigures => {
  const counts = countCalls(calls, { shortSeconds, withinSeconds });
  return mapValues<CallFigureName, CallFigure, Figure>(declared, ({ of }) => of(calls, counts));
};
