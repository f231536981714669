import { mapValues } from '../../../lib/core/collections.ts';
import { isOneDay } from '../../../lib/core/time.ts';
import { wordText } from '../../../lib/telephony/vocabularies.ts';
import { type CallFilterName, callFilters } from '../../calls/call-filters.ts';
import type { Answers } from '../api.ts';
import type { ShownCall } from '../calls.ts';
import { replaceQuery, useView } from './address.ts';
import { filtersOf } from './call-links.ts';
import { orderOptions } from './call-order.ts';
import { Choice, NumberInput, useTyped } from './fields.tsx';
import { SaveFilters } from './saved-filters.tsx';
import { DayInput } from './when.tsx';
import { hidden, timeText } from './words.ts';

interface FiltersProps {
  readonly range: Pick<Answers['calls'], 'days' | 'from' | 'to'> | undefined;
  readonly calls: readonly ShownCall[];
}

type Field = readonly [name: string, filter: (typeof callFilters)[CallFilterName]];

/** The fields of Calls: the range, then the filters by what they take (a word, seconds, a text), then their name if they are saved. */
export const Filters = ({ range, calls }: FiltersProps) => {
  const { address, isPersonal } = useView();
  const { query } = address;
  const fields = Object.entries(callFilters).filter(
    ([name, { isPersonal: needsPersonal, isHiddenUntilSet }]) =>
      (isPersonal || !needsPersonal) && (query[name] !== undefined || !isHiddenUntilSet),
  );
  const wordFields = fields.filter(([, { words }]) => words !== undefined);
  const secondsFields = fields.filter(([, { isSeconds }]) => isSeconds);
  const textFields = fields.filter(([, { offeredBy }]) => offeredBy !== undefined);
  return (
    <div class="filters">
      <Range range={range} />
      {wordFields.map(([name, filter]) => (
        <WordField key={name} field={[name, filter]} />
      ))}
      <Choice name="sort" label="Sort" options={[['', 'newest first'], ...orderOptions]} />
      {secondsFields.map(([name, filter]) => (
        <SecondsField key={name} field={[name, filter]} />
      ))}
      {textFields.map(([name, filter]) => (
        <TextField key={name} field={[name, filter]} calls={calls} />
      ))}
      {Object.keys(filtersOf(address)).length > 0 && (
        <button
          type="button"
          onClick={() =>
            replaceQuery(
              address,
              mapValues(callFilters, () => undefined),
            )
          }
        >
          Clear filters
        </button>
      )}
      <SaveFilters query={{ ...filtersOf(address), sort: query['sort'] }} />
    </div>
  );
};

interface FieldProps {
  readonly field: Field;
}

const WordField = ({ field: [name, { label, help, words = [], textOf = wordText }] }: FieldProps) => {
  const options = words.map((word) => [word, textOf(word)] as const);
  return (
    <span title={help}>
      {label} <Choice name={name} label={label} options={[['', 'any'], ...options]} />
    </span>
  );
};

const SecondsField = ({ field: [name, { label }] }: FieldProps) => {
  const { address } = useView();
  return (
    <NumberInput
      before={label}
      after="s"
      min={0}
      max={3_600}
      value={address.query[name] ?? ''}
      onPick={(seconds) => replaceQuery(address, { [name]: seconds })}
    />
  );
};

const TextField = ({
  field: [name, { label, shortcut, offeredBy }],
  calls,
}: FieldProps & Pick<FiltersProps, 'calls'>) => {
  const { address } = useView();
  const typed = useTyped(address.query[name] ?? '');
  const shownLabel = shortcut === undefined ? label : `${label} ( ${shortcut} )`;
  const offered = new Set(calls.flatMap((call) => offeredBy?.(call) ?? []));
  offered.delete(hidden);
  return (
    <>
      <input
        type="search"
        // The key / goes to the field with this id.
        id={shortcut === undefined ? undefined : 'search'}
        list={`${name}-words`}
        placeholder={shownLabel}
        aria-label={shownLabel}
        {...typed}
        onChange={({ currentTarget }) => replaceQuery(address, { [name]: currentTarget.value.trim() })}
      />
      <datalist id={`${name}-words`}>
        {[...offered].sort().map((word) => (
          <option key={word} value={word} />
        ))}
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
