import { type CallList, type CallPage, isAbandoned, isMissed, type ListedCall } from '../lib/client/index.ts';
import { ListedCall as ListedCallRow } from '../lib/contract/rows.ts';
import { keysOf } from '../lib/core/collections.ts';
import { type Cell, durationText, joined, localText, printCsv, report } from './output/report.ts';
import type { Terminal } from './output/terminal.ts';

export interface CallFilters {
  readonly status?: ListedCall['status'];
  readonly type?: ListedCall['type'];
  /** Only calls that count as missed, or as abandoned, by the contract's rules. */
  readonly missed?: boolean;
  readonly abandoned?: boolean;
  readonly skill?: string | undefined;
  readonly campaign?: string | undefined;
}

export const hasFilters = ({ status, type, missed, abandoned, skill, campaign }: CallFilters): boolean =>
  [status, type, skill, campaign].some((word) => word !== undefined) || missed === true || abandoned === true;

/** Whether a call matches. A call without the field matches no word. */
export const matchesFilters = (
  call: ListedCall,
  { status, type, missed = false, abandoned = false, skill, campaign }: CallFilters,
): boolean =>
  (status === undefined || call.status === status) &&
  (type === undefined || call.type === type) &&
  (skill === undefined || call.skillName === skill) &&
  (campaign === undefined || call.campaignName === campaign) &&
  (!missed || isMissed(call)) &&
  (!abandoned || isAbandoned(call));

export interface Portion {
  readonly limit: number;
  readonly cursor: string | undefined;
  readonly filters: CallFilters;
}

/** How many calls matched and how many were read. `next` is the cursor of the rest, if there is more. */
export interface Found {
  readonly found: number;
  readonly read: number;
  readonly next: string | undefined;
}

/** The client's largest page; a page is one request. */
const maxPageSize = 1_000;

/** When few calls match, pages as small as the number still missing would cost one request each. */
const minSearchPageSize = 200;

/** Passes on the first matching calls page by page. Reads on where DynamoDB ends a page at 1 MB. */
export const firstMatching = async (
  calls: CallList,
  { limit, cursor, filters }: Portion,
  onFound: (calls: readonly ListedCall[]) => void,
): Promise<Found> => {
  const minPageSize = hasFilters(filters) ? minSearchPageSize : 1;
  let [found, read] = [0, 0];
  let next = cursor;
  do {
    const before = next;
    const page = await firstPage(calls.pages(Math.min(Math.max(limit - found, minPageSize), maxPageSize), before));
    const [matches, used] = firstMatchesOf(page.calls, { limit: limit - found, filters });
    onFound(matches);
    found += matches.length;
    read += page.calls.length;
    // A cursor points behind a whole page. To get one behind the last printed call, read the page again up to there.
    next = used < page.calls.length ? (await firstPage(calls.pages(used, before))).next : page.next;
  } while (next !== undefined && found < limit);
  return { found, read, next };
};

export const firstPage = async (pages: AsyncIterable<CallPage>): Promise<CallPage> => {
  for await (const page of pages) return page;
  return { calls: [], next: undefined };
};

/** The first matching calls of a page, and how many calls of the page they use up: all, unless there are too many. */
const firstMatchesOf = (
  page: readonly ListedCall[],
  { limit, filters }: Pick<Portion, 'limit' | 'filters'>,
): readonly [readonly ListedCall[], number] => {
  const matches = page.filter((call) => matchesFilters(call, filters));
  const last = matches.at(limit - 1);
  return matches.length > limit && last !== undefined
    ? [matches.slice(0, limit), page.indexOf(last) + 1]
    : [matches, page.length];
};

const columns = {
  listedAt: 'TIME',
  callId: 'CALL',
  type: 'TYPE',
  status: 'STATUS',
  time: 'LASTED',
  agents: 'AGENTS',
  skillName: 'SKILL',
  campaignName: 'CAMPAIGN',
  dispositions: 'DISPOSITIONS',
};
const personalColumns = { customerNumber: 'CUSTOMER', names: 'NAMES' };

export const callTable = (
  terminal: Terminal,
  calls: readonly ListedCall[],
  { timeZone, showPersonal }: { readonly timeZone: string; readonly showPersonal: boolean },
): void => {
  const recorded = calls.some(({ firstRecordedAt }) => firstRecordedAt !== undefined) && {
    firstRecordedAt: 'RECORDED',
  };
  const rows = calls.map((call) => rowOf(call, timeZone));
  report(terminal, false, { ...recorded, ...columns, ...(showPersonal && personalColumns) }, rows);
};

const rowOf = (
  { agentIds, agentNames, dispositions, callDurationSeconds, listedAt, firstRecordedAt, ...call }: ListedCall,
  timeZone: string,
) => ({
  ...call,
  listedAt: localText(listedAt, timeZone),
  firstRecordedAt: firstRecordedAt && localText(firstRecordedAt, timeZone),
  time: callDurationSeconds === undefined ? undefined : durationText(callDurationSeconds),
  agents: joined(agentIds),
  dispositions: joined(dispositions),
  names: joined(agentNames),
});

const csvColumns = keysOf(ListedCallRow.shape);

export const printCallsCsvHead = (terminal: Pick<Terminal, 'print'>): void => printCsv(terminal, csvColumns);

export const printCallsCsv = (terminal: Pick<Terminal, 'print'>, calls: readonly ListedCall[]): void => {
  for (const call of calls)
    printCsv(
      terminal,
      csvColumns.map((column): Cell => {
        const value = call[column];
        return typeof value === 'object' ? joined(value) : value;
      }),
    );
};
