import { type ComponentChildren, createContext } from 'preact';
import { useContext, useEffect, useRef } from 'preact/hooks';
import './language.ts';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import type { FeedAnswer, ProblemInWords } from '../floor.ts';
import { type Address, hashOf, type Live, serverNow } from './live.ts';
import { dayText, hidden, stateName, styleOf, timeText, whenText } from './words.ts';

export interface View {
  readonly address: Address;
  readonly account: string;
  readonly timeZone: string;
  readonly isPersonal: boolean;
  readonly isSandbox: boolean;
  /** The call's page plays its recordings. */
  readonly isArchiving: boolean;
  /** The options with which a command finds this deployment. */
  readonly commandOptions: readonly string[];
  /** The moment that was chosen; undefined for now. */
  readonly at: string | undefined;
  /** Passes on to the bar what a view has read of the feed itself. */
  readonly onFeed: (feed: FeedAnswer) => void;
}

const noView: View = {
  address: { view: '', id: undefined, query: {} },
  account: '',
  timeZone: 'UTC',
  isPersonal: false,
  isSandbox: false,
  isArchiving: false,
  commandOptions: [],
  at: undefined,
  onFeed: () => undefined,
};

export const ViewContext = createContext(noView);
export const useView = (): View => useContext(ViewContext);

/** Shows in the bar how old the feed is that a view has read. */
export const useFeed = (feed: FeedAnswer | undefined): void => {
  const { onFeed } = useView();
  useEffect(() => {
    if (feed !== undefined) onFeed(feed);
  }, [feed]);
};

/** The mark of a state: its letter on its colour, with its name for those who do not see it. */
export const Mark = ({ state }: { readonly state: string }) => {
  const { letter, fill, ink } = styleOf(state);
  return (
    <span class="mark" style={{ background: fill, color: ink }} title={stateName(state)} aria-hidden="true">
      {letter}
    </span>
  );
};

export const Personal = ({ value }: { readonly value: string | undefined }) => {
  if (value === undefined) return <span class="faint">–</span>;
  return value === hidden ? (
    <span class="faint" title="Start the console with --personal to see it.">
      hidden
    </span>
  ) : (
    <span>{value}</span>
  );
};

export const Caller = ({ number }: { readonly number: string | undefined }) => {
  const { account } = useView().address.query;
  if (number === undefined || number === hidden) return <Personal value={number} />;
  return <a href={hashOf('customer', number, { account })}>{number}</a>;
};

/** A link to a web address, named by it or by `text`. Anything else that was posted as one is text. */
export const WebLink = ({ url, text = url }: { readonly url: string; readonly text?: string }) =>
  /^https?:\/\//i.test(url) ? (
    <a href={url} target="_blank" rel="noreferrer noopener">
      {text}
    </a>
  ) : (
    <Personal value={url} />
  );

/** An instant in the account's zone, and in UTC on hover. */
export const Time = ({ at, day = false }: { readonly at: string; readonly day?: boolean }) => {
  const { timeZone } = useView();
  return (
    <time dateTime={at} title={`${at} (UTC)`}>
      {day ? `${dayText(at, timeZone)} ` : ''}
      {timeText(at, timeZone)}
    </time>
  );
};

/** The heads of a table. Heads of figures are to the right, as the figures are. */
export const Heads = ({
  names,
  figures = [],
}: {
  readonly names: readonly string[];
  readonly figures?: readonly string[];
}) => (
  <thead>
    <tr>
      {names.map((name) => (
        <th key={name} scope="col" class={figures.includes(name) ? 'number' : undefined}>
          {name}
        </th>
      ))}
    </tr>
  </thead>
);

/** Places spans, in milliseconds, on a bar from one moment to another; none is narrower than `least` per cent. */
export const placeOn =
  ([from, to]: readonly [from: number, to: number], least: number) =>
  (start: number, end: number) => {
    const percent = (ms: number) => (ms / (to - from)) * 100;
    return { left: `${percent(start - from)}%`, width: `${Math.max(least, percent(end - start))}%` };
  };

export const Scale = ({ from, to }: { readonly from: string; readonly to: string }) => (
  <p class="faint scale">
    <span>{from}</span>
    <span>{to}</span>
  </p>
);

interface SelectProps {
  /** What it is for; without it a label around it says so. */
  readonly label?: string;
  readonly id?: string;
  readonly value: string;
  readonly options: readonly (string | readonly [word: string, text: string])[];
  readonly onPick: (value: string) => void;
}

export const Select = ({ label, id, value, options, onPick }: SelectProps) => (
  <select id={id} aria-label={label} value={value} onChange={({ currentTarget }) => onPick(currentTarget.value)}>
    {options.map((option) => {
      const [word, text] = typeof option === 'string' ? [option, option] : option;
      return (
        <option key={word} value={word}>
          {text}
        </option>
      );
    })}
  </select>
);

/** What failed and since when, above what the page still shows; or a skeleton while the first answer takes its time. */
export const Loading = ({ live, what }: { readonly live: Live<unknown>; readonly what: string }) => {
  if (live.problem !== undefined)
    return (
      <p class="problem" role="alert">
        {what} cannot be read since {new Date(live.problem.since).toLocaleTimeString('en-GB')} (time of this computer).{' '}
        {live.problem.message}
        {live.value === undefined ? '' : ' Shown is what was read last.'}{' '}
        <button type="button" onClick={live.refresh}>
          Try again
        </button>
      </p>
    );
  return live.value === undefined && live.isSlow ? (
    <p class="skeleton" aria-busy="true">
      Reading {what.toLowerCase()} …
    </p>
  ) : null;
};

export const troubleText = ({ text, since }: ProblemInWords, timeZone: string): string =>
  since === undefined
    ? `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`
    : `Since ${whenText(since, timeZone, dayText(serverNow(), timeZone))} ${text}.`;

export const Alert = ({ text }: { readonly text: string | undefined }) =>
  text === undefined ? null : (
    <p class="problem" role="alert">
      {text}
    </p>
  );

export const Empty = ({ children }: { readonly children: ComponentChildren }) => <p class="empty">{children}</p>;

export const Copy = ({ text, label }: { readonly text: string; readonly label: string }) => (
  <div class="copy">
    <pre>{text}</pre>
    <button type="button" onClick={() => navigator.clipboard.writeText(text)} aria-label={`Copy ${label}`}>
      Copy
    </button>
  </div>
);

/** A series of a chart, stacked on those before it. */
export interface Series {
  readonly label: string;
  readonly fill: string;
  readonly values: readonly (number | null)[];
}

export interface ChartProps {
  readonly title: string;
  readonly kind: 'steps' | 'bars';
  /** Seconds since the epoch. */
  readonly times: readonly number[];
  readonly series: readonly Series[];
  readonly range: readonly [from: number, to: number];
  readonly onPick?: ((seconds: number) => void) | undefined;
  readonly mark?: string | undefined;
}

const height = 150;
const quarter = 900;

/** A stacked chart. The table of figures that screen readers get is the legend, which follows the cursor. */
export const Chart = (shown: ChartProps) => {
  const { timeZone } = useView();
  const props = { ...shown, timeZone };
  const place = useRef<HTMLDivElement>(null);
  const chart = useRef<uPlot>(undefined);
  const latest = useRef(props);
  latest.current = props;
  const signature = `${props.kind} ${props.timeZone} ${props.series.map(({ label }) => label).join(' ')}`;

  useEffect(() => {
    const { current: element } = place;
    if (element === null) return;
    const made = new uPlot(optionsOf(latest, element.clientWidth), stacked(props), element);
    chart.current = made;
    const resized = new ResizeObserver(() => made.setSize({ width: element.clientWidth, height }));
    resized.observe(element);
    return () => {
      resized.disconnect();
      made.destroy();
    };
  }, [signature]);
  useEffect(() => {
    chart.current?.setData(stacked(props), false);
    chart.current?.setScale('x', { min: props.range[0], max: props.range[1] });
  }, [props.times, props.series, props.range[0], props.range[1], props.mark]);
  return (
    <figure class={props.onPick === undefined ? 'chart' : 'chart picks'} aria-label={props.title}>
      <figcaption>{props.title}</figcaption>
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

const drawMark = ({ ctx, bbox, valToPos }: uPlot, mark: string | undefined): void => {
  if (mark === undefined) return;
  const x = valToPos(Date.parse(mark) / 1000, 'x', true);
  if (x < bbox.left || x > bbox.left + bbox.width) return;
  ctx.fillStyle = ink('--text');
  ctx.fillRect(x - 1, bbox.top, 3, bbox.height);
};

const ink = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(name);

/** Bars and steps are drawn from their time to the right: a cursor there is over them, and not over the nearest time. */
const drawnAt = ({ data: [times] }: uPlot, _series: number, nearest: number | null, seconds: number): number | null => {
  if (nearest === null || (times[nearest] ?? 0) <= seconds) return nearest;
  return nearest > 0 ? nearest - 1 : null;
};

const optionsOf = (latest: { readonly current: ChartProps & Pick<View, 'timeZone'> }, width: number): uPlot.Options => {
  const { kind, series, timeZone } = latest.current;
  const { bars, stepped } = uPlot.paths;
  const paths = kind === 'bars' ? bars?.({ size: [0.9], align: 1 }) : stepped?.({ align: 1 });
  const labels = [...series].reverse();
  const axis = { stroke: () => ink('--text'), grid: { stroke: () => ink('--line'), width: 1 }, ticks: { show: false } };
  return {
    width,
    height,
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), timeZone),
    fmtDate: () => (date) =>
      `${String(date.getHours()).padStart(2, '0')}:${String(date.getMinutes()).padStart(2, '0')}`,
    scales: {
      // Read anew at each change: the window moves with the time.
      x: { range: () => [...latest.current.range], auto: false },
      y: { range: (_plot, _min, max) => [0, Math.max(1, max)] },
    },
    axes: [
      // A bar is a quarter of an hour, so a label between two of them would name none.
      { ...axis, size: 28, ...(kind === 'bars' && { incrs: [1, 2, 4, 8, 12, 24].map((count) => count * quarter) }) },
      { ...axis, size: 40, incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000] },
    ],
    legend: { live: true },
    cursor: { drag: { x: false, y: false }, points: { show: false }, dataIdx: drawnAt },
    series: [
      { label: 'Time', value: (_plot, seconds) => (seconds === null ? '–' : timeText(seconds * 1000, timeZone)) },
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
      draw: [(plot) => drawMark(plot, latest.current.mark)],
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
