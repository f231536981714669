import type { ComponentChildren } from 'preact';
import { isOneDay, periodText } from '../../../lib/core/time.ts';
import type { Answers } from '../api.ts';
import type { ShownFigure } from '../day.ts';
import { dayAsked, type Query, replaceQuery } from './address.ts';
import { DaysChart, QuartersChart } from './bars.tsx';
import { useLive } from './live.ts';
import { Choice, type Column, Empty, Faint, Link, Loading, NumberInput, Table, Time } from './parts.tsx';
import { DayOrPeriod, TooMany } from './period.tsx';
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
  'undecided',
  'serviceLevel',
  'answeredLate',
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
  const { by, within, from, to } = address.query;
  const asked = from === undefined ? { day: dayAsked(address, timeZone) } : { from, to };
  const live = useLive('day', { ...asked, by, within }, refreshSeconds);
  const value = live.value !== undefined && 'tooMany' in live.value ? undefined : live.value;
  return (
    <>
      <h1 class="hidden">Day</h1>
      <div class="filters">
        <DayOrPeriod shown={live.value} />
        <NumberInput
          before="answered within"
          after="s"
          value={within ?? value?.within}
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

interface ToCallsProps {
  readonly opens: ShownFigure['opens'];
  /** The list to which the calls belong; without it the number is no link. */
  readonly list: Query | undefined;
  readonly children: ComponentChildren;
}

/** A number as a link to the calls that it counts, or rests on. */
const ToCalls = ({ opens, list, children }: ToCallsProps) =>
  opens === undefined || list === undefined ? (
    children
  ) : (
    <Link view="calls" query={{ ...list, ...opens.filters }} title={`Show ${counted(opens.count, 'call')}`}>
      {children}
    </Link>
  );

const Beside = ({ figure, answer }: { readonly figure: ShownFigure; readonly answer: DayAnswer }) => {
  const { figures, within, opens: list } = answer;
  if (figure.name === 'serviceLevel') {
    const late = figureOf(figures, 'answeredLate')?.opens;
    return (
      <>
        , within {within} s{late && '; '}
        <ToCalls opens={late} list={list}>
          {late && `${late.count} later`}
        </ToCalls>
      </>
    );
  }
  if (figure.name === 'abandonment') {
    const { value: short = 0, opens: shortOnes } = figureOf(figures, 'shortAbandoned') ?? {};
    // The share leaves out short ones, so their number does too.
    const count = (figureOf(figures, 'abandoned')?.value ?? Number.NaN) - short;
    if (Number.isNaN(count)) return null;
    return (
      <>
        ,{' '}
        <ToCalls opens={count > 0 ? { count, filters: { counted: 'given-up' } } : undefined} list={list}>
          {counted(count, 'call')}
        </ToCalls>
        {short > 0 && ' without '}
        <ToCalls opens={shortOnes} list={list}>
          {short > 0 && `${short} short`}
        </ToCalls>
      </>
    );
  }
  const beside = besideOf(figure, figures);
  if (beside === undefined) return null;
  return <>{figure.unit === 'seconds' ? `; ${otherStatistic(figure.name)?.toLowerCase()} ${beside}` : `, ${beside}`}</>;
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
              <b>
                <ToCalls opens={figure.opens} list={answer.opens}>
                  {figureText(figure)}
                </ToCalls>
              </b>
              <div>
                {title}
                <Beside figure={figure} answer={answer} />
              </div>
              {hasBefore && earlier !== undefined && (
                <div class="faint" title={`${periodText(weeksBefore)}${until}. ${earlier.note}`}>
                  {before}
                  {until !== '' && ', by this time'}:{' '}
                  <ToCalls opens={earlier.opens} list={weeksBefore.opens}>
                    {figureText(earlier)}
                  </ToCalls>
                </div>
              )}
            </div>
          );
        })}
        <MissedTile days={answer} />
      </div>
      {!hasBefore && (
        <p class="faint">
          {before.replace(/^a/, 'A')}, {isOneDay(weeksBefore) ? 'on' : 'from'} {periodText(weeksBefore)},{' '}
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
        <QuartersChart
          quarters={answer.bars}
          start={answer.start}
          end={answer.end}
          listedBy={(counted) => ({ counted })}
        />
      ) : (
        <DaysChart bars={answer.bars} end={answer.end} />
      )}
      <details>
        <summary>Every figure, and how it is computed</summary>
        <Table columns={definitionColumns(answer.opens)} rows={figures} />
      </details>
    </>
  );
};

const definitionColumns = (list: Query | undefined): readonly Column<ShownFigure>[] => [
  { name: 'Figure', cell: ({ title }) => title },
  {
    name: 'Value',
    cell: (figure) => (
      <ToCalls opens={figure.opens} list={list}>
        {figureText(figure)}
      </ToCalls>
    ),
    isFigure: true,
  },
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
    // Where it is known of every call whether it was answered, that needs no column.
    if (first === undefined || (name === 'undecided' && figures.every(({ value }) => value === 0))) return [];
    const shares = figures.some(({ share }) => share !== undefined) ? ' (%)' : '';
    const most = Math.max(...figures.map(({ value = 0 }) => value));
    return [
      {
        name: `${first.title}${name.includes('Median') ? ' / average' : shares}`,
        cell: (group) => <Cell figure={of(group)} figures={group.figures} most={most} list={group.opens} />,
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
          {
            name: by,
            cell: (group) =>
              by === 'day' ? <DayLink day={group.key} label={group.label} /> : <GroupLink group={group} />,
          },
          ...columns,
        ]}
        rows={groups}
        keyOf={({ label }) => label}
      />
    </div>
  );
};

const GroupLink = ({ group: { label, figures, opens } }: { readonly group: DayAnswer['groups'][number] }) => (
  <ToCalls opens={figureOf(figures, 'calls')?.opens} list={opens}>
    {label}
  </ToCalls>
);

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
  readonly list: Query | undefined;
}

const Cell = ({ figure, figures, most, list }: CellProps) => {
  if (figure === undefined) return <>–</>;
  const { value = 0, unit, note, opens } = figure;
  const beside = figure.value === undefined ? undefined : besideOf(figure, figures, clockText);
  return (
    <span title={note}>
      <i class="bar-cell" style={{ width: `${most > 0 ? (value / most) * 90 : 0}%` }} />
      <ToCalls opens={opens} list={list}>
        {figureText(figure, clockText)}
      </ToCalls>
      {beside !== undefined && <Faint> {unit === 'seconds' ? `/ ${beside}` : `(${beside})`}</Faint>}
    </span>
  );
};
