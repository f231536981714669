import { useRef, useState } from 'preact/hooks';
import { addDays, instantOf } from '../../../lib/core/time.ts';
import { type Address, hashOf } from './live.ts';
import { dayText, timeText } from './words.ts';

/** Views that can show a moment in the past, and those that cannot. A call is what is known of it now. */
const [viewsWithPast, viewsOfDays, viewsOfNow] = [
  ['floor', 'calls', 'agent', 'day'],
  ['agent', 'day'],
  ['events', 'health'],
];

/** The one place where time is chosen: now, or a moment. */
export const Moment = ({
  address: { view, id, query },
  timeZone,
}: {
  readonly address: Address;
  readonly timeZone: string;
}) => {
  const { at } = query;
  const go = (moment: string | undefined) => {
    location.hash = hashOf(view, id, { ...query, at: moment, day: undefined });
  };
  const choose = (typed: string) => {
    // The field leaves out seconds that are 0.
    const moment = instantOf(typed.length > 16 ? typed : `${typed}:00`, timeZone);
    if (moment !== undefined) go(moment.at);
  };
  if (at === undefined) {
    return viewsWithPast.includes(view) ? (
      <span>
        Now, or <DateInput type="datetime-local" label={`A moment, in ${timeZone}`} value="" onDate={choose} />
      </span>
    ) : null;
  }
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

/** The field for a view's day, and buttons for the days beside it. */
export const DayInput = ({
  day,
  today,
  onDay,
}: {
  /** The day that is shown; empty while it is not known. */
  readonly day: string;
  readonly today: string;
  readonly onDay: (day: string) => void;
}) => (
  <span class="days">
    <button type="button" aria-label="The day before" disabled={day === ''} onClick={() => onDay(addDays(day, -1))}>
      ‹
    </button>
    <DateInput type="date" label="Day" value={day} onDate={onDay} />
    <button
      type="button"
      aria-label="The day after"
      disabled={day === '' || day >= today}
      onClick={() => onDay(addDays(day, 1))}
    >
      ›
    </button>
  </span>
);

const typing = /^(?:\d|ArrowUp|ArrowDown|Backspace|Delete)$/;

/**
 * A field for a day or a moment. A day that is chosen in the calendar counts at once. A moment, and what is typed, counts at
 * Enter or when the field is left: until then each digit makes another one, and some views read much for each.
 */
export const DateInput = ({
  type,
  label,
  value,
  onDate,
}: {
  readonly type: 'date' | 'datetime-local';
  readonly label: string;
  readonly value: string;
  readonly onDate: (typed: string) => void;
}) => {
  const [draft, setDraft] = useState<string>();
  const isTyped = useRef(false);
  const done = ({ value: chosen, validity }: HTMLInputElement) => {
    isTyped.current = false;
    setDraft(undefined);
    if (chosen !== value && validity.valid) onDate(chosen);
  };
  return (
    <input
      type={type}
      aria-label={label}
      title="Enter shows it"
      value={draft ?? value}
      max={type === 'date' ? '9999-12-31' : '9999-12-31T23:59'}
      onKeyDown={({ key, currentTarget }) => {
        // Esc leaves the field, with what it had before.
        if (key === 'Escape') currentTarget.value = value;
        if (key === 'Enter') done(currentTarget);
        else isTyped.current ||= typing.test(key);
      }}
      onInput={({ currentTarget }) => setDraft(currentTarget.value)}
      onChange={({ currentTarget }) => type === 'date' && !isTyped.current && done(currentTarget)}
      onBlur={({ currentTarget }) => done(currentTarget)}
    />
  );
};
