import { isMissed } from '../../../lib/contract/rules.ts';
import { isOneDay } from '../../../lib/core/time.ts';
import { wordText } from '../../../lib/telephony/vocabularies.ts';
import { type CallFilters, callFilters, filtersIn } from '../../calls/call-filters.ts';
import type { Answers } from '../api.ts';
import type { ShownCall } from '../calls.ts';
import { replaceQuery, useView } from './address.ts';
import { Choice, NumberInput, useTyped } from './fields.tsx';
import type { Address } from './hash.ts';
import { SaveFilters } from './saved-filters.tsx';
import { DayInput } from './when.tsx';
import { hidden, timeText } from './words.ts';

/** A link may have blanks around a text, or nothing. */
export const filtersOf = ({ query }: Address): CallFilters =>
  filtersIn(
    Object.fromEntries(
      Object.entries(query).flatMap(([name, text]) => (text.trim() === '' ? [] : [[name, text.trim()]])),
    ),
  );

type Order = readonly [text: string, by: (call: ShownCall) => string | number | undefined];

const orders: Readonly<Record<string, Order>> = {
  oldest: ['oldest first', ({ listedAt }) => listedAt],
  longest: ['longest first', ({ callDurationSeconds }) => callDurationSeconds && -callDurationSeconds],
  answer: ['slowest answer first', ({ timeToAnswerSeconds }) => timeToAnswerSeconds && -timeToAnswerSeconds],
  talk: ['longest talk first', ({ durationSeconds }) => durationSeconds && -durationSeconds],
  status: ['by status', (call) => (isMissed(call) ? 'missed' : call.status)],
  agent: ['by agent', ({ agentIds }) => agentIds?.join(', ')],
  skill: ['by skill', ({ skillName }) => skillName],
  disposition: ['by disposition', ({ dispositions }) => dispositions?.join(', ')],
};

/** The calls in the order that the address asks for: the newest first if it names none. Calls without a value come last. */
export const sorted = (calls: readonly ShownCall[], { query: { sort = '' } }: Address): readonly ShownCall[] => {
  const by = Object.hasOwn(orders, sort) ? orders[sort]?.[1] : undefined;
  if (by === undefined) return calls;
  return calls.toSorted((one, other) => {
    const a = by(one);
    const b = by(other);
    if (a === b) return 0;
    if (a === undefined || b === undefined) return a === undefined ? 1 : -1;
    return a < b ? -1 : 1;
  });
};

interface FiltersProps {
  readonly range: Pick<Answers['calls'], 'days' | 'from' | 'to'> | undefined;
  readonly calls: readonly ShownCall[];
}

export const Filters = ({ range, calls }: FiltersProps) => {
  const { address, isPersonal } = useView();
  const { query } = address;
  const fields = Object.entries(callFilters).filter(([, filter]) => isPersonal || filter.isPersonal !== true);
  const sorts = Object.entries(orders).map(([name, [text]]) => [name, text] as const);
  return (
    <div class="filters">
      <Range range={range} />
      {fields.map(([name, { label, words, isRare }]) => {
        if (words === undefined || (isRare && query[name] === undefined)) return null;
        const options = words.map((word) => [word, wordText(word)] as const);
        return (
          <Choice key={name} name={name} label={label} options={[['', `every ${label.toLowerCase()}`], ...options]} />
        );
      })}
      <Choice name="sort" label="Sort" options={[['', 'newest first'], ...sorts]} />
      {fields.map(
        ([name, { label, isSeconds }]) =>
          isSeconds && (
            <NumberInput
              key={name}
              {...{ before: label, after: 's', min: 0, max: 3_600 }}
              value={query[name] ?? ''}
              onPick={(seconds) => replaceQuery(address, { [name]: seconds })}
            />
          ),
      )}
      {fields.map(
        ([name, { label, textsOf }]) =>
          textsOf && <TextFilter key={name} {...{ name, label }} words={calls.flatMap(textsOf)} />,
      )}
      <SaveFilters query={{ ...filtersOf(address), sort: query['sort'] }} />
    </div>
  );
};

interface TextFilterProps {
  readonly name: string;
  readonly label: string;
  /** What the calls of the list have for it is offered. */
  readonly words: readonly (string | undefined)[];
}

const TextFilter = ({ name, label, words }: TextFilterProps) => {
  const { address } = useView();
  return (
    <>
      <input
        type="search"
        {...(name === 'agent' && { id: 'search' })}
        list={`${name}-words`}
        placeholder={label}
        aria-label={label}
        {...useTyped(address.query[name] ?? '')}
        onChange={({ currentTarget }) => replaceQuery(address, { [name]: currentTarget.value.trim() })}
      />
      <datalist id={`${name}-words`}>
        {[...new Set(words)].sort().map((word) => word && word !== hidden && <option key={word} value={word} />)}
      </datalist>
    </>
  );
};

/** The day, and which part of it where that is not the whole; or from when to when, where it is not one day. */
const Range = ({ range }: Pick<FiltersProps, 'range'>) => {
  const { address, timeZone } = useView();
  if (range === undefined || address.query['from'] === undefined) return <DayInput day={range?.days.from} />;
  const { days, from, to } = range;
  const first = timeText(from, timeZone);
  const last = timeText(to, timeZone);
  const whole = (text: string) => (
    <button type="button" onClick={() => replaceQuery(address, { day: days.to, from: undefined, to: undefined })}>
      {text}
    </button>
  );
  if (!isOneDay(days))
    return (
      <span>
        from {days.from} {first} to {days.to} {last} {whole(`Only ${days.to}`)}
      </span>
    );
  return (
    <>
      <DayInput day={days.from} />
      <span>
        from {first} to {last} {whole('Whole day')}
      </span>
    </>
  );
};
