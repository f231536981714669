import { useState } from 'preact/hooks';
import type { DayAnswer, ShownFigure } from '../day.ts';
import { QuartersChart } from './calls.tsx';
import { dayAsked, replaceQuery, useLive, useNow } from './live.ts';
import { Empty, Loading, Select, Time, useView } from './parts.tsx';
import { DayInput } from './when.tsx';
import { clockText, counted, durationText, timeText } from './words.ts';

/** Figures of today that are older stand out. */
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

/** A day in figures: six large ones, the quarters of an hour, every figure, and a table by group. */
export const DayView = () => {
  const { account, timeZone, address } = useView();
  const { query } = address;
  const [again, setAgain] = useState({ day: '', readAt: '' });
  const day = dayAsked(address, timeZone);
  const by = query['by'] ?? 'agent';
  const { within = '' } = query;
  const search = new URLSearchParams({
    account,
    day,
    by,
    ...(/^\d{1,4}$/.test(within) && { within }),
    ...(again.day === day && { again: again.readAt }),
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
            onChange={({ currentTarget }) => replaceQuery(address, { within: currentTarget.value || undefined })}
          />{' '}
          s
        </label>
        {value !== undefined && <Age answer={value} />}
      </div>
      <Loading live={live} what="The day" />
      {value !== undefined && <Figures answer={value} />}
      {value !== undefined && (
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
          <span class="faint">{value.grouping}</span>
        </div>
      )}
      {value !== undefined && <Groups answer={value} />}
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

const figureText = ({ value, unit }: ShownFigure): string => {
  if (value === undefined) return '–';
  if (unit === 'seconds') return durationText(value);
  return unit === 'share' ? percent(value) : value.toLocaleString('en-GB');
};

const percent = (share: number): string => `${Math.round(share * 100)} %`;

const titleOf = ({ title, definition, note }: ShownFigure): string =>
  `${title}: ${definition}${note === '' ? '' : ` (${note})`}`;

/** What stands beside a figure: the share of calls that were answered or missed; a median and average beside each other. */
const besideOf = (
  { name, share }: ShownFigure,
  figures: readonly ShownFigure[],
  timeOf: (seconds: number) => string,
): string | undefined => {
  if (share !== undefined) return percent(share);
  const other = otherStatistic(name);
  if (other === undefined) return undefined;
  const seconds = figures.find((one) => one.name === name.replace(/Median|Average/, other))?.value;
  return seconds === undefined ? undefined : timeOf(Math.round(seconds));
};

const otherStatistic = (name: string): string | undefined => {
  if (name.includes('Median')) return 'Average';
  return name.includes('Average') ? 'Median' : undefined;
};

const besideText = (figure: ShownFigure, { figures, within }: DayAnswer): string => {
  if (figure.name === 'serviceLevel') return `, within ${within} s`;
  if (figure.name === 'abandonment') {
    // The share leaves out short ones, so their number does too.
    const [abandoned, short = 0] = ['abandoned', 'shortAbandoned'].map(
      (name) => figures.find((one) => one.name === name)?.value,
    );
    if (abandoned === undefined) return '';
    return `, ${counted(abandoned - short, 'call')}${short > 0 ? ` without ${short} short` : ''}`;
  }
  const beside = besideOf(figure, figures, durationText);
  if (beside === undefined) return '';
  return figure.unit === 'seconds' ? `; ${otherStatistic(figure.name)?.toLowerCase()} ${beside}` : `, ${beside}`;
};

const besideHead = (name: string, shown: readonly (ShownFigure | undefined)[]): string => {
  if (name.includes('Median')) return ' / average';
  return shown.some((figure) => figure?.share !== undefined) ? ' (%)' : '';
};

const Figures = ({ answer }: { readonly answer: DayAnswer }) => {
  const { figures, largest, quarters, start, end } = answer;
  const [first] = figures;
  const { day: dayBefore, figures: figuresBefore } = answer.weekBefore;
  const hasBefore = (figuresBefore.find(({ name }) => name === 'calls')?.value ?? 0) > 0;
  return (
    <>
      <div class="tiles">
        {largest.flatMap((name) => {
          const figure = figures.find((one) => one.name === name);
          return figure === undefined
            ? []
            : [
                <div key={name} class="tile" title={titleOf(figure)}>
                  <b>{figureText(figure)}</b>
                  <span>
                    {figure.title}
                    {besideText(figure, answer)}
                  </span>
                  {hasBefore && <Before name={name} before={answer.weekBefore} />}
                </div>,
              ];
        })}
      </div>
      {!hasBefore && <p class="faint">A week before, on {dayBefore}, no call is stored to compare with.</p>}
      {first?.value === 0 && (
        <Empty>No call of this day is stored: there was none, it has not been posted yet, or it has expired.</Empty>
      )}
      <QuartersChart quarters={quarters} start={start} end={end} />
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

/** The figure of the same weekday a week before, up to the same time where the day is not over. */
const Before = ({
  name,
  before: { day, upTo, figures },
}: {
  readonly name: string;
  readonly before: DayAnswer['weekBefore'];
}) => {
  const { timeZone } = useView();
  const figure = figures.find((one) => one.name === name);
  if (figure === undefined) return null;
  const until = upTo === undefined ? '' : ` up to ${timeText(upTo, timeZone)}`;
  return (
    <span class="faint" title={`${day}${until}. ${figure.note}`}>
      a week before{upTo !== undefined && ', by this time'}: {figureText(figure)}
    </span>
  );
};

/** A table with a bar in each cell, as long as the figure is large in its column; a click on a head sorts. */
const Groups = ({ answer: { groups, by } }: { readonly answer: DayAnswer }) => {
  const [sort, setSort] = useState<string>();
  const figureOf = (group: DayAnswer['groups'][number], name: string): ShownFigure | undefined =>
    group.figures.find((figure) => figure.name === name);
  const shown = columns.filter((name) => groups.some((group) => figureOf(group, name) !== undefined));
  const sorted =
    sort === undefined
      ? groups
      : groups.toSorted((a, b) => (figureOf(b, sort)?.value ?? -1) - (figureOf(a, sort)?.value ?? -1));
  if (groups.length === 0) return null;
  return (
    <div class="wide">
      <table class="groups">
        <thead>
          <tr>
            <th scope="col">{by}</th>
            {shown.map((name) => (
              <th key={name} scope="col" class="number" aria-sort={sort === name ? 'descending' : undefined}>
                <button type="button" onClick={() => setSort(sort === name ? undefined : name)}>
                  {groups.map((group) => figureOf(group, name)?.title).find((title) => title !== undefined)}
                  {besideHead(
                    name,
                    groups.map((group) => figureOf(group, name)),
                  )}
                </button>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {sorted.map((group) => (
            <tr key={group.label}>
              <th scope="row">{group.label}</th>
              {shown.map((name) => (
                <Cell
                  key={name}
                  figure={figureOf(group, name)}
                  figures={group.figures}
                  most={Math.max(...groups.map((one) => figureOf(one, name)?.value ?? 0))}
                />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
};

const Cell = ({
  figure,
  figures,
  most,
}: {
  readonly figure: ShownFigure | undefined;
  readonly figures: readonly ShownFigure[];
  readonly most: number;
}) => {
  if (figure === undefined) return <td class="number">–</td>;
  const { value, unit, note } = figure;
  const beside = value === undefined ? undefined : besideOf(figure, figures, clockText);
  return (
    <td class="number" title={note}>
      <i class="bar-cell" style={{ width: `${most > 0 ? ((value ?? 0) / most) * 90 : 0}%` }} />
      {value !== undefined && unit === 'seconds' ? clockText(value) : figureText(figure)}
      {beside !== undefined && <span class="faint"> {unit === 'seconds' ? `/ ${beside}` : `(${beside})`}</span>}
    </td>
  );
};
