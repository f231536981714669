import { useState } from 'preact/hooks';
import type { DayAnswer, ShownFigure } from '../day.ts';
import { QuartersChart } from './chart.tsx';
import { dayAsked, replaceQuery, searchOf, useLive, useNow } from './live.ts';
import { Empty, Faint, Loading, Select, Time, useView } from './parts.tsx';
import { DayInput } from './when.tsx';
import { clockText, counted, durationText, timeText } from './words.ts';

const oldSeconds = 60;
const columns = [
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
  const { account, timeZone, address } = useView();
  const { by = 'agent', within = '' } = address.query;
  const [again, setAgain] = useState({ day: '', readAt: '' });
  const day = dayAsked(address, timeZone);
  const search = searchOf({
    ...{ account, day, by },
    within: /^\d{1,4}$/.test(within) ? within : undefined,
    again: again.day === day ? again.readAt : undefined,
  });
  const live = useLive<DayAnswer>(`day?${search}`);
  const { value } = live;
  return (
    <>
      <h1 class="hidden">Day</h1>
      <div class="filters">
        <DayInput day={value?.day} />
        <button
          type="button"
          onClick={() => (value === undefined ? live.refresh() : setAgain({ day, readAt: value.readAt }))}
        >
          Read again
        </button>
        <label>
          answered within{' '}
          <input
            type="number"
            min="0"
            max="3600"
            value={within || value?.within}
            onChange={({ currentTarget }) => replaceQuery(address, { within: currentTarget.value })}
          />{' '}
          s
        </label>
        {value !== undefined && <Age answer={value} />}
      </div>
      <Loading live={live} what="The day" />
      {value !== undefined && (
        <>
          <Figures answer={value} />
          <div class="filters">
            <label htmlFor="by">
              By{' '}
              <Select
                id="by"
                value={by}
                options={value.groupings}
                onPick={(chosen) => replaceQuery(address, { by: chosen })}
              />
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

/** How old the figures are: on a day that is not over they grow old while somebody looks at them. */
const Age = ({ answer: { readAt, end } }: { readonly answer: DayAnswer }) => {
  const seconds = (useNow() - Date.parse(readAt)) / 1000;
  const isOld = readAt < end && seconds > oldSeconds;
  return (
    <span class={isOld ? 'late' : 'faint'} role="status">
      Figures as of <Time at={readAt} day />
      {readAt < end && `, ${seconds < oldSeconds ? 'less than a minute' : `${Math.floor(seconds / 60)} min`} ago`}
    </span>
  );
};

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
        <table>
          <tbody>
            {figures.map((figure) => (
              <tr key={figure.name}>
                <th scope="row">{figure.title}</th>
                <td class="number">{figureText(figure)}</td>
                <td>
                  {figure.definition} {figure.note !== '' && <b>{figure.note}</b>}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </>
  );
};

/** A table with a bar in each cell, as long as the figure is large in its column; a click on a head sorts. */
const Groups = ({ answer: { groups, by } }: { readonly answer: DayAnswer }) => {
  const [sort, setSort] = useState<string>();
  const valueIn = ({ figures }: (typeof groups)[number], name: string) => figureOf(figures, name)?.value;
  const sorted =
    sort === undefined ? groups : groups.toSorted((a, b) => (valueIn(b, sort) ?? -1) - (valueIn(a, sort) ?? -1));
  const shown = columns.flatMap((name) => {
    const figures = groups.flatMap((group) => figureOf(group.figures, name) ?? []);
    const [first] = figures;
    if (first === undefined) return [];
    const shares = figures.some(({ share }) => share !== undefined) ? ' (%)' : '';
    const head = `${first.title}${name.includes('Median') ? ' / average' : shares}`;
    return [{ name, head, most: Math.max(...figures.map(({ value = 0 }) => value)) }];
  });
  if (groups.length === 0) return null;
  return (
    <div class="wide">
      <table class="groups">
        <thead>
          <tr>
            <th scope="col">{by}</th>
            {shown.map(({ name, head }) => (
              <th key={name} scope="col" class="number" aria-sort={sort === name ? 'descending' : undefined}>
                <button type="button" onClick={() => setSort(sort === name ? undefined : name)}>
                  {head}
                </button>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {sorted.map(({ label, figures }) => (
            <tr key={label}>
              <th scope="row">{label}</th>
              {shown.map(({ name, most }) => (
                <Cell key={name} figure={figureOf(figures, name)} figures={figures} most={most} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
};

interface CellProps {
  readonly figure: ShownFigure | undefined;
  readonly figures: ShownFigures;
  readonly most: number;
}

const Cell = ({ figure, figures, most }: CellProps) => {
  if (figure === undefined) return <td class="number">–</td>;
  const { value, unit, note } = figure;
  const beside = value === undefined ? undefined : besideOf(figure, figures, clockText);
  return (
    <td class="number" title={note}>
      <i class="bar-cell" style={{ width: `${most > 0 ? ((value ?? 0) / most) * 90 : 0}%` }} />
      {figureText(figure, clockText)}
      {beside !== undefined && <Faint> {unit === 'seconds' ? `/ ${beside}` : `(${beside})`}</Faint>}
    </td>
  );
};
