import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { isOneDay, justBefore, periodText } from '../../../lib/core/time.ts';
import { wordText } from '../../../lib/telephony/vocabularies.ts';
import type { CallFilters } from '../../calls/call-filters.ts';
import type { Answers } from '../api.ts';
import type { ShownFigure } from '../day.ts';
import { useView } from './address.ts';
import type { PageQuery } from './hash.ts';
import { useLive } from './live.ts';
import { Link, Loading } from './parts.tsx';
import { capitalised, counted, durationText, timeText } from './words.ts';

export type DayAnswer = Exclude<Answers['day'], { readonly tooMany: unknown }>;

export const figureOf = <Figure extends ShownFigure>(figures: readonly Figure[], name: string): Figure | undefined =>
  figures.find((figure) => figure.name === name);

const percent = (share: number): string => `${Math.round(share * 100)} %`;

export const figureText = ({ value, unit }: ShownFigure, timeOf = durationText): string => {
  if (value === undefined) return '–';
  if (unit === 'seconds') return timeOf(value);
  return unit === 'share' ? percent(value) : value.toLocaleString('en-GB');
};

const otherStatistic = (name: string): 'Average' | 'Median' | undefined => {
  if (name.includes('Median')) return 'Average';
  return name.includes('Average') ? 'Median' : undefined;
};

/** What stands beside a figure: the share of calls that were answered or missed; a median and average beside each other. */
export const besideOf = (
  { name, share }: ShownFigure,
  figures: readonly ShownFigure[],
  timeOf = durationText,
): string | undefined => {
  if (share !== undefined) return percent(share);
  const other = otherStatistic(name);
  const seconds = other && figureOf(figures, name.replace(/Median|Average/, other))?.value;
  return seconds === undefined ? undefined : timeOf(Math.round(seconds));
};

interface ToCallsProps {
  readonly opens: ShownFigure['opens'];
  /** The list to which the calls belong; without it the number is no link. */
  readonly list: PageQuery | undefined;
  readonly children: ComponentChildren;
}

export const ToCalls = ({ opens, list, children }: ToCallsProps) =>
  opens === undefined || list === undefined ? (
    children
  ) : (
    <Link view="calls" query={{ ...list, ...opens.filters }} title={`Show ${counted(opens.count, 'call')}`}>
      {children}
    </Link>
  );

interface TileProps {
  readonly figure: DayAnswer['figures'][number];
  readonly answer: DayAnswer;
}

/** The large figures of a day or a period, each beside the same weekdays before, and the missed calls that are still open. */
export const Tiles = ({ answer }: Pick<TileProps, 'answer'>) => {
  const { figures, largest, weeksBefore } = answer;
  const tiles = largest.flatMap((name) => figureOf(figures, name) ?? []);
  return (
    <>
      <div class="tiles">
        {tiles.map((figure) => (
          <Tile key={figure.name} {...{ figure, answer }} />
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
        <Beside {...{ figure, answer }} />
      </div>
      {hasBefore(answer) && <Before {...{ figure, answer }} />}
    </div>
  );
};

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

/** What belongs to a figure: the slow calls to the service level, and the calls to the share that was abandoned. */
const Beside = ({ figure, answer }: TileProps) => {
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

const openMeaning = 'within a day after the missed call nobody has spoken with the customer';
const otherStates = ['rang-again', 'continued', 'no-number', 'shared-number', 'erased'] as const;

/** How many missed calls nobody has returned yet, and how soon the others were: each number opens its calls. */
const MissedTile = ({ answer }: Pick<TileProps, 'answer'>) => {
  const { from, to, start, end } = answer;
  const part = from === to ? { day: to } : { from: start, to: justBefore(end) };
  const live = useLive('waiting', { ...part, counted: 'missed' });
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
  const { counts, returnedAfterSeconds } = live.value;
  const opening = (count: number, filters: CallFilters) => (
    <ToCalls opens={count === 0 ? undefined : { count, filters: { counted: 'missed', ...filters } }} list={part}>
      {count.toLocaleString('en-GB')}
    </ToCalls>
  );
  const missed = Object.values(counts).reduce((sum, count) => sum + count, 0);
  return (
    <div class="tile" style={{ gridColumn: '1 / -1' }} title={`Still open: ${openMeaning}, by the contract’s rule.`}>
      <b>{opening(counts.open, { state: 'open' })}</b>
      <div>
        still open, of {opening(missed, {})} missed; {opening(counts.returned, { state: 'returned' })} called back
        {returnedAfterSeconds !== undefined && `, half of them within ${durationText(returnedAfterSeconds)}`}
        {otherStates.map(
          (state) =>
            counts[state] > 0 && (
              <>
                ; {opening(counts[state], { state })} {wordText(state)}
              </>
            ),
        )}
      </div>
    </div>
  );
};
