import { defaultCountSettings } from '../../../lib/contract/call-counts.ts';
import { isOneDay } from '../../../lib/core/time.ts';
import { replaceQuery, useView } from './address.ts';
import { DaysChart, QuartersChart } from './bars.tsx';
import { DayTable } from './day-table.tsx';
import { Choice, NumberInput } from './fields.tsx';
import { type DayAnswer, figureOf, figureText, Tiles, ToCalls } from './figures.tsx';
import { dayAsked } from './hash.ts';
import { useLive } from './live.ts';
import { Copy, Empty, Faint, Loading, Time } from './parts.tsx';
import { PageTable } from './table.tsx';
import { DayOrPeriod } from './when.tsx';

const refreshSeconds = 60;

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
          {...{ before: 'answered within', after: 's', min: 0, max: 3_600 }}
          value={within ?? defaultCountSettings.withinSeconds}
          onPick={(seconds) => replaceQuery(address, { within: seconds })}
        />
        {value !== undefined && (
          <Faint>
            Figures as of <Time at={value.readAt} day />. {value.agentDays}
          </Faint>
        )}
      </div>
      <Loading live={live} what={from === undefined ? 'The day' : 'The period'} />
      {live.value !== undefined && 'tooMany' in live.value && (
        <div class="empty" role="status">
          <p>{live.value.tooMany.text}</p>
          <Copy text={live.value.tooMany.command} label="the command" />
        </div>
      )}
      {value !== undefined && <Figures answer={value} />}
    </>
  );
};

interface FiguresProps {
  readonly answer: DayAnswer;
}

const Figures = ({ answer }: FiguresProps) => {
  const { figures, bars, start, end, by, groupings, grouping, csv } = answer;
  const isOne = isOneDay(answer);
  return (
    <>
      <Tiles answer={answer} />
      {figureOf(figures, 'calls')?.value === 0 && (
        <Empty>
          No call of {isOne ? 'this day' : 'these days'} is stored: there was none, it has not been posted yet, or it
          has expired.
        </Empty>
      )}
      {isOne ? (
        <QuartersChart quarters={bars} {...{ start, end }} listedBy={(counted) => ({ counted })} />
      ) : (
        <DaysChart {...{ bars, end }} />
      )}
      <details>
        <summary>Every figure, and how it is computed</summary>
        <Definitions answer={answer} />
      </details>
      <div class="filters">
        <label htmlFor="by">
          By <Choice id="by" name="by" fallback={by} options={groupings} />
        </label>
        <button type="button" onClick={() => navigator.clipboard.writeText(csv)}>
          Copy as CSV
        </button>
        <Faint>{grouping}</Faint>
      </div>
      <DayTable answer={answer} />
    </>
  );
};

const Definitions = ({ answer: { figures, opens: list } }: FiguresProps) => (
  <PageTable
    columns={[
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
    ]}
    rows={figures}
  />
);
