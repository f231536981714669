import { addDays, instantOf } from '../../../lib/core/time.ts';
import { replaceQuery, useView } from './address.ts';
import { DateInput, Select } from './fields.tsx';
import { hashOf, type PageQuery } from './hash.ts';
import { serverNow } from './live.ts';
import { dayText, timeText } from './words.ts';

/** Views that can show a moment in the past, and those that cannot. A call is what is known of it now. */
const viewsWithPast = ['floor', 'calls', 'agent', 'day'];
const viewsOfDays = ['agent', 'day'];
const viewsOfNow = ['events', 'health'];

/** A day, or a part of it, that another one replaces. */
const noDay = { day: undefined, from: undefined, to: undefined };

export const Moment = () => {
  const { timeZone, at, address } = useView();
  const { view, id, query } = address;
  const go = (moment: string | undefined) => {
    location.hash = hashOf(view, id, { ...query, at: moment, ...noDay });
  };
  const choose = (typed: string) => {
    // The field leaves out seconds that are 0.
    const moment = instantOf(typed.length > 16 ? typed : `${typed}:00`, timeZone);
    if (moment !== undefined) go(moment.at);
  };
  if (at === undefined)
    return viewsWithPast.includes(view) ? (
      <span class="now">
        Now, or <DateInput type="datetime-local" label={`A moment, in ${timeZone}`} value="" onDate={choose} />
      </span>
    ) : null;
  if (view === 'call') return null;
  return (
    <span class="past" role="status">
      {viewsOfNow.includes(view)
        ? 'This view has no past: it shows now'
        : viewsOfDays.includes(view)
          ? `All of ${dayText(at, timeZone)}: this view shows whole days`
          : `As it was on ${dayText(at, timeZone)} at ${timeText(at, timeZone)}`}{' '}
      <button type="button" onClick={() => go(undefined)}>
        Back to now
      </button>
    </span>
  );
};

/** The field for a view's day, and buttons for the days beside it. Until an answer has the day, the address may name it. */
export const DayInput = ({ day: answered }: { readonly day: string | undefined }) => {
  const { address, timeZone } = useView();
  const { day: asked = '' } = address.query;
  const day = answered ?? (/^\d{4}-\d\d-\d\d$/.test(asked) ? asked : '');
  const show = (chosen: string) => replaceQuery(address, { ...noDay, day: chosen, at: undefined });
  const beside = (label: string, sign: string, days: 1 | -1, isNone = day === '') => (
    <button type="button" aria-label={label} disabled={isNone} onClick={() => show(addDays(day, days))}>
      {sign}
    </button>
  );
  return (
    <span class="days">
      {beside('The day before', '‹', -1)}
      <DateInput type="date" label="Day" value={day} onDate={show} />
      {beside('The day after', '›', 1, day === '' || day >= dayText(serverNow(), timeZone))}
    </span>
  );
};

type Period = readonly [from: string, to: string];

const firstOfMonth = (date: string): string => `${date.slice(0, 7)}-01`;

/** Weeks begin on Monday, as ISO 8601 has it. */
const mondayBefore = (date: string): string => addDays(date, -((new Date(date).getUTCDay() + 6) % 7));

/** What is asked for most, by one click. */
const quickPeriods = (today: string): Readonly<Record<string, Period>> => {
  const monday = mondayBefore(today);
  return { 'This week': [monday, today], 'Last week': [addDays(monday, -7), addDays(monday, -1)] };
};

/** Further periods by their names; any other is chosen by its first and last day. */
const periodsAt = (today: string): Readonly<Record<string, Period>> => {
  const endOfLast = addDays(firstOfMonth(today), -1);
  return {
    'Last 7 days': [addDays(today, -6), today],
    'This month': [firstOfMonth(today), today],
    'Last month': [firstOfMonth(endOfLast), endOfLast],
  };
};

const oneDay = 'Day';
const otherPeriod = 'From – to';

interface WhenProps {
  /** The days of the answer; until there is one, the address may name them. */
  readonly shown: { readonly from: string; readonly to: string } | undefined;
}

/** Which day, or which period: the address holds its first and last day, so that it means the same tomorrow. */
export const DayOrPeriod = ({ shown }: WhenProps) => {
  const { address, timeZone } = useView();
  const today = dayText(serverNow(), timeZone);
  const periods = periodsAt(today);
  const isPeriod = address.query['from'] !== undefined;
  const from = shown?.from ?? address.query['from'] ?? today;
  const to = shown?.to ?? address.query['to'] ?? today;
  const named = Object.entries(periods).find(([, [first, last]]) => first === from && last === to)?.[0];
  const show = (changes: PageQuery) => replaceQuery(address, { day: undefined, at: undefined, ...changes });
  const showDay = (day: string | undefined) => {
    const { by } = address.query;
    show({ day, from: undefined, to: undefined, by: by === 'day' ? undefined : by });
  };
  const pick = (name: string) => {
    const [first, last] = periods[name] ?? [isPeriod ? from : addDays(to, -6), to];
    if (name === oneDay) showDay(to);
    else show({ from: first, to: last });
  };
  const quick = (name: string, isShown: boolean, onClick: () => void) => (
    <button key={name} type="button" aria-pressed={isShown} onClick={onClick}>
      {name}
    </button>
  );
  const yesterday = addDays(today, -1);
  const options = [oneDay, ...Object.keys(periods), otherPeriod];
  return (
    <>
      <span class="days quick">
        {quick('Today', !isPeriod && to === today, () => showDay(undefined))}
        {quick('Yesterday', !isPeriod && to === yesterday, () => showDay(yesterday))}
        {Object.entries(quickPeriods(today)).map(([name, [first, last]]) =>
          quick(name, isPeriod && from === first && to === last, () => show({ from: first, to: last })),
        )}
      </span>
      <Select
        label="Day or period"
        value={isPeriod ? (named ?? otherPeriod) : oneDay}
        options={options}
        onPick={pick}
      />
      {isPeriod ? (
        <span class="days">
          <DateInput
            type="date"
            label="From"
            value={from}
            onDate={(first) => show({ from: first, to: first > to ? first : to })}
          />{' '}
          to{' '}
          <DateInput
            type="date"
            label="To"
            value={to}
            onDate={(last) => show({ from: last < from ? last : from, to: last })}
          />
        </span>
      ) : (
        <DayInput day={shown?.to} />
      )}
    </>
  );
};
