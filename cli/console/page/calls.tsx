import { useEffect, useState } from 'preact/hooks';
import { isMissed } from '../../../lib/contract/rules.ts';
import { callStatuses, callTypes } from '../../../lib/telephony/vocabularies.ts';
import type { CallsAnswer } from '../calls.ts';
import { CallTable } from './call-table.tsx';
import { shownCommands } from './commands.ts';
import { type Address, ask, dayAsked, failureText, replaceQuery, useLive } from './live.ts';
import { Alert, Chart, Empty, Loading, Select, useView, type View } from './parts.tsx';
import { DayInput } from './when.tsx';
import { counted, hidden, timeText } from './words.ts';

type Call = CallsAnswer['calls'][number];

const refreshSeconds = 5;
const maxRows = 1_000;

const filterNames = ['status', 'type', 'campaign', 'skill', 'agent', 'customer'] as const;

const filtersIn = ({ query }: Address): Readonly<Record<string, string>> =>
  Object.fromEntries(
    filterNames.flatMap((name) => {
      const value = query[name]?.trim();
      return value ? [[name, value]] : [];
    }),
  );

const searchOf = ({ account, at, address, timeZone }: View): string =>
  new URLSearchParams({
    ...{ account, day: dayAsked(address, timeZone) },
    ...filtersIn(address),
    ...(at !== undefined && { at }),
  }).toString();

/** The rows that are shown, those that came meanwhile, and where older ones begin. */
interface Rows {
  readonly search: string;
  /** The day of the calls: “today” becomes another one at midnight. */
  readonly day: string;
  readonly shown: readonly Call[];
  readonly waiting: readonly Call[];
  /** The answer itself, if none of its calls is shown: others may have come between it and the rows. */
  readonly beyond: Pick<CallsAnswer, 'calls' | 'next'> | undefined;
  readonly next: string | undefined;
}

const newestFirst = (a: Call, b: Call): number =>
  b.listedAt.localeCompare(a.listedAt) || b.callId.localeCompare(a.callId);

/** What is new waits, so that nothing moves under somebody who reads; what changed is shown at once. */
const withAnswer = (rows: Rows | undefined, search: string, { calls, next, day }: CallsAnswer): Rows => {
  if (rows === undefined || rows.search !== search || rows.day !== day || rows.shown.length === 0)
    return { search, day, shown: calls, waiting: [], beyond: undefined, next };
  const latest = new Map(calls.map((call) => [call.callId, call]));
  const known = new Set(rows.shown.map(({ callId }) => callId));
  // Of a list that is shown to its end, a long call that began before all others is new too.
  const oldest = rows.next === undefined ? '' : (rows.shown.at(-1)?.listedAt ?? '');
  const isBeyond = next !== undefined && calls.length > 0 && !calls.some(({ callId }) => known.has(callId));
  return {
    ...rows,
    shown: rows.shown.map((call) => latest.get(call.callId) ?? call),
    waiting: calls.filter(({ callId, listedAt }) => !known.has(callId) && listedAt >= oldest),
    beyond: isBeyond ? { calls, next } : undefined,
  };
};

/** The rows with those that waited. Where others may lie between, the list begins anew: “Older calls” reads them. */
const withWaiting = ({ beyond, shown, waiting, ...rows }: Rows): Rows =>
  beyond === undefined
    ? { ...rows, shown: [...shown, ...waiting].sort(newestFirst).slice(0, maxRows), waiting: [], beyond }
    : { ...rows, shown: beyond.calls, next: beyond.next, waiting: [], beyond: undefined };

export const CallsView = () => {
  const view = useView();
  const { address, at } = view;
  const search = searchOf(view);
  const [settled, setSettled] = useState('');
  const live = useLive<CallsAnswer>(
    `calls?${search}`,
    at !== undefined && settled === search ? undefined : refreshSeconds,
  );
  const [rows, setRows] = useState<Rows>();
  const [problem, setProblem] = useState<{ readonly search: string; readonly text: string }>();
  useEffect(() => {
    const { value } = live;
    if (value === undefined) return;
    setRows((was) => withAnswer(was, search, value));
    // Up to a moment nothing comes any more, but the quarters are counted in several answers.
    if ((value.countedFrom ?? '') <= value.start) setSettled(search);
  }, [live.value]);

  const current = rows?.search === search ? rows : undefined;
  const showNew = () => current && setRows(withWaiting(current));
  const showOlder = async () => {
    if (current?.next === undefined) return;
    try {
      const older = await ask<CallsAnswer>(`calls?${search}&cursor=${encodeURIComponent(current.next)}`);
      // Meanwhile others may have been shown, or the same ones.
      setRows((was) =>
        was?.search === search && was.next === current.next
          ? { ...was, shown: [...was.shown, ...older.calls], next: older.next }
          : was,
      );
      setProblem(undefined);
    } catch (error) {
      setProblem({ search, text: failureText(error) });
    }
  };
  const missed = current?.shown.filter(isMissed).length ?? 0;
  return (
    <>
      <h1 class="hidden">Calls</h1>
      <Loading live={live} what="The list of calls" />
      {live.value?.quarters !== undefined && <QuartersChart {...live.value} quarters={live.value.quarters} at={at} />}
      <Filters day={live.value?.day} calls={current?.shown ?? []} />
      {current !== undefined && <NewCalls rows={current} onShow={showNew} />}
      <p class="faint">
        <span role="status">
          {current !== undefined &&
            `${current.next === undefined ? '' : 'The newest '}${counted(current.shown.length, 'call')}, ${missed} missed`}
        </span>{' '}
        <a href={`console/api/calls-csv?${search}`} download title={csvTitle}>
          Download all as CSV
        </a>
      </p>
      {current !== undefined && current.shown.length > 0 && <CallTable calls={sorted(current.shown, address)} />}
      {current?.shown.length === 0 && <NoCalls isWhole={current.next === undefined} />}
      <Alert text={problem?.search === search ? `Older calls cannot be read. ${problem.text}` : undefined} />
      {current?.next !== undefined && <OlderCalls shown={current.shown.length} onShow={showOlder} />}
      <p class="faint">
        The same in a terminal: <code class="command">{commandOf(view, live.value)}</code>
      </p>
    </>
  );
};

const csvTitle =
  'Every call of this day that fits the filters, with times in UTC. Import callId, customerNumber and agentIds as text: spreadsheets round long numbers, and drop a 0 in front.';

const commandOf = (view: View, { day = 'today', start = '' }: Partial<CallsAnswer> = {}): string =>
  shownCommands(view).calls(view.at === undefined ? { day } : { from: start, to: view.at }, filtersIn(view.address));

const NewCalls = ({ rows: { waiting, beyond }, onShow }: { readonly rows: Rows; readonly onShow: () => void }) =>
  waiting.length === 0 ? null : (
    <button type="button" class="new" onClick={onShow}>
      {beyond === undefined ? '' : 'more than '}
      {waiting.length} new
    </button>
  );

const OlderCalls = ({ shown, onShow }: { readonly shown: number; readonly onShow: () => void }) =>
  shown < maxRows ? (
    <button type="button" onClick={onShow}>
      {shown === 0 ? 'Search further back' : 'Older calls'}
    </button>
  ) : (
    <p class="faint">More than {maxRows} calls: choose a moment or a filter to see others.</p>
  );

const NoCalls = ({ isWhole }: { readonly isWhole: boolean }) => {
  const view = useView();
  const { address, isSandbox, at } = view;
  const isFiltered = filterNames.some((name) => address.query[name]);
  if (isFiltered)
    return (
      <Empty>
        {isWhole ? 'No call of this day fits the filters.' : 'None of the calls read so far fits the filters.'}
      </Empty>
    );
  return (
    <Empty>
      No calls {at === undefined ? 'yet on this day' : 'up to this moment on this day'}.{' '}
      {isSandbox ? '“Sandbox” below posts one.' : 'The service posts one when it is over.'}
    </Empty>
  );
};

const quarterMs = 900_000;

/** Calls per quarter of an hour, of a day or of the part that is counted so far. */
export const QuartersChart = ({
  quarters,
  start,
  end,
  countedFrom = start,
  at,
}: Pick<CallsAnswer, 'start' | 'end'> & {
  readonly at?: string | undefined;
  readonly quarters: NonNullable<CallsAnswer['quarters']>;
  readonly countedFrom?: string;
}) => {
  const { timeZone } = useView();
  const [first, last] = [quarters[0]?.[0], quarters.at(-1)?.[0]];
  if (first === undefined || last === undefined) return null;
  // A few quarters need not be as thin as the quarters of a whole day.
  const from = Math.max(Date.parse(start), Math.min(first, last - 12 * quarterMs));
  const to = Math.min(Date.parse(end), last + quarterMs);
  const byQuarter = new Map(quarters.map((quarter) => [quarter[0], quarter]));
  const times = Array.from({ length: Math.ceil((to - from) / quarterMs) }, (_, index) => from + index * quarterMs);
  const values = (column: 1 | 2 | 3) => times.map((time) => byQuarter.get(time)?.[column] ?? 0);
  return (
    <Chart
      title={`Calls per quarter of an hour${countedText(countedFrom, { start, end, timeZone })}`}
      kind="bars"
      times={times.map((time) => time / 1000)}
      series={[
        { label: 'answered', fill: '#0072b2', values: values(1) },
        { label: 'missed', fill: '#d55e00', values: values(2) },
        { label: 'outgoing and other', fill: '#999999', values: values(3) },
      ]}
      range={[from / 1000, to / 1000]}
      mark={at}
    />
  );
};

/** How far back calls are counted, where that is not the whole day. */
const countedText = (
  from: string,
  { start, end, timeZone }: Pick<CallsAnswer, 'start' | 'end'> & Pick<View, 'timeZone'>,
): string => {
  if (from <= start) return '';
  return from >= end ? ', being counted …' : `, counted back to ${timeText(from, timeZone)} so far`;
};

/** The orders of the calls that are shown, each with what it sorts by; a minus puts the largest first. */
const orders: Readonly<Record<string, readonly [text: string, by: (call: Call) => string | number | undefined]>> = {
  oldest: ['oldest first', ({ listedAt }) => listedAt],
  longest: ['longest first', ({ callDurationSeconds }) => minus(callDurationSeconds)],
  talk: ['longest talk first', ({ durationSeconds }) => minus(durationSeconds)],
  status: ['by status', (call) => (isMissed(call) ? 'missed' : call.status)],
  agent: ['by agent', ({ agentIds }) => agentIds?.join(', ')],
  skill: ['by skill', ({ skillName }) => skillName],
  disposition: ['by disposition', ({ dispositions }) => dispositions?.join(', ')],
};

const minus = (seconds: number | undefined) => (seconds === undefined ? undefined : -seconds);

/** The calls in the order that the address asks for: the newest first if it names none. Calls without a value come last. */
const sorted = (calls: readonly Call[], { query: { sort = '' } }: Address): readonly Call[] => {
  const by = Object.hasOwn(orders, sort) ? orders[sort]?.[1] : undefined;
  if (by === undefined) return calls;
  return calls.toSorted((one, other) => {
    const [a, b] = [by(one), by(other)];
    if (a === b) return 0;
    if (a === undefined || b === undefined) return a === undefined ? 1 : -1;
    return a < b ? -1 : 1;
  });
};

const statuses = [...callStatuses.words, 'unknown', 'missed'];
const types = [...callTypes.words, 'unknown'];

const Filters = ({ day, calls }: { readonly day: string | undefined; readonly calls: readonly Call[] }) => {
  const { address, isPersonal } = useView();
  const { query } = address;
  const change = (name: string) => (value: string) => replaceQuery(address, { [name]: value });
  const select = (name: string, label: string, options: Parameters<typeof Select>[0]['options']) => (
    <Select label={label} value={query[name] ?? ''} options={options} onPick={change(name)} />
  );
  const text = (name: string, label: string, words: readonly (string | undefined)[], isSearch = false) => (
    <>
      <input
        type="search"
        {...(isSearch && { id: 'search' })}
        list={`${name}-words`}
        placeholder={label}
        aria-label={label}
        value={query[name] ?? ''}
        onChange={({ currentTarget }) => change(name)(currentTarget.value)}
      />
      <datalist id={`${name}-words`}>
        {[...new Set(words)]
          .sort()
          .map((word) => word !== undefined && word !== hidden && <option key={word} value={word} />)}
      </datalist>
    </>
  );
  return (
    <div class="filters">
      <DayInput day={day} />
      {select('status', 'Status', [['', 'every status'], ...statuses])}
      {select('type', 'Type', [['', 'every type'], ...types])}
      {select('sort', 'Sort', [
        ['', 'newest first'],
        ...Object.entries(orders).map(([name, [label]]) => [name, label] as const),
      ])}
      {text(
        'agent',
        'agent id ( / )',
        calls.flatMap(({ agentIds = [] }) => agentIds),
        true,
      )}
      {text(
        'skill',
        'skill',
        calls.map(({ skillName }) => skillName),
      )}
      {text(
        'campaign',
        'campaign',
        calls.map(({ campaignName }) => campaignName),
      )}
      {isPersonal &&
        text(
          'customer',
          'customer number',
          calls.map(({ customerNumber }) => customerNumber),
        )}
    </div>
  );
};
