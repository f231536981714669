import { Fragment } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { isMissed } from '../../../lib/contract/rules.ts';
import { wordText } from '../../../lib/telephony/vocabularies.ts';
import { type CallFilters, callFilters, filterOptions, filtersIn } from '../../call-filters.ts';
import type { Answers } from '../api.ts';
import type { ShownCall } from '../calls.ts';
import { type Address, dayAsked, replaceQuery, searchOf } from './address.ts';
import { CallTable } from './call-table.tsx';
import { QuartersChart } from './chart.tsx';
import { useLive } from './live.ts';
import { Choice, Empty, Loading, NumberInput } from './parts.tsx';
import { SaveFilters } from './saved-filters.tsx';
import { useView, type View } from './view.ts';
import { Waiting } from './waiting.tsx';
import { DayInput } from './when.tsx';
import { commandOf, counted, dayText, hidden, timeText } from './words.ts';

const [refreshSeconds, quartersSeconds] = [5, 60];
const maxRows = 1_000;

type CallsAnswer = Answers['calls'];

interface Rows {
  readonly search: string;
  /** The day of the calls: “today” becomes another one at midnight. */
  readonly day: string;
  readonly shown: readonly ShownCall[];
  readonly next: string | undefined;
}

/** What is new waits, so that nothing moves under somebody who reads; what changed is shown at once. */
const withAnswer = (rows: Rows | undefined, search: string, { calls, next, day }: CallsAnswer): Rows => {
  if (rows === undefined || rows.search !== search || rows.day !== day || rows.shown.length === 0)
    return { search, day, shown: calls, next };
  const latest = new Map(calls.map((call) => [call.callId, call]));
  return { ...rows, shown: rows.shown.map((call) => latest.get(call.callId) ?? call) };
};

/** Whether what is read beside the list has come: its row, and what became of a missed call. */
const isRead = (call: ShownCall): boolean =>
  call.recordings !== undefined && (call.missed !== undefined || !isMissed(call));

const newIn = ({ calls }: CallsAnswer, { shown, next }: Rows): number => {
  const known = new Set(shown.map(({ callId }) => callId));
  // Of a list that is shown to its end, a long call that began before all others is new too.
  const oldest = next === undefined ? '' : (shown.at(-1)?.listedAt ?? '');
  return calls.filter(({ callId, listedAt }) => !known.has(callId) && listedAt >= oldest).length;
};

/** A link may have blanks around a text, or nothing. */
const filtersOf = ({ query }: Address): CallFilters =>
  filtersIn(
    Object.fromEntries(
      Object.entries(query).flatMap(([name, text]) => (text.trim() === '' ? [] : [[name, text.trim()]])),
    ),
  );

/** What the page asks of the console where it is. */
const askedIn = ({ address, at, timeZone }: View) => {
  const { from, to } = address.query;
  const filters = filtersOf(address);
  const day = dayAsked(address, timeZone);
  // A list of one agent or customer is short, and shown whole.
  const hasChart = (filters.agent ?? filters.customer) === undefined;
  return {
    filters,
    query: { ...(from === undefined ? { day } : { from, to }), ...filters, at },
    quartersQuery: hasChart ? { day, from, to: to ?? at, ...filters } : undefined,
  };
};

export const CallsView = () => {
  const view = useView();
  const { account, address, at } = view;
  const { filters, query, quartersQuery } = askedIn(view);
  const search = searchOf({ account, ...query });
  const { value: quarters } = useLive(quartersQuery && 'quarters', quartersQuery, quartersSeconds);
  const [rows, setRows] = useState<Rows>();
  const current = rows?.search === search ? rows : undefined;
  const { shown = [], next } = current ?? {};
  // Up to a moment nothing comes any more but what was not read yet.
  const isSettled = at !== undefined && shown.every(isRead);
  const live = useLive('calls', query, current !== undefined && isSettled ? undefined : refreshSeconds);
  const [wanted, setWanted] = useState({ search, cursor: '' });
  const cursor = wanted.search === search ? wanted.cursor : '';
  const older = useLive(cursor === '' ? undefined : 'calls', { ...query, cursor });
  const { value } = live;
  useEffect(() => {
    if (value !== undefined) setRows((was) => withAnswer(was, search, value));
  }, [value]);
  useEffect(() => {
    const { value: read } = older;
    if (read === undefined) return;
    // Meanwhile the list may have begun anew.
    setRows((was) =>
      was?.search === search && was.next === cursor
        ? { ...was, shown: [...was.shown, ...read.calls], next: read.next }
        : was,
    );
    setWanted({ search, cursor: '' });
  }, [older.value]);
  return (
    <>
      <h1 class="hidden">Calls</h1>
      <Loading live={live} what="The list of calls" />
      {quartersQuery !== undefined && <Quarters answer={quarters} filters={filters} />}
      <Filters day={value?.day} calls={shown} />
      {value !== undefined && current !== undefined && (
        <NewCalls
          count={newIn(value, current)}
          answer={value}
          onShow={() => setRows(withAnswer(undefined, search, value))}
        />
      )}
      <p class="faint">
        <span role="status">
          {current !== undefined && <Count shown={shown} isWhole={next === undefined} count={quarters?.count} />}
        </span>{' '}
        <a href={`console/api/calls-csv?${search}`} download title={csvTitle}>
          Download all as CSV
        </a>
      </p>
      <Waiting query={query} filters={filters} range={rangeOptions(view, value)} />
      {shown.length > 0 && <CallTable calls={sorted(shown, address)} />}
      {current !== undefined && shown.length === 0 && <Empty>{nothingText(view, next === undefined)}</Empty>}
      <Loading live={older} what="Older calls" />
      {next !== undefined && <OlderCalls count={shown.length} onShow={() => setWanted({ search, cursor: next })} />}
      <p class="faint">
        The same in a terminal: <code class="command">{callsCommand(view, value)}</code>
      </p>
    </>
  );
};

interface CountProps {
  readonly shown: readonly ShownCall[];
  readonly isWhole: boolean;
  readonly count: number | undefined;
}

/** How many calls the list has. Where it is not shown to its end, they were counted with the quarters of an hour. */
const Count = ({ shown, isWhole, count = 0 }: CountProps) => {
  const ofAll = isWhole || count <= shown.length ? '' : `${shown.length.toLocaleString('en-GB')} of `;
  return (
    <>
      {!isWhole && 'The newest '}
      {ofAll}
      {counted(ofAll === '' ? shown.length : count, 'call')}, {shown.filter(isMissed).length} missed
    </>
  );
};

const csvTitle =
  'Every call of this day that fits the filters, with times in UTC. Import callId, customerNumber and agentIds as text: spreadsheets round long numbers, and drop a 0 in front.';

interface QuartersProps {
  readonly answer: Answers['quarters'] | undefined;
  readonly filters: CallFilters;
}

const Quarters = ({ answer, filters }: QuartersProps) => {
  const { at } = useView();
  if (answer === undefined) return <div class="chart" />;
  // Calls that count in one figure need not count in another one.
  const listedBy = (counted: string) => (filters.counted === undefined ? { ...filters, counted } : undefined);
  return <QuartersChart {...answer} at={at} listedBy={listedBy} />;
};

interface NewCallsProps {
  readonly count: number;
  readonly answer: CallsAnswer;
  readonly onShow: () => void;
}

/** Shows the newest calls, and the list begins anew: “Older calls” reads the rest. */
const NewCalls = ({ count, answer: { calls, next }, onShow }: NewCallsProps) =>
  count > 0 && (
    <button type="button" class="new" onClick={onShow}>
      {count === calls.length && next !== undefined && 'more than '}
      {count} new
    </button>
  );

const OlderCalls = ({ count, onShow }: { readonly count: number; readonly onShow: () => void }) =>
  count < maxRows ? (
    <button type="button" onClick={onShow}>
      {count === 0 ? 'Search further back' : 'Older calls'}
    </button>
  ) : (
    <p class="faint">More than {maxRows} calls: choose a moment or a filter to see others.</p>
  );

const rangeOptions = ({ at, address }: View, { day = 'today', from = '', to = '' }: Partial<CallsAnswer> = {}) =>
  (at ?? address.query['from']) === undefined ? ['--day', day] : ['--from', from, '--to', to];

const callsCommand = (view: View, answer: CallsAnswer | undefined): string =>
  commandOf(
    view,
    'calls',
    ...rangeOptions(view, answer),
    '--account',
    view.account,
    ...filterOptions(filtersOf(view.address)),
  );

const nothingText = ({ address, isSandbox, at }: View, isWhole: boolean): string => {
  if (Object.keys(filtersOf(address)).length > 0)
    return isWhole ? 'No call of this day fits the filters.' : 'None of the calls read so far fits the filters.';
  const when = at === undefined ? 'yet on this day' : 'up to this moment on this day';
  return `No calls ${when}. ${isSandbox ? '“Sandbox” below posts one.' : 'The service posts one when it is over.'}`;
};

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
const sorted = (calls: readonly ShownCall[], { query: { sort = '' } }: Address): readonly ShownCall[] => {
  const by = Object.hasOwn(orders, sort) ? orders[sort]?.[1] : undefined;
  if (by === undefined) return calls;
  return calls.toSorted((one, other) => {
    const [a, b] = [by(one), by(other)];
    if (a === b) return 0;
    if (a === undefined || b === undefined) return a === undefined ? 1 : -1;
    return a < b ? -1 : 1;
  });
};

const PartOfDay = () => {
  const { address, timeZone } = useView();
  const { from, to } = address.query;
  if (from === undefined) return null;
  return (
    <span>
      from {timeText(from, timeZone)}
      {to !== undefined && ` to ${timeText(to, timeZone)}`}{' '}
      <button type="button" onClick={() => replaceQuery(address, { day: dayText(from, timeZone), ...noPart })}>
        Whole day
      </button>
    </span>
  );
};

const noPart = { from: undefined, to: undefined };
const longestSeconds = 3_600;

const Filters = ({ day, calls }: { readonly day: string | undefined; readonly calls: readonly ShownCall[] }) => {
  const { address, isPersonal } = useView();
  const fields = Object.entries(callFilters).filter(([, filter]) => isPersonal || filter.isPersonal !== true);
  const isShown = (name: string, isRare = false) => !isRare || address.query[name] !== undefined;
  return (
    <div class="filters">
      <DayInput day={day} />
      <PartOfDay />
      {fields.map(([name, { label, words, isRare }]) => {
        const options = words && [
          ['', `every ${label.toLowerCase()}`] as const,
          ...words.map((word) => [word, wordText(word)] as const),
        ];
        return options && isShown(name, isRare) && <Choice key={name} name={name} label={label} options={options} />;
      })}
      <Choice
        name="sort"
        label="Sort"
        options={[['', 'newest first'], ...Object.entries(orders).map(([name, [text]]) => [name, text] as const)]}
      />
      {fields.map(
        ([name, { label, isSeconds }]) =>
          isSeconds === true && (
            <NumberInput
              key={name}
              before={label}
              after="s"
              value={address.query[name] ?? ''}
              min={0}
              max={longestSeconds}
              onPick={(seconds) => replaceQuery(address, { [name]: seconds })}
            />
          ),
      )}
      {fields.map(
        ([name, { label, textsOf }]) =>
          textsOf !== undefined && (
            <Fragment key={name}>
              <input
                type="search"
                {...(name === 'agent' && { id: 'search' })}
                list={`${name}-words`}
                placeholder={label}
                aria-label={label}
                value={address.query[name] ?? ''}
                onChange={({ currentTarget }) => replaceQuery(address, { [name]: currentTarget.value })}
              />
              <datalist id={`${name}-words`}>
                {[...new Set(calls.flatMap(textsOf))]
                  .sort()
                  .map((word) => word !== undefined && word !== hidden && <option key={word} value={word} />)}
              </datalist>
            </Fragment>
          ),
      )}
      <SaveFilters query={{ ...filtersOf(address), sort: address.query['sort'] }} />
    </div>
  );
};
