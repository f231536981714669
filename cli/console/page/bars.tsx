import { quarterHourMs } from '../../../lib/core/time.ts';
import type { Answers } from '../api.ts';
import { useView } from './address.ts';
import { quarterQuery } from './call-links.ts';
import { Chart } from './chart.tsx';
import { hashOf, type PageQuery } from './hash.ts';
import { targetsIn } from './targets.tsx';
import { dayText } from './words.ts';

/** Customers' calls by outcome, and all others: the name, the colour, and the word by which Calls selects them. */
const outcomes = [
  ['answered', '#0072b2', 'answered'],
  ['missed', '#d55e00', 'missed'],
  ['outgoing and other', '#999999', 'other'],
] as const;

interface BarsProps {
  readonly title: string;
  readonly unit: 'quarter' | 'day';
  readonly bars: Answers['quarters']['quarters'];
  /** Where the last bar ends, in milliseconds. */
  readonly end: number;
  readonly at?: string | undefined;
  /** Where the calls of an outcome lead, which the word of Calls names, from an instant on. */
  readonly hrefOf: (word: string, ms: number) => string | undefined;
}

const Bars = ({ title, unit, bars, end, at, hrefOf }: BarsProps) => (
  <Chart
    {...{ title, unit }}
    times={bars.map(([ms]) => ms)}
    series={outcomes.map(([label, fill, word], index) => ({
      label,
      fill,
      values: bars.map((bar) => bar[index + 1] ?? 0),
      hrefOf: (ms: number) => hrefOf(word, ms),
    }))}
    range={[bars[0]?.[0] ?? end, end]}
    mark={at}
  />
);

interface QuartersProps extends Pick<Answers['quarters'], 'start' | 'end' | 'quarters'> {
  readonly at?: string | undefined;
  /** By what else than the quarter the calls of an outcome are listed; undefined if nothing lists them. */
  readonly listedBy: (outcome: string) => PageQuery | undefined;
}

/** From the first quarter with a call to the last: a few need not be as wide as the quarters of a whole day are narrow. */
export const rangeOfQuarters = ({ quarters, start, end }: Pick<QuartersProps, 'quarters' | 'start' | 'end'>) => {
  const first = quarters[0]?.[0];
  const last = quarters.at(-1)?.[0];
  if (first === undefined || last === undefined) return undefined;
  const from = Math.max(Date.parse(start), Math.min(first, last - 12 * quarterHourMs));
  const to = Math.min(Date.parse(end), last + quarterHourMs);
  const times = Array.from(
    { length: Math.ceil((to - from) / quarterHourMs) },
    (_, index) => from + index * quarterHourMs,
  );
  return { from, to, times };
};

/** A day has 25 hours where clocks go back. */
const isOfOneDay = (start: string, end: string): boolean => Date.parse(end) - Date.parse(start) <= 100 * quarterHourMs;

/** Keeps the space of the chart: a filter that no call fits must not move the list. */
const NoQuarters = () => (
  <figure class="chart">
    <figcaption>Calls per quarter of an hour: none</figcaption>
  </figure>
);

/** Calls per quarter of an hour: each part of a bar opens its calls. */
export const QuartersChart = ({ quarters, start, end, at, listedBy }: QuartersProps) => {
  const { account } = useView().address.query;
  const range = rangeOfQuarters({ quarters, start, end });
  if (range === undefined) return isOfOneDay(start, end) ? <NoQuarters /> : null;
  const known = new Map(quarters.map((one) => [one[0], one]));
  const hrefOf = (outcome: string, ms: number) => {
    const query = listedBy(outcome);
    return query && hashOf('calls', undefined, { account, ...query, ...quarterQuery(ms) });
  };
  const bars = range.times.map((time) => known.get(time) ?? ([time, 0, 0, 0] as const));
  return <Bars title="Calls per quarter of an hour" unit="quarter" {...{ bars, at, hrefOf }} end={range.to} />;
};

/** Calls per day: each bar opens its day. */
export const DaysChart = ({ bars, end }: Pick<BarsProps, 'bars'> & { readonly end: string }) => {
  const { address, timeZone } = useView();
  const { account, within } = address.query;
  const hrefOf = (_word: string, ms: number) =>
    hashOf('day', undefined, { account, within, ...targetsIn(address), day: dayText(ms, timeZone) });
  return <Bars title="Calls per day" unit="day" {...{ bars, hrefOf }} end={Date.parse(end)} />;
};
