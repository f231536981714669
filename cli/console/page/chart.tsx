import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import type { Answers } from '../api.ts';
import { hashOf, type Query } from './address.ts';
import { useView, type View } from './view.ts';
import { dayText, timeText } from './words.ts';

interface ChartProps {
  readonly title: string;
  readonly kind: 'steps' | 'bars';
  /** What a bar is, if not a quarter of an hour. */
  readonly unit?: 'day' | undefined;
  /** Seconds since the epoch. */
  readonly times: readonly number[];
  readonly series: readonly {
    readonly label: string;
    readonly fill: string;
    readonly values: readonly (number | null)[];
  }[];
  readonly range: readonly [from: number, to: number];
  readonly onPick?: ((seconds: number) => void) | undefined;
  /** Where the part of a bar that a series has leads. */
  readonly hrefOf?: ((label: string, seconds: number) => string | undefined) | undefined;
  readonly mark?: string | undefined;
}

type Shown = ChartProps & Pick<View, 'timeZone'>;

const height = 150;
const quarter = 900;
const day = 86_400;

/** A stacked chart. The table of figures that screen readers get is the legend, which follows the cursor. */
export const Chart = (props: ChartProps) => {
  const shown: Shown = { ...props, timeZone: useView().timeZone };
  const { title, kind, times, series, range, mark, timeZone } = shown;
  const place = useRef<HTMLDivElement>(null);
  const chart = useRef<uPlot>(undefined);
  const latest = useRef(shown);
  latest.current = shown;

  useEffect(() => {
    const { current: element } = place;
    if (element === null) return;
    const made = new uPlot(optionsOf(latest, element.clientWidth), stacked(shown), element);
    chart.current = made;
    const resized = new ResizeObserver(() => made.setSize({ width: element.clientWidth, height }));
    resized.observe(element);
    return () => {
      resized.disconnect();
      made.destroy();
    };
  }, [`${kind} ${timeZone} ${series.map(({ label }) => label).join(' ')}`]);
  useEffect(() => {
    chart.current?.setData(stacked(shown), false);
    chart.current?.setScale('x', { min: range[0], max: range[1] });
  }, [times, series, range[0], range[1], mark]);
  return (
    <figure class={props.onPick === undefined ? 'chart' : 'chart picks'} aria-label={title}>
      <figcaption>{title}</figcaption>
      <div ref={place} />
    </figure>
  );
};

/** uPlot draws lines from the bottom; each is raised by those below it, and the topmost is drawn first. */
const stacked = ({ times, series }: ChartProps): uPlot.AlignedData => {
  const sums = times.map(() => 0);
  const raised = series.map(({ values }) =>
    values.map((value, index) => {
      if (value === null) return null;
      sums[index] = (sums[index] ?? 0) + value;
      return sums[index] ?? null;
    }),
  );
  return [[...times], ...raised.reverse()];
};

const textInk = ({ root }: uPlot): string => getComputedStyle(root).color;
const lineInk = ({ root }: uPlot): string => getComputedStyle(root).borderTopColor;

const drawMark = (plot: uPlot, mark: string | undefined): void => {
  if (mark === undefined) return;
  const { ctx, bbox } = plot;
  const x = plot.valToPos(Date.parse(mark) / 1000, 'x', true);
  if (x < bbox.left || x > bbox.left + bbox.width) return;
  ctx.fillStyle = textInk(plot);
  ctx.fillRect(x - 1, bbox.top, 3, bbox.height);
};

/** By keyboard the table by quarter has the same links. */
const placeLinks = (plot: uPlot, { times, series, range, hrefOf, timeZone }: Shown): void => {
  for (const link of plot.over.querySelectorAll('a')) link.remove();
  if (hrefOf === undefined) return;
  times.forEach((time, index) => {
    const [left = 0, right = 0] = [time, times[index + 1] ?? range[1]].map((at) => plot.valToPos(at, 'x'));
    let below = 0;
    for (const { label, values } of series) {
      const value = values[index] ?? 0;
      const [bottom = 0, top = 0] = [below, below + value].map((at) => plot.valToPos(at, 'y'));
      below += value;
      const href = hrefOf(label, time);
      if (value === 0 || href === undefined) continue;
      const link = document.createElement('a');
      link.href = href;
      link.title = `${timeText(time * 1000, timeZone)}: ${value} ${label}`;
      link.tabIndex = -1;
      for (const [name, pixels] of Object.entries({ left, top, width: right - left, height: bottom - top }))
        link.style.setProperty(name, `${pixels}px`);
      plot.over.append(link);
    }
  });
};

/** Bars and steps are drawn from their time to the right: a cursor there is over them, and not over the nearest time. */
const drawnAt = ({ data: [times] }: uPlot, _series: number, nearest: number | null, seconds: number): number | null => {
  if (nearest === null || (times[nearest] ?? 0) <= seconds) return nearest;
  return nearest > 0 ? nearest - 1 : null;
};

const optionsOf = (latest: { readonly current: Shown }, width: number): uPlot.Options => {
  const { kind, unit, series, timeZone } = latest.current;
  const increments =
    unit === 'day' ? [1, 2, 7, 14].map((count) => count * day) : [1, 2, 4, 8, 12, 24].map((count) => count * quarter);
  const nameOf = unit === 'day' ? dayText : timeText;
  const { bars, stepped } = uPlot.paths;
  const paths = kind === 'bars' ? bars?.({ size: [0.9], align: 1 }) : stepped?.({ align: 1 });
  const labels = [...series].reverse();
  const axis = { stroke: textInk, grid: { stroke: lineInk, width: 1 }, ticks: { show: false } };
  return {
    width,
    height,
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), timeZone),
    fmtDate: () => (date) =>
      unit === 'day'
        ? date.toLocaleDateString('en-GB', { weekday: 'short', day: 'numeric' })
        : `${String(date.getHours()).padStart(2, '0')}:${String(date.getMinutes()).padStart(2, '0')}`,
    scales: {
      // Read anew at each change: the window moves with the time.
      x: { range: () => [...latest.current.range], auto: false },
      y: { range: (_plot, _min, max) => [0, Math.max(1, max)] },
    },
    axes: [
      // A label between two bars would name none.
      { ...axis, size: 28, ...(kind === 'bars' && { incrs: increments }) },
      { ...axis, size: 40, incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000] },
    ],
    legend: { live: true },
    cursor: {
      drag: { x: false, y: false },
      points: { show: false },
      dataIdx: drawnAt,
      // Over a link too, which uPlot would leave out.
      bind: {
        mousemove: (_plot, _over, move) => (event) => {
          move(event);
          return null;
        },
      },
    },
    series: [
      {
        label: unit === 'day' ? 'Day' : 'Time',
        value: (_plot, seconds) => (seconds === null ? '–' : nameOf(seconds * 1000, timeZone)),
      },
      ...labels.map(({ label, fill }, index) => ({
        label,
        fill,
        stroke: fill,
        width: kind === 'bars' ? 0 : 1,
        points: { show: false },
        ...(paths && { paths }),
        // The figure of the series itself, not the height at which it is drawn.
        value: (_plot: uPlot, _sum: number | null, _series: number, at: number | null) =>
          at === null ? '–' : String(latest.current.series.at(-1 - index)?.values[at] ?? '–'),
      })),
    ],
    hooks: {
      draw: [(plot) => drawMark(plot, latest.current.mark), (plot) => placeLinks(plot, latest.current)],
      setCursor: [({ root, cursor }) => root.classList.toggle('resting', (cursor.left ?? -1) < 0)],
      ready: [
        (plot) =>
          plot.over.addEventListener('click', () => {
            const { left = -1 } = plot.cursor;
            if (left >= 0) latest.current.onPick?.(plot.posToVal(left, 'x'));
          }),
      ],
    },
  };
};

interface BarsProps {
  readonly title: string;
  readonly unit?: 'day';
  readonly bars: Answers['quarters']['quarters'];
  /** Where the last bar ends, in milliseconds. */
  readonly to: number;
  readonly at?: string | undefined;
  readonly onPick?: ChartProps['onPick'];
  /** Where the calls of an outcome lead, which the word of Calls names, from an instant on. */
  readonly hrefOf?: (outcome: string, ms: number) => string | undefined;
}

/** Customers' calls by outcome, and all others: the name, the colour, and the word by which Calls selects them. */
const outcomes = [
  ['answered', '#0072b2', 'answered'],
  ['missed', '#d55e00', 'missed'],
  ['outgoing and other', '#999999', 'other'],
] as const;
const wordOf = new Map<string, string>(outcomes.map(([label, , word]) => [label, word]));

export const BarsChart = ({ title, unit, bars, to, at, onPick, hrefOf }: BarsProps) => (
  <Chart
    title={title}
    kind="bars"
    unit={unit}
    times={bars.map(([ms]) => ms / 1000)}
    series={outcomes.map(([label, fill], index) => ({ label, fill, values: bars.map((bar) => bar[index + 1] ?? 0) }))}
    range={[(bars[0]?.[0] ?? to) / 1000, to / 1000]}
    mark={at}
    onPick={onPick}
    hrefOf={hrefOf && ((label, seconds) => hrefOf(wordOf.get(label) ?? '', seconds * 1000))}
  />
);

interface QuartersProps extends Pick<Answers['quarters'], 'start' | 'end' | 'quarters'> {
  readonly at?: string | undefined;
  /** By what else than the quarter the calls of an outcome are listed; undefined if nothing lists them. */
  readonly listedBy: (outcome: string) => Query | undefined;
}

export const QuartersChart = ({ quarters, start, end, at, listedBy }: QuartersProps) => {
  const { account } = useView().address.query;
  const [first, last] = [quarters[0]?.[0], quarters.at(-1)?.[0]];
  if (first === undefined || last === undefined) return null;
  const quarterMs = quarter * 1000;
  // A few quarters need not be as thin as the quarters of a whole day.
  const from = Math.max(Date.parse(start), Math.min(first, last - 12 * quarterMs));
  const to = Math.min(Date.parse(end), last + quarterMs);
  const byQuarter = new Map(quarters.map((one) => [one[0], one]));
  const times = Array.from({ length: Math.ceil((to - from) / quarterMs) }, (_, index) => from + index * quarterMs);
  const bars = times.map((time) => byQuarter.get(time) ?? ([time, 0, 0, 0] as const));
  const hrefOf = (outcome: string, ms: number) => {
    const [first, last] = [ms, ms + quarterMs - 1].map((instant) => new Date(instant).toISOString());
    const query = listedBy(outcome);
    return query && hashOf('calls', undefined, { account, ...query, from: first, to: last });
  };
  return <BarsChart title="Calls per quarter of an hour" bars={bars} to={to} at={at} hrefOf={hrefOf} />;
};
