import { useMemo, useState } from 'preact/hooks';
import { localTime, quarterHourMs } from '../../../lib/core/time.ts';
import { useView } from './address.ts';
import { dayText, timeText } from './words.ts';

interface Series {
  readonly label: string;
  readonly fill: string;
  /** Null where it is not known. */
  readonly values: readonly (number | null)[];
  readonly hrefOf?: (ms: number) => string | undefined;
  /** What a bar says on hover; by default its time and its value. */
  readonly titleOf?: (index: number) => string;
}

interface ChartProps {
  readonly title: string;
  readonly unit: 'moment' | 'quarter' | 'day';
  /** When each value begins; it holds until the next time. */
  readonly times: readonly number[];
  /** Stacked, the first one at the bottom. */
  readonly series: readonly Series[];
  readonly range: readonly [from: number, to: number];
  /** Until when the last values hold; by default to the end of the range. */
  readonly until?: number;
  /** An instant that has a line of its own. */
  readonly mark?: string | undefined;
  readonly onPick?: (ms: number) => void;
  /** The values are percent, and the chart ends there; one of 0 is shown too. By default it ends at the largest sum. */
  readonly topPercent?: number;
  readonly target?: number | undefined;
}

/** Which share of its time a bar takes: the rest is the gap before the next. */
const filledBar = 0.9;

const cssPercent = (share: number): string => `${share * 100}%`;

/** A stacked chart. The table of figures that screen readers get is the legend, which follows the cursor. */
export const Chart = (props: ChartProps) => {
  const { title, unit, times, series, range, until = range[1], onPick, mark, topPercent, target } = props;
  const { timeZone } = useView();
  const [cursor, setCursor] = useState<number>();
  const most = useMemo(
    () => topPercent ?? Math.max(1, ...times.map((_, index) => sumAt(series, index))),
    [times, series, topPercent],
  );
  const suffix = topPercent === undefined ? '' : '\u00a0%';
  const boxes = useMemo(() => boxesOf(props, most, timeZone), [times, series, ...range, until, unit, timeZone]);
  const labels = useMemo(() => labelsOf(range, timeZone), [...range, timeZone]);
  const leftOf = (ms: number) => cssPercent((ms - range[0]) / (range[1] - range[0]));
  const instantAt = ({ clientX, currentTarget }: MouseEvent & { readonly currentTarget: HTMLElement }) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    return range[0] + ((clientX - left) / width) * (range[1] - range[0]);
  };
  /** A label stands under the middle of its bar, but a moment has no width. */
  const middleOf = (ms: number) => {
    const place = unit === 'moment' ? -1 : times.indexOf(ms);
    return place < 0 ? 0 : (((times[place + 1] ?? until) - ms) * filledBar) / 2;
  };
  const nameOf = unit === 'day' ? dayText : timeText;
  const index = cursor === undefined || cursor > until ? -1 : times.findLastIndex((ms) => ms <= cursor);
  const time = times[index];
  return (
    <figure class="chart" aria-label={title}>
      <figcaption>{title}</figcaption>
      {/* biome-ignore lint/a11y: what a click opens is in the address too, where the keyboard reaches it. */}
      <div
        class={onPick === undefined ? 'plot' : 'plot picks'}
        onPointerMove={(event) => setCursor(instantAt(event))}
        onPointerLeave={() => setCursor(undefined)}
        onClick={(event) => onPick?.(instantAt(event))}
      >
        {linesOf(most).map((value) => (
          <i key={value} class="line" style={{ bottom: cssPercent(value / most) }}>
            {value}
            {suffix}
          </i>
        ))}
        {labels.map((ms) => (
          <i key={ms} class="label" style={{ left: leftOf(ms + middleOf(ms)) }}>
            {unit === 'day' ? weekdayText(ms, timeZone) : timeText(ms, timeZone).slice(0, 5)}
          </i>
        ))}
        {boxes}
        {target !== undefined && (
          <i class="target-line" style={{ bottom: cssPercent(target / most) }}>
            <span>
              target {target}
              {suffix}
            </span>
          </i>
        )}
        {mark !== undefined && <i class="mark-line" style={{ left: leftOf(Date.parse(mark)) }} />}
      </div>
      <dl>
        <div class="time">
          <dt class="hidden">Time</dt>
          <dd>{time !== undefined && nameOf(time, timeZone)}</dd>
        </div>
        {series.toReversed().map(({ label, fill, values }) => (
          <div key={label}>
            <dt>
              <i style={{ background: fill }} /> {label}
            </dt>
            <dd>{index >= 0 && (values[index] == null ? '–' : `${values[index]}${suffix}`)}</dd>
          </div>
        ))}
      </dl>
    </figure>
  );
};

const sumAt = (series: ChartProps['series'], index: number): number =>
  series.reduce((sum, { values }) => sum + (values[index] ?? 0), 0);

/** Every value as a box at its place, and as a link if it leads somewhere: by keyboard the table of the view has the same links. */
const boxesOf = (
  { times, series, unit, range: [from, to], until = to, topPercent }: ChartProps,
  most: number,
  timeZone: string,
) => {
  const shareOf = (ms: number) => Math.max(0, (ms - from) / (to - from));
  const filled = unit === 'moment' ? 1 : filledBar;
  return times.flatMap((ms, index) => {
    const left = shareOf(ms);
    const width = cssPercent((shareOf(times[index + 1] ?? until) - left) * filled);
    return series.flatMap(({ label, fill, values, hrefOf, titleOf }, place) => {
      const value = values[index] ?? null;
      if (value === null || (value === 0 && topPercent === undefined)) return [];
      const bottom = cssPercent(sumAt(series.slice(0, place), index) / most);
      const style = { left: cssPercent(left), width, bottom, height: cssPercent(value / most), background: fill };
      const key = `${label} ${ms}`;
      const href = hrefOf?.(ms);
      if (href === undefined) return <i key={key} style={style} />;
      const title = titleOf?.(index) ?? `${timeText(ms, timeZone)}: ${value} ${label}`;
      return <a key={key} {...{ href, style, title }} tabIndex={-1} />;
    });
  });
};

const mostLines = 4;

const linesOf = (most: number): readonly number[] => {
  const steps = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000];
  const step = steps.find((one) => most / one <= mostLines) ?? 5_000;
  return Array.from({ length: Math.floor(most / step) + 1 }, (_, index) => index * step);
};

const mostLabels = 7;
const minuteMs = 60_000;

/** Round local times: every quarter of an hour, or as many hours or days apart as all labels need. */
const labelsOf = ([from, to]: ChartProps['range'], timeZone: string): readonly number[] => {
  const first = Math.ceil(from / quarterHourMs) * quarterHourMs;
  const quarters = Array.from({ length: Math.ceil((to - first) / quarterHourMs) }, (_, index) => {
    const ms = first + index * quarterHourMs;
    return { ms, minutes: Date.parse(localTime(new Date(ms).toISOString(), timeZone)) / minuteMs };
  });
  const steps = [15, 30, 60, 120, 240, 480, 1_440, 2_880, 10_080];
  const all = steps.map((step) => quarters.filter(({ minutes }) => minutes % step === 0));
  return (all.find(({ length }) => length <= mostLabels) ?? []).map(({ ms }) => ms);
};

const weekdayText = (ms: number, timeZone: string): string =>
  new Date(ms).toLocaleDateString('en-GB', { weekday: 'short', day: 'numeric', timeZone });
