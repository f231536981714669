import type { Answers } from '../api.ts';
import type { ShownFigure } from '../day.ts';
import { dayAsked, replaceQuery } from './address.ts';
import { QuartersChart } from './chart.tsx';
import { useLive } from './live.ts';
import { Choice, type Column, Empty, Faint, Link, Loading, NumberInput, Table, Time } from './parts.tsx';
import { DayOrPeriod, DaysChart, TooMany } from './period.tsx';
import { useView } from './view.ts';
import { MissedTile } from './waiting.tsx';
import { clockText, counted, durationText, timeText } from './words.ts';

const refreshSeconds = 60;
const figureColumns = [
  'calls',
  'offered',
  'answered',
  'answeredByOthers',
  'missed',
  'serviceLevel',
  'abandonment',
  'timeToAnswerMedianSeconds',
  'handleMedianSeconds',
  'talkMedianSeconds',
  'holdMedianSeconds',
  'wrapUpMedianSeconds',
  'loggedInSeconds',
  'occupancy',
];

export const DayView = () => {
  const { timeZone, address } = useView();
  const { by, within = '', from, to } = address.query;
  const asked = from === undefined ? { day: dayAsked(address, timeZone) } : { from, to };
  const live = useLive('day', { ...asked, by, within: /^\d{1,4}$/.test(within) ? within : undefined }, refreshSeconds);
  const value = live.value !== undefined && 'tooMany' in live.value ? undefined : live.value;
  return (
    <>
      <h1 class="hidden">Day</h1>
      <div class="filters">
        <DayOrPeriod shown={live.value} />
        <NumberInput
          before="answered within"
          after="s"
          value={within || value?.within}
          min={0}
          max={3600}
          onPick={(seconds) => replaceQuery(address, { within: seconds })}
        />
        {value !== undefined && (
          <Faint>
            Figures as of <Time at={value.readAt} day />. {value.agentDays}
          </Faint>
        )}
      </div>
      <Loading live={live} what={from === undefined ? 'The day' : 'The period'} />
      {live.value !== undefined && 'tooMany' in live.value && <TooMany {...live.value} />}
      {value !== undefined && (
        <>
          <Figures answer={value} />
          <div class="filters">
            <label htmlFor="by">
              By <Choice id="by" name="by" fallback={value.by} options={value.groupings} />
            </label>
            <button type="button" onClick={() => navigator.clipboard.writeText(value.csv)}>
              Copy as CSV
            </button>
            <Faint>{value.grouping}</Faint>
          </div>
          <Groups answer={value} />
        </>
      )}
    </>
  );
};

type DayAnswer = Exclude<Answers['day'], { readonly tooMany: unknown }>;
type ShownFigures = readonly ShownFigure[];

interface Days {
  readonly from: string;
  readonly to: string;
}

const isOneDay = ({ from, to }: Days): boolean => from === to;

const daysText = (days: Days): string => (isOneDay(days) ? days.from : `${days.from} to ${days.to}`);

const figureOf = (figures: ShownFigures, name: string): ShownFigure | undefined =>
  figures.find((figure) => figure.name === name);

const percent = (share: number): string => `${Math.round(share * 100)} %`;

const figureText = ({ value, unit }: ShownFigure, timeOf = durationText): string => {
  if (value === undefined) return '–';
  if (unit === 'seconds') return timeOf(value);
  return unit === 'share' ? percent(value) : value.toLocaleString('en-GB');
};

const otherStatistic = (name: string): 'Average' | 'Median' | undefined => {
  if (name.includes('Median')) return 'Average';
  return name.includes('Average') ? 'Median' : undefined;
};

/** What stands beside a figure: the share of calls that were answered or missed; a median and average beside each other. */
const besideOf = ({ name, share }: ShownFigure, figures: ShownFigures, timeOf = durationText): string | undefined => {
  if (share !== undefined) return percent(share);
  const other = otherStatistic(name);
  const seconds = other && figureOf(figures, name.replace(/Median|Average/, other))?.value;
  return seconds === undefined ? undefined : timeOf(Math.round(seconds));
};

const besideText = (figure: ShownFigure, { figures, within }: DayAnswer): string => {
  if (figure.name === 'serviceLevel') return `, within ${within} s`;
  if (figure.name === 'abandonment') {
    // The share leaves out short ones, so their number does too.
    const abandoned = figureOf(figures, 'abandoned')?.value;
    const short = figureOf(figures, 'shortAbandoned')?.value ?? 0;
    if (abandoned === undefined) return '';
    return `, ${counted(abandoned - short, 'call')}${short > 0 ? ` without ${short} short` : ''}`;
  }
  const beside = besideOf(figure, figures);
  if (beside === undefined) return '';
  return figure.unit === 'seconds' ? `; ${otherStatistic(figure.name)?.toLowerCase()} ${beside}` : `, ${beside}`;
};

const Figures = ({ answer }: { readonly answer: DayAnswer }) => {
  const { timeZone } = useView();
  const { figures, largest, weeksBefore } = answer;
  const { figures: ofBefore = [], weeks, upTo } = weeksBefore;
  const hasBefore = (figureOf(ofBefore, 'calls')?.value ?? 0) > 0;
  const until = upTo === undefined ? '' : ` up to ${timeText(upTo, timeZone)}`;
  const before = weeks === 1 ? 'a week before' : `${weeks} weeks before`;
  return (
    <>
      <div class="tiles">
        {largest.map((name) => {
          const [figure, earlier] = [figureOf(figures, name), figureOf(ofBefore, name)];
          if (figure === undefined) return null;
          const { title, definition, note } = figure;
          return (
            <div key={name} class="tile" title={`${title}: ${definition}${note === '' ? '' : ` (${note})`}`}>
              <b>{figureText(figure)}</b>
              <span>
                {title}
                {besideText(figure, answer)}
              </span>
              {hasBefore && earlier !== undefined && (
                <Faint title={`${daysText(weeksBefore)}${until}. ${earlier.note}`}>
                  {before}
                  {until !== '' && ', by this time'}: {figureText(earlier)}
                </Faint>
              )}
            </div>
          );
        })}
        <MissedTile days={answer} />
      </div>
      {!hasBefore && (
        <p class="faint">
          {before.replace(/^a/, 'A')}, {isOneDay(weeksBefore) ? 'on' : 'from'} {daysText(weeksBefore)},{' '}
          {weeksBefore.figures === undefined ? 'there are too many calls' : 'no call is stored'} to compare with.
        </p>
      )}
      {figures[0]?.value === 0 && (
        <Empty>
          No call of {isOneDay(answer) ? 'this day' : 'these days'} is stored: there was none, it has not been posted
          yet, or it has expired.
        </Empty>
      )}
      {isOneDay(answer) ? (
        <QuartersChart quarters={answer.bars} start={answer.start} end={answer.end} />
      ) : (
        <DaysChart bars={answer.bars} end={answer.end} />
      )}
      <details>
        <summary>Every figure, and how it is computed</summary>
        <Table columns={definitionColumns} rows={figures} />
      </details>
    </>
  );
};

const definitionColumns: readonly Column<ShownFigure>[] = [
  { name: 'Figure', cell: ({ title }) => title },
  { name: 'Value', cell: (figure) => figureText(figure), isFigure: true },
  {
    name: 'How it is computed',
    cell: ({ definition, note }) => (
      <>
        {definition} {note !== '' && <b>{note}</b>}
      </>
    ),
  },
];

/** A table with a bar in each cell, as long as the figure is large in its column; a click on a head sorts. */
const Groups = ({ answer: { groups, by } }: { readonly answer: DayAnswer }) => {
  type Group = (typeof groups)[number];
  const columns = figureColumns.flatMap((name): readonly Column<Group>[] => {
    const of = (group: Group) => figureOf(group.figures, name);
    const figures = groups.flatMap((group) => of(group) ?? []);
    const [first] = figures;
    if (first === undefined) return [];
    const shares = figures.some(({ share }) => share !== undefined) ? ' (%)' : '';
    const most = Math.max(...figures.map(({ value = 0 }) => value));
    return [
      {
        name: `${first.title}${name.includes('Median') ? ' / average' : shares}`,
        cell: (group) => <Cell figure={of(group)} figures={group.figures} most={most} />,
        isFigure: true,
        sortBy: (group) => of(group)?.value ?? -1,
      },
    ];
  });
  if (groups.length === 0) return null;
  return (
    <div class="wide">
      <Table
        class="groups"
        columns={[
          { name: by, cell: (group) => (by === 'day' ? <DayLink day={group.key} label={group.label} /> : group.label) },
          ...columns,
        ]}
        rows={groups}
        keyOf={({ label }) => label}
      />
    </div>
  );
};

const DayLink = ({ day, label }: { readonly day: string | undefined; readonly label: string }) => {
  const { within } = useView().address.query;
  return (
    <Link view="day" query={{ day, within }}>
      {label}
    </Link>
  );
};

interface CellProps {
  readonly figure: ShownFigure | undefined;
  readonly figures: ShownFigures;
  readonly most: number;
}

const Cell = ({ figure, figures, most }: CellProps) => {
  if (figure === undefined) return <>–</>;
  const { value = 0, unit, note } = figure;
  const beside = figure.value === undefined ? undefined : besideOf(figure, figures, clockText);
  return (
    <span title={note}>
      <i class="bar-cell" style={{ width: `${most > 0 ? (value / most) * 90 : 0}%` }} />
      {figureText(figure, clockText)}
      {beside !== undefined && <Faint> {unit === 'seconds' ? `/ ${beside}` : `(${beside})`}</Faint>}
    </span>
  );
};
