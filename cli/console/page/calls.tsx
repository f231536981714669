import { Fragment } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { isMissed } from '../../../lib/contract/rules.ts';
import { callStatuses, callTypes } from '../../../lib/telephony/vocabularies.ts';
import type { CallsAnswer, ShownCall } from '../calls.ts';
import { CallTable } from './call-table.tsx';
import { QuartersChart } from './chart.tsx';
import { type Address, ask, dayAsked, failureText, replaceQuery, searchOf, useLive } from './live.ts';
import { Alert, Empty, Loading, Select, type SelectProps, useView, type View } from './parts.tsx';
import { DayInput } from './when.tsx';
import { counted, hidden, shownCommands } from './words.ts';

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

interface Rows {
  readonly search: string;
  /** The day of the calls: “today” becomes another one at midnight. */
  readonly day: string;
  readonly shown: readonly ShownCall[];
  readonly waiting: readonly ShownCall[];
  /** The answer itself, if none of its calls is shown: others may have come between it and the rows. */
  readonly beyond: Pick<CallsAnswer, 'calls' | 'next'> | undefined;
  readonly next: string | undefined;
}

const newestFirst = (a: ShownCall, b: ShownCall): number =>
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
  const { account, address, at, timeZone } = view;
  const search = searchOf({ account, day: dayAsked(address, timeZone), ...filtersIn(address), at });
  const [settled, setSettled] = useState('');
  const isPast = at !== undefined && settled === search;
  const live = useLive<CallsAnswer>(`calls?${search}`, isPast ? undefined : refreshSeconds);
  const [rows, setRows] = useState<Rows>();
  const [problem, setProblem] = useState<{ readonly search: string; readonly text: string }>();
  const { value } = live;
  useEffect(() => {
    if (value === undefined) return;
    setRows((was) => withAnswer(was, search, value));
    // Up to a moment nothing comes any more, but the quarters are counted in several answers.
    if ((value.countedFrom ?? '') <= value.start) setSettled(search);
  }, [value]);

  const current = rows?.search === search ? rows : undefined;
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
  return (
    <>
      <h1 class="hidden">Calls</h1>
      <Loading live={live} what="The list of calls" />
      {value?.quarters !== undefined && <QuartersChart {...value} quarters={value.quarters} at={at} />}
      <Filters day={value?.day} calls={current?.shown ?? []} />
      {current !== undefined && current.waiting.length > 0 && (
        <button type="button" class="new" onClick={() => setRows(withWaiting(current))}>
          {current.beyond !== undefined && 'more than '}
          {current.waiting.length} new
        </button>
      )}
      <p class="faint">
        <span role="status">
          {current !== undefined &&
            `${current.next === undefined ? '' : 'The newest '}${counted(current.shown.length, 'call')}, ${current.shown.filter(isMissed).length} missed`}
        </span>{' '}
        <a href={`console/api/calls-csv?${search}`} download title={csvTitle}>
          Download all as CSV
        </a>
      </p>
      {current !== undefined && current.shown.length > 0 && <CallTable calls={sorted(current.shown, address)} />}
      {current?.shown.length === 0 && <Empty>{nothingText(view, current.next === undefined)}</Empty>}
      <Alert text={problem?.search === search ? `Older calls cannot be read. ${problem.text}` : undefined} />
      {current?.next !== undefined && <OlderCalls shown={current.shown.length} onShow={showOlder} />}
      <p class="faint">
        The same in a terminal: <code class="command">{commandOf(view, value)}</code>
      </p>
    </>
  );
};

const csvTitle =
  'Every call of this day that fits the filters, with times in UTC. Import callId, customerNumber and agentIds as text: spreadsheets round long numbers, and drop a 0 in front.';

const commandOf = (view: View, { day = 'today', start = '' }: Partial<CallsAnswer> = {}): string =>
  shownCommands(view).calls(view.at === undefined ? { day } : { from: start, to: view.at }, filtersIn(view.address));

const OlderCalls = ({ shown, onShow }: { readonly shown: number; readonly onShow: () => void }) =>
  shown < maxRows ? (
    <button type="button" onClick={onShow}>
      {shown === 0 ? 'Search further back' : 'Older calls'}
    </button>
  ) : (
    <p class="faint">More than {maxRows} calls: choose a moment or a filter to see others.</p>
  );

const nothingText = ({ address, isSandbox, at }: View, isWhole: boolean): string => {
  if (filterNames.some((name) => address.query[name]))
    return isWhole ? 'No call of this day fits the filters.' : 'None of the calls read so far fits the filters.';
  const when = at === undefined ? 'yet on this day' : 'up to this moment on this day';
  return `No calls ${when}. ${isSandbox ? '“Sandbox” below posts one.' : 'The service posts one when it is over.'}`;
};

const orders: Readonly<Record<string, readonly [text: string, by: (call: ShownCall) => string | number | undefined]>> =
  {
    oldest: ['oldest first', ({ listedAt }) => listedAt],
    longest: ['longest first', ({ callDurationSeconds }) => callDurationSeconds && -callDurationSeconds],
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

const choices: Readonly<Record<string, readonly [label: string, options: SelectProps['options']]>> = {
  status: ['Status', [['', 'every status'], ...callStatuses.words, 'unknown', 'missed']],
  type: ['Type', [['', 'every type'], ...callTypes.words, 'unknown']],
  sort: ['Sort', [['', 'newest first'], ...Object.entries(orders).map(([name, [label]]) => [name, label] as const)]],
};

type WordsOf = (call: ShownCall) => string | readonly string[] | undefined;

/** Fields for a text, each with the words that the shown calls have for it. */
const texts: Readonly<Record<string, readonly [label: string, wordsOf: WordsOf]>> = {
  agent: ['agent id ( / )', ({ agentIds = [] }) => agentIds],
  skill: ['skill', ({ skillName }) => skillName],
  campaign: ['campaign', ({ campaignName }) => campaignName],
  customer: ['customer number', ({ customerNumber }) => customerNumber],
};

const Filters = ({ day, calls }: { readonly day: string | undefined; readonly calls: readonly ShownCall[] }) => {
  const { address, isPersonal } = useView();
  const { query } = address;
  return (
    <div class="filters">
      <DayInput day={day} />
      {Object.entries(choices).map(([name, [label, options]]) => (
        <Select
          key={name}
          label={label}
          value={query[name] ?? ''}
          options={options}
          onPick={(value) => replaceQuery(address, { [name]: value })}
        />
      ))}
      {Object.entries(texts).map(([name, [label, wordsOf]]) =>
        name === 'customer' && !isPersonal ? null : (
          <Fragment key={name}>
            <input
              type="search"
              {...(name === 'agent' && { id: 'search' })}
              list={`${name}-words`}
              placeholder={label}
              aria-label={label}
              value={query[name] ?? ''}
              onChange={({ currentTarget }) => replaceQuery(address, { [name]: currentTarget.value })}
            />
            <datalist id={`${name}-words`}>
              {[...new Set(calls.flatMap(wordsOf))]
                .sort()
                .map((word) => word !== undefined && word !== hidden && <option key={word} value={word} />)}
            </datalist>
          </Fragment>
        ),
      )}
    </div>
  );
};
