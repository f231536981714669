import {
  type CallWithAgents,
  type CountedCall,
  type Counts,
  callDurations,
  countCalls,
  countedCalls,
  countMeanings,
  countSums,
  type DurationName,
  defaultCountSettings,
  durationOf,
} from '../lib/contract/call-counts.ts';
import type { CallSummary } from '../lib/contract/call-events.ts';
import type { CallEnd } from '../lib/contract/rules.ts';
import { mapValues } from '../lib/core/collections.ts';
import { patternTest } from '../lib/core/patterns.ts';

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

/** Which calls a figure counts, or rests on; of a duration, those where that duration is known. */
export interface CallsOfFigure {
  readonly counts: keyof Counts;
  readonly duration?: DurationName;
}

/** Words beside a large figure, or a count that opens its calls, with a word for them. */
export type BesidePart = string | { readonly count: number; readonly counts: keyof Counts; readonly text: string };

/** How a figure is shown, besides its title and its value. */
export interface FigureDisplay {
  readonly isLarge?: true;
  /** Whether the share that it is of its calls stands beside it. */
  readonly hasShare?: true;
  /** Whether a table leaves it out where it is zero in every row. */
  readonly isLeftOutAtZero?: true;
  /** Of a duration: a median and the average of the same duration stand beside each other. */
  readonly statistic?: keyof typeof statistics;
  /** What stands beside it where it is large. */
  readonly beside?: (counts: CountFigures, settings: Required<FigureSettings>) => readonly BesidePart[];
  /** Which direction is good; absent where a difference says nothing about the work, or has several reasons. */
  readonly better?: 'more' | 'less';
  /** Of a share for which contact centres set a target: by which word an address has it, in percent. */
  readonly target?: string;
}

type CountFigures = Readonly<Record<CountFigure, Figure>>;

interface CallFigure extends FigureDefinition, CallsOfFigure, FigureDisplay {
  readonly of: FigureOf;
}

const unknown = (reason: string): Figure => ({ value: undefined, reason });

const noStatus = 'No such call has a status that is known.';
const noTime = 'No answered call has timeToAnswerSeconds.';

interface CountRule {
  /** Among which calls the figure counts. */
  readonly among: keyof Counts;
  /** Which of these calls have the field that decides. */
  readonly decided: keyof Counts;
  /** Why the figure is not known where none of them has. */
  readonly reason: string;
}

const ofAll = { among: 'calls', decided: 'calls', reason: '' } as const;

const countRules = {
  calls: ofAll,
  offered: ofAll,
  answered: { among: 'offered', decided: 'decided', reason: noStatus },
  missed: { among: 'offered', decided: 'decided', reason: noStatus },
  abandoned: {
    among: 'missed',
    decided: 'missedClear',
    reason: 'No missed call has a known hangupBy, which says who gave up.',
  },
  shortAbandoned: {
    among: 'abandoned',
    decided: 'abandonedWithLength',
    reason: 'No abandoned call has a start, and an end after it.',
  },
  answeredLate: { among: 'answered', decided: 'answeredWithTime', reason: noTime },
  undecided: ofAll,
  handled: { among: 'calls', decided: 'withStatus', reason: noStatus },
} as const satisfies Readonly<Record<string, CountRule>>;

type CountFigure = keyof typeof countRules;

/** A number of calls: not known where those among which it counts are not, or where none of these has what decides. */
const countOf = (name: CountFigure, counts: Counts): Figure => {
  const { among, decided, reason } = countRules[name];
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

const durationCalls = mapValues(callDurations, ({ of }) => patternTest(countedCalls(defaultCountSettings)[of]));

const durationTitles: Readonly<Record<DurationName, string>> = {
  timeToAnswer: 'Time to answer',
  talk: 'Talk',
  hold: 'Hold',
  wrapUp: 'Wrap-up',
  handle: 'Handle time',
};

/** The figure of a duration. `more` ends the sentence that says how it is computed. */
const duration = (
  name: DurationName,
  statistic: keyof typeof statistics,
  more = '.',
  display: FigureDisplay = {},
): CallFigure => {
  const { of, field } = callDurations[name];
  return {
    ...display,
    title: `${durationTitles[name]}, ${statistic}`,
    unit: 'seconds',
    counts: of,
    duration: name,
    statistic,
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

const count = (title: string, name: CountFigure, definition: string, display: FigureDisplay = {}): CallFigure => ({
  ...display,
  title,
  unit: 'calls',
  counts: name,
  definition,
  of: (_calls, counts) => countOf(name, counts),
});

const counted = (title: string, name: keyof typeof countMeanings, display: FigureDisplay = {}): CallFigure =>
  count(title, name, countMeanings[name], display);

const besideCount = (
  before: string,
  counts: CountFigure,
  text: string,
  figures: CountFigures,
): readonly BesidePart[] => {
  const { value: count = 0 } = figures[counts];
  return count === 0 ? [] : [before, { count, counts, text }];
};

const zerosToo = ', zeros too.';
const undocumented = `${zerosToo} The service does not document its meaning.`;
const allThree = ': talk + hold + wrap-up where all three are known, else what the service sends (handleSecondsOf).';

/**
 * Figures that are sums of others, by a sum of counts and the figure without which the sum is not known. JSON and CSV leave them
 * out, as they have what is added.
 */
const declaredSums = {
  answeredByOthers: {
    title: 'Answered by others',
    unit: 'calls',
    definition: 'By agent: the offered calls that somebody else answered. With them the row adds up.',
    counts: 'passedOn',
    knownWith: 'answered',
  },
  givenUp: {
    title: 'Abandoned, not short',
    unit: 'calls',
    definition: 'Abandoned without short abandoned: the calls that the abandonment counts.',
    counts: 'givenUp',
    knownWith: 'abandoned',
  },
} as const satisfies Record<string, FigureDefinition & CallsOfFigure & { readonly knownWith: CountFigure }>;

export type SumName = keyof typeof declaredSums;

/** Such a sum, of the figures of some calls. An unknown number of short abandoned calls leaves none out. */
export const sumFigure = (name: SumName, figures: CountFigures): Figure => {
  const { counts, knownWith } = declaredSums[name];
  const known = figures[knownWith];
  if (known.value === undefined) return known;
  const { add, take } = countSums[counts];
  const total = (names: readonly CountFigure[]) => sum(names.map((one) => figures[one].value ?? 0));
  return { ...known, value: total(add) - total(take) };
};

const declared = {
  calls: counted('Calls', 'calls'),
  offered: counted('Offered', 'offered', { isLarge: true }),
  answered: counted('Answered', 'answered', { isLarge: true, hasShare: true, better: 'more' }),
  missed: counted('Missed', 'missed', { hasShare: true, better: 'less' }),
  abandoned: counted('Abandoned', 'abandoned', { better: 'less' }),
  shortAbandoned: counted('Short abandoned', 'shortAbandoned'),
  undecided: counted('Undecided', 'undecided', { isLeftOutAtZero: true }),
  serviceLevel: {
    title: 'Service level',
    unit: 'share',
    counts: 'serviceLevelCalls',
    definition:
      'Answered within the chosen seconds (20 by default) / offered without short abandoned, of the calls that tell: answered ' +
      'ones with timeToAnswerSeconds, and missed ones. The service does not say whether that time counts the queue, or only the ringing.',
    of: serviceLevel,
    isLarge: true,
    better: 'more',
    target: 'service-level-target',
    beside: (figures, { withinSeconds }) => [
      `, within ${withinSeconds} s`,
      ...besideCount('; ', 'answeredLate', 'later', figures),
    ],
  },
  abandonment: {
    title: 'Abandonment',
    unit: 'share',
    counts: 'abandonmentCalls',
    definition:
      'Abandoned without short abandoned / offered without short abandoned, of the calls that tell: a missed one needs hangupBy.',
    of: abandonment,
    isLarge: true,
    better: 'less',
    target: 'abandonment-target',
    beside(figures, { shortSeconds }) {
      const { value: count } = sumFigure('givenUp', figures);
      if (count === undefined) return [];
      const { value: short = 0 } = figures.shortAbandoned;
      const notCounted = short === 1 ? 'is not counted' : 'are not counted';
      return [
        ', ',
        { count, counts: 'givenUp', text: 'gave up' },
        ...besideCount('; ', 'shortAbandoned', 'more', figures),
        ...(short === 0 ? [] : [` hung up in under ${shortSeconds} s and ${notCounted}`]),
      ];
    },
  },
  timeToAnswerMedianSeconds: duration('timeToAnswer', 'median', ': half of them were answered sooner.', {
    better: 'less',
  }),
  timeToAnswerAverageSeconds: duration('timeToAnswer', 'average', ': the average speed of answer.', {
    isLarge: true,
    better: 'less',
  }),
  timeToAnswerLongestSeconds: duration(
    'timeToAnswer',
    'longest',
    ': the longest wait that is known. The service does not say how long missed calls waited.',
    { better: 'less' },
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
  handleAverageSeconds: duration('handle', 'average', allThree, { isLarge: true }),
  answeredLate: count(
    'Answered late',
    'answeredLate',
    'Answered calls with timeToAnswerSeconds that took longer than the chosen seconds (20 by default).',
    { better: 'less' },
  ),
} as const satisfies Record<string, CallFigure>;

export type CallFigureName = keyof typeof declared;

/** Title, unit and definition of every figure of calls, in the order in which they are shown. */
export const callFigureDefinitions: Readonly<Record<CallFigureName, FigureDefinition>> = declared;

/** Every figure of calls as it is declared, the sums too. */
export const callFigureDeclarations: Readonly<
  Record<CallFigureName | SumName, FigureDefinition & CallsOfFigure & FigureDisplay>
> = { ...declared, ...declaredSums };

/** The figures of calls in the console’s table of groups, in their order. A median has its average beside it. */
export const callColumns = [
  'calls',
  'offered',
  'answered',
  'answeredByOthers',
  'missed',
  'undecided',
  'serviceLevel',
  'answeredLate',
  'abandonment',
  'timeToAnswerMedianSeconds',
  'handleMedianSeconds',
  'talkMedianSeconds',
  'holdMedianSeconds',
  'wrapUpMedianSeconds',
] as const satisfies readonly (CallFigureName | SumName)[];

export type CallFigures = Readonly<Record<CallFigureName, Figure>>;

export const figuresOfCounted = (
  calls: readonly CountedCall[],
  { shortSeconds, withinSeconds = defaultWithinSeconds }: FigureSettings,
): CallFigures => {
  const counts = countCalls(calls, { shortSeconds, withinSeconds });
  return mapValues<CallFigureName, CallFigure, Figure>(declared, ({ of }) => of(calls, counts));
};
