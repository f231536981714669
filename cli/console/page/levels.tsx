import { callFigureDeclarations } from '../../../client/call-figures.ts';
import { targetFigures } from '../../../client/shown-figures.ts';
import { isOneDay } from '../../../lib/core/time.ts';
import { useView } from './address.ts';
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

type LevelName = DayAnswer['levels'][number]['name'];

/** Each share with a target by quarter of an hour or by day, with the target as a line. */
export const LevelCharts = ({ answer }: LevelsProps) => (
  <div class="levels">
    {targetFigures.map((name) => (
      <LevelChart key={name} answer={answer} name={name} />
    ))}
  </div>
);

/** The room of these charts until they come. */
export const LevelsRoom = () => (
  <div class="levels">
    {targetFigures.map((name) => (
      <LevelRoom key={name} name={name} />
    ))}
  </div>
);

const LevelRoom = ({ name }: { readonly name: LevelName }) =>
  useTarget(name) === undefined ? null : <div class="chart" />;

const inPercent = (share: number): number => Math.round(share * 100);

/** A quarter more than the largest, so that the target has room above it. */
const topOf = (name: LevelName, most: number): number =>
  callFigureDeclarations[name].better === 'more' ? 100 : Math.min(100, Math.ceil(most * 1.25));

const LevelChart = ({ answer, name }: LevelsProps & { readonly name: LevelName }) => {
  const target = useTarget(name);
  // Nobody looks at it without a target.
  if (target === undefined) return null;
  const level = answer.levels.find((one) => one.name === name);
  return level === undefined ? null : <KnownLevel answer={answer} level={level} target={target} />;
};

interface KnownLevelProps extends LevelsProps {
  readonly level: DayAnswer['levels'][number];
  readonly target: Target;
}

const KnownLevel = ({ answer, level, target }: KnownLevelProps) => {
  const { address, timeZone } = useView();
  const isOne = isOneDay(answer);
  const range = isOne ? rangeOfQuarters({ ...answer, quarters: answer.bars }) : rangeOfDays(answer);
  if (range === undefined) return null;
  const { account } = address.query;
  const { times } = range;
  const known = new Map(level.values.map((one) => [one[0], one]));
  const shares = times.map((ms) => known.get(ms)?.[1]);
  const hrefOf = (ms: number) => {
    const time = isOne ? quarterQuery(ms) : { day: dayText(ms, timeZone) };
    return hashOf('calls', undefined, { account, ...time, ...level.filters });
  };
  const titleOf = (index: number) => {
    const [ms = 0, share = 0, calls = 0] = known.get(times[index] ?? 0) ?? [];
    const when = isOne ? timeText(ms, timeZone) : dayText(ms, timeZone);
    return `Show ${counted(calls, 'call')}: ${level.title} ${inPercent(share)} % ${isOne ? 'from' : 'on'} ${when}`;
  };
  const valuesWhere = (isMissed: boolean) =>
    shares.map((share) => (share === undefined || target.missedBy(share) > 0 !== isMissed ? null : inPercent(share)));
  return (
    <Chart
      title={`${level.title} per ${isOne ? 'quarter of an hour' : 'day'}`}
      unit={isOne ? 'quarter' : 'day'}
      times={times}
      series={[
        { label: 'target met', fill: '#009e73', values: valuesWhere(false), hrefOf, titleOf },
        { label: `${target.wrongSide.word} the target`, fill: '#d55e00', values: valuesWhere(true), hrefOf, titleOf },
      ]}
      range={[range.from, range.to]}
      topPercent={topOf(level.name, Math.max(target.percent, ...shares.map((share = 0) => inPercent(share))))}
      target={target.percent}
    />
  );
};

const rangeOfDays = ({ bars, end }: DayAnswer) => {
  const to = Date.parse(end);
  return { from: bars[0]?.[0] ?? to, to, times: bars.map(([ms]) => ms) };
};
