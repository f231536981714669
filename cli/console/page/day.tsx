import { useState } from 'preact/hooks';
import { defaultCountSettings } from '../../../lib/contract/call-counts.ts';
import { isOneDay } from '../../../lib/core/time.ts';
import type { Answers } from '../api.ts';
import { replaceQuery, useView } from './address.ts';
import { DaysChart, QuartersChart } from './bars.tsx';
import { DayTable } from './day-table.tsx';
import { Choice, NumberInput } from './fields.tsx';
import { Change, type DayAnswer, figureOf, figureText, ToCalls } from './figures.tsx';
import { dayAsked, type PageQuery, searchOf } from './hash.ts';
import { LevelCharts, LevelsPlaceholder } from './levels.tsx';
import { ask, failureText, useLive } from './live.ts';
import { Copy, Empty, Faint, Loading, Time } from './parts.tsx';
import { PageTable } from './table.tsx';
import { TargetInputs, useKeptTargets } from './targets.tsx';
import { NoTiles, Tiles } from './tiles.tsx';
import { DayOrPeriod } from './when.tsx';

const refreshSeconds = 60;

export const DayView = () => {
  const { timeZone, address } = useView();
  useKeptTargets();
  const { by, within, from, to } = address.query;
  const asked = from === undefined ? { day: dayAsked(address, timeZone) } : { from, to };
  const query = { ...asked, by, within };
  const live = useLive('day', query, refreshSeconds);
  const what = from === undefined ? 'The day' : 'The period';
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
        <TargetInputs />
      </div>
      <p class="faint as-of">
        {value !== undefined && (
          <>
            Figures as of <Time at={value.readAt} day />. {value.agentDays}
          </>
        )}
        {live.value === undefined && live.isSlow && `Reading ${what.toLowerCase()} …`}
      </p>
      {live.problem !== undefined && <Loading live={live} what={what} />}
      {live.value === undefined && live.problem === undefined && <NoFigures />}
      {live.value !== undefined && 'tooMany' in live.value && (
        <div class="empty" role="status">
          <p>{live.value.tooMany.text}</p>
          <Copy text={live.value.tooMany.command} label="the command" />
        </div>
      )}
      {value !== undefined && <Figures answer={value} query={query} />}
    </>
  );
};

/** The room of the figures until they come, so that nothing moves then. */
const NoFigures = () => (
  <>
    <NoTiles />
    <div class="chart" />
    <LevelsPlaceholder />
  </>
);

interface FiguresProps {
  readonly answer: DayAnswer;
  readonly query: PageQuery;
}

const Figures = ({ answer, query }: FiguresProps) => {
  const { figures, bars, start, end, by, groupings, grouping } = answer;
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
      <LevelCharts answer={answer} />
      <details>
        <summary>Every figure, and how it is computed</summary>
        <div class="wide">
          <Definitions answer={answer} />
        </div>
      </details>
      <div class="filters">
        <label htmlFor="by">
          By <Choice id="by" name="by" fallback={by} options={groupings} />
        </label>
        <CopyCsv query={query} />
        <Faint>{grouping}</Faint>
      </div>
      <DayTable answer={answer} />
    </>
  );
};

/** The table as the command prints it. It is read when somebody wants it: of many agents it is as long as the answer. */
const CopyCsv = ({ query }: Pick<FiguresProps, 'query'>) => {
  const { account } = useView();
  const [problem, setProblem] = useState<string>();
  const copy = async () => {
    setProblem(undefined);
    const read = ask<Answers['day-csv']>(`day-csv?${searchOf({ account, ...query })}`);
    // The clipboard gets a promise: a browser may forget the click while the page waits for the text.
    const text = read.then(({ csv }) => new Blob([csv], { type: 'text/plain' }));
    const written = navigator.clipboard.write([new ClipboardItem({ 'text/plain': text })]);
    await Promise.all([text, written]).catch((error: unknown) => setProblem(failureText(error)));
  };
  return (
    <>
      <button type="button" onClick={copy}>
        Copy as CSV
      </button>
      {problem !== undefined && <b role="alert">{problem}</b>}
    </>
  );
};

const Definitions = ({ answer: { figures, opens: list, weeksBefore } }: Pick<FiguresProps, 'answer'>) => (
  <PageTable
    class="definitions"
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
        name: 'Before',
        cell: ({ name }) => {
          const before = figureOf(weeksBefore.figures, name);
          if (before === undefined) return null;
          return (
            <span title={before.note}>
              <ToCalls opens={before.opens} list={weeksBefore.opens}>
                {figureText(before)}
              </ToCalls>
            </span>
          );
        },
        isFigure: true,
      },
      {
        name: 'Difference',
        cell: ({ name, unit }) => <Change change={figureOf(weeksBefore.figures, name)?.change} unit={unit} />,
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
