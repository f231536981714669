import { addDays } from '../../../lib/core/time.ts';
import type { Answers } from '../api.ts';
import { type Query, replaceQuery } from './address.ts';
import { DateInput, Select } from './fields.tsx';
import { serverNow } from './live.ts';
import { Copy } from './parts.tsx';
import { useView } from './view.ts';
import { DayInput } from './when.tsx';
import { dayText } from './words.ts';

type Period = readonly [from: string, to: string];

/** The periods that are asked for most, by their names; any other is chosen by its first and last day. */
const periodsAt = (today: string): Readonly<Record<string, Period>> => {
  const firstOf = (date: string) => `${date.slice(0, 7)}-01`;
  const endOfLast = addDays(firstOf(today), -1);
  return {
    'Last 7 days': [addDays(today, -6), today],
    'This month': [firstOf(today), today],
    'Last month': [firstOf(endOfLast), endOfLast],
  };
};

const [oneDay, otherPeriod] = ['Day', 'From – to'];

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
  const [from, to] = [shown?.from ?? address.query['from'] ?? today, shown?.to ?? address.query['to'] ?? today];
  const named = Object.entries(periods).find(([, [first, last]]) => first === from && last === to)?.[0];
  const show = (changes: Query) => replaceQuery(address, { day: undefined, at: undefined, ...changes });
  const pick = (name: string) => {
    const [first, last] = periods[name] ?? [isPeriod ? from : addDays(to, -6), to];
    const { by } = address.query;
    if (name === oneDay) show({ day: to, from: undefined, to: undefined, by: by === 'day' ? undefined : by });
    else show({ from: first, to: last });
  };
  const options = [oneDay, ...Object.keys(periods), otherPeriod];
  return (
    <>
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

type TooManyAnswer = Extract<Answers['day'], { readonly tooMany: unknown }>;

export const TooMany = ({ tooMany: { text, command } }: Pick<TooManyAnswer, 'tooMany'>) => (
  <div class="empty" role="status">
    <p>{text}</p>
    <Copy text={command} label="the command" />
  </div>
);
