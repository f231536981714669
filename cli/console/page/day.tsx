import type { Answers } from '../api.ts';
import type { ShownFigure } from '../day.ts';
import { dayAsked, replaceQuery } from './address.ts';
import { QuartersChart } from './chart.tsx';
import { useLive } from './live.ts';
import { Choice, type Column, Empty, Faint, Loading, NumberInput, Table, Time } from './parts.tsx';
import { useView } from './view.ts';
import { DayInput } from './when.tsx';
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
  const { by = 'agent', within = '' } = address.query;
  const day = dayAsked(address, timeZone);
  const live = useLive('day', { day, by, within: /^\d{1,4}$/.test(within) ? within : undefined }, refreshSeconds);
  const { value } = live;
  return (
    <>
      <h1 class="hidden">Day</h1>
      <div class="filters">
        <DayInput day={value?.day} />
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
            Figures as of <Time at={value.readAt} day />
          </Faint>
        )}
      </div>
      <Loading live={live} what="The day" />
      {value !== undefined && (
        <>
          <Figures answer={value} />
          <div class="filters">
            <label htmlFor="by">
              By <Choice id="by" name="by" fallback="agent" options={value.groupings} />
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

type DayAnswer = Answers['day'];
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
  const { figures, largest, weekBefore } = answer;
  const hasBefore = (figureOf(weekBefore.figures, 'calls')?.value ?? 0) > 0;
  const until = weekBefore.upTo === undefined ? '' : ` up to ${timeText(weekBefore.upTo, timeZone)}`;
  return (
    <>
      <div class="tiles">
        {largest.map((name) => {
          const [figure, before] = [figureOf(figures, name), figureOf(weekBefore.figures, name)];
          if (figure === undefined) return null;
          const { title, definition, note } = figure;
          return (
            <div key={name} class="tile" title={`${title}: ${definition}${note === '' ? '' : ` (${note})`}`}>
              <b>{figureText(figure)}</b>
              <span>
                {title}
                {besideText(figure, answer)}
              </span>
              {hasBefore && before !== undefined && (
                <Faint title={`${weekBefore.day}${until}. ${before.note}`}>
                  a week before{until !== '' && ', by this time'}: {figureText(before)}
                </Faint>
              )}
            </div>
          );
        })}
      </div>
      {!hasBefore && <p class="faint">A week before, on {weekBefore.day}, no call is stored to compare with.</p>}
      {figures[0]?.value === 0 && (
        <Empty>No call of this day is stored: there was none, it has not been posted yet, or it has expired.</Empty>
      )}
      <QuartersChart quarters={answer.quarters} start={answer.start} end={answer.end} />
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
        columns={[{ name: by, cell: ({ label }) => label }, ...columns]}
        rows={groups}
        keyOf={({ label }) => label}
      />
    </div>
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
