import { useEffect } from 'preact/hooks';
import { missedStates } from '../../../lib/contract/rules.ts';
import { keysOf } from '../../../lib/core/collections.ts';
import { isOneDay, periodText } from '../../../lib/core/time.ts';
import type { CallFilters } from '../../calls/call-filters.ts';
import { useView } from './address.ts';
import { type DayAnswer, figureOf, figureText, ToCalls } from './figures.tsx';
import { useLive } from './live.ts';
import { Loading } from './parts.tsx';
import { capitalised, durationText, percentText, timeText } from './words.ts';

type LargeFigure = DayAnswer['figures'][number];

interface TileProps {
  readonly figure: LargeFigure;
  readonly answer: DayAnswer;
}

/** The large figures of a day or a period, each beside the same weekdays before, and what became of the missed calls. */
export const Tiles = ({ answer }: Pick<TileProps, 'answer'>) => {
  const { figures, largest, weeksBefore } = answer;
  const tiles = largest.flatMap((name) => figureOf(figures, name) ?? []);
  return (
    <>
      <div class="tiles">
        {tiles.map((figure) => (
          <Tile key={figure.name} figure={figure} answer={answer} />
        ))}
        <MissedTile answer={answer} />
      </div>
      {!hasBefore(answer) && (
        <p class="faint">
          {capitalised(beforeText(answer))}, {isOneDay(weeksBefore) ? 'on' : 'from'} {periodText(weeksBefore)},{' '}
          {weeksBefore.figures === undefined ? 'there are too many calls' : 'no call is stored'} to compare with.
        </p>
      )}
    </>
  );
};

const beforeText = ({ weeksBefore: { weeks } }: DayAnswer): string =>
  weeks === 1 ? 'a week before' : `${weeks} weeks before`;

const hasBefore = ({ weeksBefore: { figures = [] } }: DayAnswer): boolean =>
  (figureOf(figures, 'calls')?.value ?? 0) > 0;

const Tile = ({ figure, answer }: TileProps) => {
  const { title, definition, note } = figure;
  return (
    <div class="tile" title={`${title}: ${definition}${note === '' ? '' : ` (${note})`}`}>
      <b>
        <ToCalls opens={figure.opens} list={answer.opens}>
          {figureText(figure)}
        </ToCalls>
      </b>
      <div>
        {title}
        <Beside figure={figure} answer={answer} />
      </div>
      {hasBefore(answer) && <Before figure={figure} answer={answer} />}
    </div>
  );
};

/** What is declared to stand beside a large figure: its share, the other of median and average, and counts that open their calls. */
const Beside = ({ figure: { share, pair, beside }, answer }: TileProps) => (
  <>
    {share !== undefined && `, ${percentText(share)}`}
    {pair !== undefined && `; ${pair.statistic} ${durationText(pair.value)}`}
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

const Before = ({ figure: { name }, answer }: TileProps) => {
  const { timeZone } = useView();
  const { weeksBefore } = answer;
  const { figures = [], upTo, opens: list } = weeksBefore;
  const figure = figureOf(figures, name);
  if (figure === undefined) return null;
  const until = upTo === undefined ? '' : ` up to ${timeText(upTo, timeZone)}`;
  return (
    <div class="faint" title={`${periodText(weeksBefore)}${until}. ${figure.note}`}>
      {beforeText(answer)}
      {until !== '' && ', by this time'}:{' '}
      <ToCalls opens={figure.opens} list={list}>
        {figureText(figure)}
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
  if (live.value === undefined)
    return (
      <div class="tile" style={{ gridColumn: '1 / -1' }}>
        <Loading live={live} what="Missed calls" />
      </div>
    );
  const { counts, missed, returnedAfterSeconds } = live.value;
  const opening = (count: number, filters: CallFilters) => (
    <ToCalls opens={count === 0 ? undefined : { count, filters: { counted: 'missed', ...filters } }} list={list}>
      {count.toLocaleString('en-GB')}
    </ToCalls>
  );
  const meaning = `Still open: within a day after the missed call ${missedStates.open.meaning}, by the contract’s rule.`;
  return (
    <div class="tile" style={{ gridColumn: '1 / -1' }} title={meaning}>
      <b>{opening(counts.open, { state: 'open' })}</b>
      <div>
        still open, of {opening(missed, {})} missed; {opening(counts.returned, { state: 'returned' })} called back
        {returnedAfterSeconds !== undefined && `, half of them within ${durationText(returnedAfterSeconds)}`}
        {otherStates.map(
          (state) =>
            counts[state] > 0 && (
              <>
                ; {opening(counts[state], { state })} {missedStates[state].text}
              </>
            ),
        )}
      </div>
    </div>
  );
};
