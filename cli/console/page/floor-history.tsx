import { useMemo } from 'preact/hooks';
import { wordText } from '../../../lib/telephony/vocabularies.ts';
import type { Answers } from '../api.ts';
import { useView } from './address.ts';
import { Chart } from './chart.tsx';
import { hashOf } from './hash.ts';
import { states, styleOf } from './words.ts';

const twoHoursMs = 7_200_000;
const minuteMs = 60_000;

/** A chart of the first minute would be one bar. */
const leastShownMs = 15 * minuteMs;

interface HistoryProps {
  readonly history: Answers['history'];
  readonly isFiltered: boolean;
  /** The floor, which may be stale: then nothing is known since. */
  readonly floor: Answers['floor'] | undefined;
}

/** Agents by state over two hours. The counts of each point hold until the next, and the last ones as long as they are known. */
export const HistoryChart = ({ history: { points, now, isWhole }, isFiltered, floor }: HistoryProps) => {
  const { at, address } = useView();
  const times = useMemo(() => points.map(([ms]) => ms), [points]);
  const series = useMemo(
    () =>
      states
        .filter((state) => points.some(([, , counts]) => (counts[state] ?? 0) > 0))
        .map((state) => ({
          label: wordText(state),
          fill: styleOf(state).fill,
          values: points.map(([, isLive, counts]) => (isLive ? (counts[state] ?? 0) : null)),
        })),
    [points],
  );
  const first = times[0];
  const to = Date.parse(now);
  if (first === undefined)
    return (
      <figure class="chart">
        <figcaption>The chart of the last two hours begins with the first poll that succeeds.</figcaption>
      </figure>
    );
  const from = Math.max(to - twoHoursMs, Math.min(first - minuteMs, to - leastShownMs));
  const notes = [
    `${isFiltered ? 'All agents, whatever the filters,' : 'Agents'} by state over the last two hours; gaps are interruptions.`,
    !isWhole && 'Reading further back …',
    at !== undefined && Date.parse(at) < from && 'The moment that you look at is before them.',
    'Click a moment to see the floor as it was then.',
  ];
  return (
    <Chart
      title={notes.filter(Boolean).join(' ')}
      unit="moment"
      {...{ times, series }}
      range={[from, to]}
      until={at === undefined && floor?.freshness === 'stale' && floor.asOf !== undefined ? Date.parse(floor.asOf) : to}
      mark={at}
      onPick={(ms) => {
        location.hash = hashOf('floor', undefined, { ...address.query, at: new Date(Math.round(ms)).toISOString() });
      }}
    />
  );
};
