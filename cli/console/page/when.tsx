import { addDays, instantOf } from '../../../lib/core/time.ts';
import { hashOf, replaceQuery } from './address.ts';
import { DateInput } from './fields.tsx';
import { serverNow } from './live.ts';
import { useView } from './view.ts';
import { dayText, timeText } from './words.ts';

/** Views that can show a moment in the past, and those that cannot. A call is what is known of it now. */
const [viewsWithPast, viewsOfDays, viewsOfNow] = [
  ['floor', 'calls', 'agent', 'day'],
  ['agent', 'day'],
  ['events', 'health'],
];

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
