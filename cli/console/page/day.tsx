import { useState } from 'preact/hooks';
import type { DayAnswer, ShownFigure } from '../day.ts';
import { QuartersChart } from './calls.tsx';
import { dayAsked, replaceQuery, useLive, useNow } from './live.ts';
import { Empty, Loading, Select, Time, useView } from './parts.tsx';
import { DayInput } from './when.tsx';
import { durationText } from './words.ts';

const large = ['offered', 'answered', 'missed', 'timeToAnswerMedianSeconds'];
/** Figures of today that are older stand out. */
const oldSeconds = 60;
const groupings = ['agent', 'skill', 'campaign', 'hour'];
const columns = [
  'calls',
  'offered',
  'answered',
  'missed',
  'shortAbandoned',
  'timeToAnswerMedianSeconds',
  'talkMedianSeconds',
  'holdMedianSeconds',
  'wrapUpMedianSeconds',
  'loggedInSeconds',
  'occupancy',
];

/** A day in figures: four large ones, the quarters of an hour, every figure, and a table by group. */
export const DayView = () => {
  const { account, timeZone, address } = useView();
  const { query } = address;
  const [again, setAgain] = useState({ day: '', readAt: '' });
  const day = dayAsked(address, timeZone);
  const by = query['by'] ?? 'agent';
  const search = new URLSearchParams({
    account,
    day,
    by,
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
        {value !== undefined && <Age answer={value} />}
      </div>
      <Loading live={live} what="The day" />
      {value !== undefined && <Figures answer={value} />}
      {value !== undefined && (
        <div class="filters">
          <label htmlFor="by">
            By{' '}
            <Select id="by" value={by} options={groupings} onPick={(chosen) => replaceQuery(address, { by: chosen })} />
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

/** How old the figures are: those of a day that is not over grow old while somebody looks at them. */
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
  return unit === 'share' ? `${Math.round(value * 100)} %` : value.toLocaleString('en-GB');
};

/** The definition on hover, and what is missing. */
const titleOf = ({ title, definition, note }: ShownFigure): string =>
  `${title}: ${definition}${note === '' ? '' : ` (${note})`}`;

/** Which share of the offered calls was answered or missed. */
const shareText = ({ name, value = 0 }: ShownFigure, figures: readonly ShownFigure[]): string => {
  const { value: offered = 0 } = figures.find((one) => one.name === 'offered') ?? {};
  return ['answered', 'missed'].includes(name) && offered > 0 ? `, ${Math.round((value / offered) * 100)} %` : '';
};

const Figures = ({ answer }: { readonly answer: DayAnswer }) => {
  const { figures, quarters, start, end } = answer;
  const [first] = figures;
  return (
    <>
      <div class="tiles">
        {large.flatMap((name) => {
          const figure = figures.find((one) => one.name === name);
          return figure === undefined
            ? []
            : [
                <div key={name} class="tile" title={titleOf(figure)}>
                  <b>{figureText(figure)}</b>
                  <span>
                    {figure.title}
                    {shareText(figure, figures)}
                  </span>
                </div>,
              ];
        })}
      </div>
      {first?.value === 0 && (
        <Empty>No call of this day is stored: there was none, it has not been posted yet, or it has expired.</Empty>
      )}
      <QuartersChart
        quarters={quarters.filter(([, ...counts]) => counts.some((count) => count > 0))}
        start={start}
        end={end}
      />
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

const Cell = ({ figure, most }: { readonly figure: ShownFigure | undefined; readonly most: number }) =>
  figure === undefined ? (
    <td class="number">–</td>
  ) : (
    <td class="number" title={figure.note}>
      <i class="bar-cell" style={{ width: `${most > 0 ? ((figure.value ?? 0) / most) * 90 : 0}%` }} />
      {figureText(figure)}
    </td>
  );
