import { useMemo } from 'preact/hooks';
import { wordText } from '../../../lib/telephony/vocabularies.ts';
import type { Answers } from '../api.ts';
import { hashOf } from './address.ts';
import { Chart } from './chart.tsx';
import { useView } from './view.ts';
import { states, styleOf } from './words.ts';

const twoHours = 7200;

/** A chart of the first minute would be one bar. */
const leastShown = 900;

interface HistoryProps {
  readonly history: Answers['history'];
  readonly isFiltered: boolean;
  /** The floor, which may be stale: then nothing is known since. */
  readonly floor: Answers['floor'] | undefined;
}

/** Agents by state over two hours. The counts of each point hold until the next, and the last ones as long as they are known. */
export const HistoryChart = ({ history: { points, now, isWhole }, isFiltered, floor }: HistoryProps) => {
  const { at, address } = useView();
  const to = Math.ceil(Date.parse(now) / 1000);
  const series = useMemo(() => {
    const held = [...points, ...points.slice(-1)];
    const present = Object.keys(states).filter((state) => points.some(([, , counts]) => (counts[state] ?? 0) > 0));
    return present.map((state) => ({
      label: wordText(state),
      fill: styleOf(state).fill,
      values: held.map(([, isLive, counts]) => (isLive ? (counts[state] ?? 0) : null)),
    }));
  }, [points]);
  const times = useMemo(() => {
    const seconds = points.map(([ms]) => ms / 1000);
    const knownUpTo = floor?.freshness === 'stale' && floor.asOf !== undefined ? Date.parse(floor.asOf) / 1000 : to;
    return [...seconds, Math.max(knownUpTo, seconds.at(-1) ?? 0)];
  }, [points, to, floor]);
  if (points.length === 0) return null;
  const from = Math.max(to - twoHours, Math.min((times[0] ?? to) - 60, to - leastShown));
  const notes = [
    `${isFiltered ? 'All agents, whatever the filters,' : 'Agents'} by state over the last two hours; gaps are interruptions.`,
    !isWhole && 'Reading further back …',
    at !== undefined && Date.parse(at) / 1000 < from && 'The moment that you look at is before them.',
    'Click a moment to see the floor as it was then.',
  ];
  return (
    <Chart
      title={notes.filter(Boolean).join(' ')}
      kind="steps"
      times={times}
      series={series}
      range={[from, to]}
      mark={at}
      onPick={(seconds) => {
        const moment = new Date(Math.round(seconds) * 1000).toISOString();
        location.hash = hashOf('floor', undefined, { ...address.query, at: moment });
      }}
    />
  );
};
