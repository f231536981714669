import { figureChange } from '../../client/compared-figures.ts';
import type { FigureSettings, PeriodRecords, TooManyCalls } from '../../client/index.ts';
import { figuresOf, type NamedFigure } from '../../client/shown-figures.ts';
import { localDate } from '../../lib/core/time.ts';
import { comparedWeeks, type WeeksBefore } from '../day/period.ts';
import type { ShownAccount } from './accounts.ts';
import { dayList, shownFigure } from './shown-figure.ts';

interface Compared {
  readonly account: ShownAccount;
  readonly records: PeriodRecords;
  readonly figures: readonly NamedFigure[];
  readonly earlier: PeriodRecords | TooManyCalls;
  readonly settings: FigureSettings & { readonly withinSeconds: number };
  readonly readAt: string;
}

/**
 * The same weekdays before, up to the same local time where the last day is not over: each figure with the difference from it.
 * Where nothing is there to compare with, each figure is unknown, and `reason` says why.
 */
export const weeksBeforeOf = ({ account, records, figures, earlier, settings, readAt }: Compared) => {
  const { figures: counted, ...weeks } = comparedWeeks(earlier, records, { ...settings, asOf: readAt });
  const reason = reasonOf(account, { earlier, counted, readAt });
  const known = new Map(
    counted === undefined || reason !== undefined
      ? []
      : figuresOf({ calls: counted }).map((figure) => [figure.name, figure] as const),
  );
  return {
    ...weeks,
    reason,
    opens: dayList(earlier, weeks.upTo),
    storedDays: 'moreThan' in earlier ? undefined : storedDays(earlier, records),
    figures: figures.map((figure) => {
      const before = known.get(figure.name);
      const change = figureChange(figure.declaration, figure.figure.value, before?.figure.value);
      const note = reason ?? 'agents’ time of earlier days is not read';
      const shown = before ?? { ...figure, ...nothing, figure: { value: undefined, reason: `Not known: ${note}.` } };
      return { ...shownFigure(shown, settings.withinSeconds), change };
    }),
  };
};

const nothing = { share: undefined, otherStatistic: undefined };

interface Earlier extends Pick<Compared, 'earlier' | 'readAt'> {
  readonly counted: WeeksBefore['figures'];
}

const dayMs = 86_400_000;

/** Why there is nothing to compare with, if so. A part of the calls would look like a quiet week, and none like a closed one. */
const reasonOf = ({ deployment }: ShownAccount, { earlier, counted, readAt }: Earlier): string | undefined => {
  if ('moreThan' in earlier) return 'there are too many calls to compare with';
  const { callDays } = deployment.retention;
  if (Date.parse(earlier.start) < Date.parse(readAt) - callDays * dayMs)
    return `some calls may be gone, as they are kept for ${callDays} days`;
  return counted?.calls.value === 0 ? 'no call is stored to compare with' : undefined;
};

const daysWithCalls = ({ calls, timeZone }: PeriodRecords): number =>
  new Set(calls.map(({ listedAt }) => localDate(listedAt, timeZone))).size;

/** On how many days calls are stored, where these are fewer than those with calls now: the difference is then no change. */
const storedDays = (earlier: PeriodRecords, records: PeriodRecords): number | undefined => {
  const count = daysWithCalls(earlier);
  return count < daysWithCalls(records) ? count : undefined;
};
