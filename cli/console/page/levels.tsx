import { callFigureDeclarations } from '../../../client/call-figures.ts';
import { targetFigures } from '../../../client/shown-figures.ts';
import { isOneDay } from '../../../lib/core/time.ts';
import { useView, type View } from './address.ts';
import { rangeOfQuarters } from './bars.tsx';
import { quarterQuery } from './call-links.ts';
import { Chart } from './chart.tsx';
import type { DayAnswer } from './figures.tsx';
import { hashOf } from './hash.ts';
import { type Target, useTarget } from './targets.tsx';
import { counted, dayText, timeText } from './words.ts';

interface LevelsProps {
  readonly answer: DayAnswer;
}

type Level = DayAnswer['levels'][number];

/** Each share with a target by quarter of an hour or by day, with the target as a line. */
export const LevelCharts = ({ answer }: LevelsProps) => (
  <div class="levels">
    {targetFigures.map((name) => (
      <LevelChart key={name} answer={answer} name={name} />
    ))}
  </div>
);

/** Keeps the space of the charts until they are there. */
export const LevelsPlaceholder = () => (
  <div class="levels">
    {targetFigures.map((name) => (
      <LevelPlaceholder key={name} name={name} />
    ))}
  </div>
);

const LevelPlaceholder = ({ name }: Pick<Level, 'name'>) =>
  useTarget(name) === undefined ? null : <div class="chart" />;

const inPercent = (share: number): number => Math.round(share * 100);

/** The top is 125 % of the largest, so that the target has space above it. A share that should be large has a top of 100 %. */
const topOf = (name: Level['name'], most: number): number =>
  callFigureDeclarations[name].better === 'more' ? 100 : Math.min(100, Math.ceil(most * 1.25));

const LevelChart = ({ answer, name }: LevelsProps & Pick<Level, 'name'>) => {
  const target = useTarget(name);
  // Without a target the chart is not shown.
  if (target === undefined) return null;
  const level = answer.levels.find((one) => one.name === name);
  return level === undefined ? null : <KnownLevel answer={answer} level={level} target={target} />;
};

interface KnownLevelProps extends LevelsProps {
  readonly level: Level;
  readonly target: Target;
}

/** What one bar of the chart is of. */
const quarterSpan = { unit: 'quarter', title: 'quarter of an hour', preposition: 'from', text: timeText } as const;
const daySpan = { unit: 'day', title: 'day', preposition: 'on', text: dayText } as const;

const metColour = '#009e73';
const unmetColour = '#d55e00';

const KnownLevel = ({ answer, level, target }: KnownLevelProps) => {
  const view = useView();
  const isDay = isOneDay(answer);
  const span = isDay ? quarterSpan : daySpan;
  const range = isDay ? rangeOfQuarters({ ...answer, quarters: answer.bars }) : rangeOfDays(answer);
  if (range === undefined) return null;
  const { times } = range;
  const values = new Map(level.values.map((value) => [value.atMs, value]));
  const shares = times.map((ms) => values.get(ms)?.share);
  const isUnmetBy = (share: number) => target.unmetBy(share) > 0;
  const sharesWhere = (isUnmet: boolean) =>
    shares.map((share) => (share !== undefined && isUnmetBy(share) === isUnmet ? inPercent(share) : null));
  const links = {
    hrefOf: (ms: number) => levelHref(view, level, ms, span),
    titleOf: (index: number) => levelTitle(view, level, values.get(times[index] ?? 0), span),
  };
  return (
    <Chart
      title={`${level.title} per ${span.title}`}
      unit={span.unit}
      times={times}
      series={[
        { label: 'target met', fill: metColour, values: sharesWhere(false), ...links },
        { label: `${target.wrongSide.word} the target`, fill: unmetColour, values: sharesWhere(true), ...links },
      ]}
      range={[range.from, range.to]}
      topPercent={topOf(level.name, Math.max(target.percent, ...shares.map((share = 0) => inPercent(share))))}
      target={target.percent}
    />
  );
};

type Span = typeof quarterSpan | typeof daySpan;

/** The address of the calls on which the share of a quarter or a day rests. */
const levelHref = ({ address, timeZone }: View, level: Level, ms: number, { unit }: Span): string => {
  const { account } = address.query;
  const time = unit === 'quarter' ? quarterQuery(ms) : { day: dayText(ms, timeZone) };
  return hashOf('calls', undefined, { account, ...time, ...level.filters });
};

const levelTitle = (
  { timeZone }: View,
  { title }: Level,
  value: Level['values'][number] | undefined,
  { preposition, text }: Span,
): string => {
  if (value === undefined) return '';
  const { atMs, share, calls } = value;
  return `Show ${counted(calls, 'call')}: ${title} ${inPercent(share)} % ${preposition} ${text(atMs, timeZone)}`;
};

const rangeOfDays = ({ bars, end }: DayAnswer) => {
  const to = Date.parse(end);
  return { from: bars[0]?.[0] ?? to, to, times: bars.map(([ms]) => ms) };
};
