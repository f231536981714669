import { useLayoutEffect, useState } from 'preact/hooks';
import { isMissed } from '../../../lib/contract/rules.ts';
import type { Answers } from '../api.ts';
import type { ShownCall } from '../calls.ts';
import { useView } from './address.ts';
import { type PageQuery, searchOf } from './hash.ts';
import { useLive } from './live.ts';

const refreshSeconds = 5;

type CallsAnswer = Answers['calls'];

interface Rows {
  readonly search: string;
  /** “Today” becomes another day at midnight. */
  readonly firstDay: string;
  readonly shown: readonly ShownCall[];
  readonly next: string | undefined;
  /** Whether older ones were asked for. */
  readonly isSearched?: true;
}

/** What is new waits, so that nothing moves under somebody who reads; what changed or no longer fits is shown so at once. */
const withAnswer = (rows: Rows | undefined, search: string, { calls, next, days, reachesTo }: CallsAnswer): Rows => {
  if (rows?.search !== search || rows.firstDay !== days.from)
    return { search, firstDay: days.from, shown: calls, next };
  // While nothing fits, it stays read as far back as somebody asked for.
  if (rows.shown.length === 0)
    return { ...rows, shown: calls, next: rows.isSearched ? rows.next : (rows.next ?? next) };
  const latest = new Map(calls.map((call) => [call.callId, call]));
  const oldest = next === undefined ? '' : (reachesTo ?? '~');
  const isOlder = (call: ShownCall) => call.listedAt <= oldest;
  return { ...rows, shown: rows.shown.flatMap((call) => latest.get(call.callId) ?? (isOlder(call) ? call : [])) };
};

const newIn = ({ calls }: CallsAnswer, { shown, next }: Rows): number => {
  const known = new Set(shown.map(({ callId }) => callId));
  // Of a list that is shown to its end, a long call that began before all others is new too.
  const oldest = next === undefined ? '' : (shown.at(-1)?.listedAt ?? '');
  return calls.filter(({ callId, listedAt }) => !known.has(callId) && listedAt >= oldest).length;
};

/** Whether what is read beside the list has come: its row, and what became of a missed call. */
const isRead = (call: ShownCall): boolean =>
  call.recordings !== undefined && (call.missed !== undefined || !isMissed(call));

/** The calls that a query selects, the newest first: its first page again and again, and older ones as somebody asks for them. */
export const useCallList = (query: PageQuery) => {
  const { account, at } = useView();
  const search = searchOf({ account, ...query });
  const [kept, setRows] = useState<Rows>();
  const rows = kept?.search === search ? kept : undefined;
  // Up to a moment nothing comes any more but what was not read yet.
  const isSettled = at !== undefined && rows?.shown.every(isRead) === true;
  const live = useLive('calls', query, isSettled ? undefined : refreshSeconds);
  const { value: answer } = live;
  useLayoutEffect(() => {
    if (answer !== undefined) setRows((was) => withAnswer(was, search, answer));
  }, [answer]);

  const [wanted, setWanted] = useState({ search, cursor: '' });
  const cursor = wanted.search === search ? wanted.cursor : '';
  const older = useLive(cursor === '' ? undefined : 'calls', { ...query, cursor });
  const { value: page } = older;
  useLayoutEffect(() => {
    if (page === undefined) return;
    // Meanwhile the list may have begun anew.
    setRows((was) =>
      was?.search === search && was.next === cursor
        ? { ...was, shown: [...was.shown, ...page.calls], next: page.next, isSearched: true }
        : was,
    );
    setWanted({ search, cursor: '' });
  }, [page]);

  const { shown = [], next } = rows ?? {};
  const newCount = answer === undefined || rows === undefined ? 0 : newIn(answer, rows);
  return {
    search,
    live,
    older,
    answer,
    shown,
    hasCome: answer !== undefined && rows !== undefined,
    isWhole: next === undefined,
    newText: newCount === answer?.calls.length && answer.next !== undefined ? `more than ${newCount}` : `${newCount}`,
    hasNew: newCount > 0,
    /** The list begins anew: `showOlder` reads the rest. */
    showNew: () => answer && setRows(withAnswer(undefined, search, answer)),
    showOlder: () => setWanted({ search, cursor: next ?? '' }),
  };
};
