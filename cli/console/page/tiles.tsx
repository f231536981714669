import { useEffect } from 'preact/hooks';
import { largestFigures, targetFigures } from '../../../client/shown-figures.ts';
import { type MissedState, missedStates } from '../../../lib/contract/rules.ts';
import { keysOf } from '../../../lib/core/collections.ts';
import { isOneDay, periodText } from '../../../lib/core/time.ts';
import { useView } from './address.ts';
import { missedFilters } from './call-links.ts';
import { Change, type DayAnswer, figureOf, figureText, ToCalls } from './figures.tsx';
import { useLive } from './live.ts';
import { Loading } from './parts.tsx';
import { TargetVerdict } from './targets.tsx';
import { capitalised, counted, durationText, percentText, timeText } from './words.ts';

type LargeFigure = DayAnswer['figures'][number];

interface TileProps {
  readonly figure: LargeFigure;
  readonly answer: DayAnswer;
}

/** The large figures of a day or a period, each beside the same weekdays before, and what became of the missed calls. */
export const Tiles = ({ answer }: Pick<TileProps, 'answer'>) => {
  const { figures, largest } = answer;
  const tiles = largest.flatMap((name) => figureOf(figures, name) ?? []);
  return (
    <>
      <div class="tiles">
        {tiles.map((figure) => (
          <Tile key={figure.name} figure={figure} answer={answer} />
        ))}
        <MissedTile answer={answer} />
      </div>
      <p class="faint compared">
        <ComparedWith answer={answer} />
      </p>
    </>
  );
};

const tileClass = (name: string): string => (targetFigures.some((one) => one === name) ? 'tile broad' : 'tile');

/** The room of the tiles until they come. */
export const NoTiles = () => (
  <>
    <div class="tiles" aria-busy="true">
      {largestFigures.map((name) => (
        <div key={name} class={tileClass(name)} />
      ))}
      <div class="tile whole" />
    </div>
    <p class="faint compared" />
  </>
);

/** With what the figures are compared, or why with nothing. */
const ComparedWith = ({ answer: { weeksBefore } }: Pick<TileProps, 'answer'>) => {
  const { timeZone } = useView();
  const { from, weeks, upTo, reason, storedDays } = weeksBefore;
  const isOne = isOneDay(weeksBefore);
  if (reason !== undefined)
    return (
      <>
        {capitalised(weeksText(weeks))}, {isOne ? 'on' : 'from'} {periodText(weeksBefore)}, {reason}.
      </>
    );
  return (
    <>
      Compared with {isOne ? `${weekdayText(from)} ${from}` : periodText(weeksBefore)}, {weeksText(weeks)}
      {upTo !== undefined && `, until ${minuteText(upTo, timeZone)}, as today is not over`}.
      {storedDays !== undefined && ` Then calls are stored of only ${counted(storedDays, 'day')}.`}
    </>
  );
};

const weeksText = (weeks: number): string => (weeks === 1 ? 'a week before' : `${weeks} weeks before`);

const weekdayText = (date: string): string =>
  new Date(date).toLocaleDateString('en-GB', { weekday: 'long', timeZone: 'UTC' });

const minuteText = (instant: string, timeZone: string): string => timeText(instant, timeZone).slice(0, 5);

const Tile = ({ figure, answer }: TileProps) => {
  const { name, title, definition, note, value } = figure;
  return (
    <div class={tileClass(name)} title={`${title}: ${definition}${note === '' ? '' : ` (${note})`}`}>
      <b>
        <ToCalls opens={figure.opens} list={answer.opens}>
          {figureText(figure)}
        </ToCalls>
      </b>
      <div>
        {title}
        <Beside figure={figure} answer={answer} />
      </div>
      <TargetVerdict name={name} value={value} />
      <Before figure={figure} answer={answer} />
    </div>
  );
};

/** What is declared to stand beside a large figure: its share, the other of median and average, and counts that open their calls. */
const Beside = ({ figure: { share, otherStatistic, beside }, answer }: TileProps) => (
  <>
    {share !== undefined && `, ${percentText(share)}`}
    {otherStatistic !== undefined && `; ${otherStatistic.statistic} ${durationText(otherStatistic.value)}`}
    {beside.map((part) =>
      typeof part === 'string' ? (
        part
      ) : (
        <ToCalls key={part.text} opens={part.opens} list={answer.opens}>
          {part.count.toLocaleString('en-GB')} {part.text}
        </ToCalls>
      ),
    )}
  </>
);

/** The same figure of the weeks before, and how it has changed. */
const Before = ({ figure: { name, unit }, answer }: TileProps) => {
  const { timeZone } = useView();
  const { weeks, upTo, opens: list, figures } = answer.weeksBefore;
  const before = figureOf(figures, name);
  if (before === undefined) return null;
  const { change, note } = before;
  return (
    <div class="faint" title={note}>
      {change !== undefined && (
        <>
          <Change change={change} unit={unit} /> {change.by === 0 ? 'as' : 'than'}{' '}
        </>
      )}
      {weeksText(weeks)}
      {upTo !== undefined && ` until ${minuteText(upTo, timeZone)}`}:{' '}
      <ToCalls opens={before.opens} list={list}>
        {figureText(before)}
      </ToCalls>
    </div>
  );
};

/** The states after the two that have words of their own in the tile. */
const otherStates = keysOf(missedStates).filter((state) => state !== 'open' && state !== 'returned');

/** How many missed calls nobody has returned yet, and how soon the others were: each number opens its calls. */
const MissedTile = ({ answer }: Pick<TileProps, 'answer'>) => {
  const { opens: list } = answer;
  const live = useLive('waiting', { ...list, counted: 'missed' });
  // With each answer of the day, so that both come from the same reading of the calls.
  useEffect(() => {
    if (live.value !== undefined) live.refresh();
  }, [answer]);
  // Empty, it has its room.
  if (live.value === undefined)
    return <div class="tile whole">{live.problem !== undefined && <Loading live={live} what="Missed calls" />}</div>;
  const { counts, missed, returnedAfterSeconds } = live.value;
  const opening = (count: number, state?: MissedState) => (
    <ToCalls opens={count === 0 ? undefined : { count, filters: missedFilters(state) }} list={list}>
      {count.toLocaleString('en-GB')}
    </ToCalls>
  );
  const inState = (state: MissedState) => opening(counts[state], state);
  const meaning = `Still open: within a day after the missed call ${missedStates.open.meaning}, by the contract’s rule.`;
  return (
    <div class="tile whole" title={meaning}>
      <b>{inState('open')}</b>
      <div>
        still open, of {opening(missed)} missed; {inState('returned')} called back
        {returnedAfterSeconds !== undefined && `, half of them within ${durationText(returnedAfterSeconds)}`}
        {otherStates.map(
          (state) =>
            counts[state] > 0 && (
              <>
                ; {inState(state)} {missedStates[state].text}
              </>
            ),
        )}
      </div>
    </div>
  );
};
