import type { InstantRange } from '../lib/client/arguments.ts';
import type { CallfeedClient, CallList, CallPage, ListedCall, MissedCall, MissedState } from '../lib/client/index.ts';
import type { CallWithAgents } from '../lib/contract/call-counts.ts';
import { ListedCall as ListedCallRow } from '../lib/contract/rows.ts';
import { outcomeText } from '../lib/contract/rules.ts';
import { keysOf } from '../lib/core/collections.ts';
import type { CallFilters, Selection } from './call-filters.ts';
import { durationText, joined, localText, printCsv, printTable } from './output/report.ts';
import type { Terminal } from './output/terminal.ts';

/** The list in which the calls that are asked for are found with the fewest reads: an agent's, a customer's or the account's. */
export const listOf = (
  client: Pick<CallfeedClient, 'calls' | 'callsOfAgent' | 'callsOfCustomer'>,
  { agent, customer }: CallFilters,
  range: InstantRange,
): CallList => {
  // Of both, the customer's calls are fewer, and each of them names its agents.
  if (customer !== undefined) return client.callsOfCustomer(customer, range);
  return agent === undefined ? client.calls(range) : client.callsOfAgent(agent, range);
};

export interface Portion {
  readonly limit: number;
  readonly cursor: string | undefined;
  readonly matching: Matching;
}

/** The calls of a page that are selected. */
export interface Matching {
  readonly isFiltered: boolean;
  readonly of: (page: readonly ListedCall[]) => Promise<readonly ListedCall[]>;
}

type ByCall<Value> = ReadonlyMap<string, Value | undefined>;
type RowsOf = (calls: readonly ListedCall[]) => Promise<ByCall<CallWithAgents>>;

/** Where to find what an entry of the list does not tell: its row, and what became of each missed call. */
interface Sources {
  readonly rowsOf: RowsOf;
  readonly states: () => Promise<ByCall<MissedState>>;
}

export const missedStatesOf = (missed: readonly MissedCall[]): ByCall<MissedState> =>
  new Map(missed.map(({ call, state }) => [call.callId, state]));

export const matchingOf = (
  { isFiltered, needsRows, needsStates, mayFit, fits }: Selection,
  { rowsOf, states }: Sources,
): Matching => ({
  isFiltered,
  async of(page) {
    const likely = page.filter(mayFit);
    if (!(needsRows || needsStates)) return likely;
    const rows = needsRows ? await rowsOf(likely) : undefined;
    const became = needsStates ? await states() : undefined;
    return likely.filter((call) => fits({ ...call, ...rows?.get(call.callId), missedState: became?.get(call.callId) }));
  },
});

export const rowsOf =
  ({ callRows }: Pick<CallfeedClient, 'callRows'>): RowsOf =>
  async (calls) =>
    new Map((await callRows(calls.map(({ callId }) => callId))).map((row) => [row.callId, row]));

export interface Found {
  readonly found: number;
  readonly read: number;
  readonly next: string | undefined;
}

/** The client's largest page; a page is one request. */
const maxPageSize = 1_000;

/** When few calls match, pages as small as the number still missing would cost one request each. */
const minSearchPageSize = 200;

export const firstMatching = async (
  calls: CallList,
  { limit, cursor, matching }: Portion,
  onFound: (calls: readonly ListedCall[]) => void,
): Promise<Found> => {
  const minPageSize = matching.isFiltered ? minSearchPageSize : 1;
  let [found, read] = [0, 0];
  let next = cursor;
  do {
    const before = next;
    const page = await firstPage(calls.pages(Math.min(Math.max(limit - found, minPageSize), maxPageSize), before));
    const [matches, used] = await firstMatchesOf(page.calls, { limit: limit - found, matching });
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
const firstMatchesOf = async (
  page: readonly ListedCall[],
  { limit, matching }: Pick<Portion, 'limit' | 'matching'>,
): Promise<readonly [readonly ListedCall[], number]> => {
  const matches = await matching.of(page);
  const last = matches.at(limit - 1);
  return matches.length > limit && last !== undefined
    ? [matches.slice(0, limit), page.indexOf(last) + 1]
    : [matches, page.length];
};

const columns = {
  ...{ listedAt: 'TIME', callId: 'CALL', type: 'TYPE', status: 'STATUS', time: 'LASTED', agents: 'AGENTS' },
  ...{ skillName: 'SKILL', campaignName: 'CAMPAIGN', dispositions: 'DISPOSITIONS' },
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
  printTable(terminal, { ...recorded, ...columns, ...(showPersonal && personalColumns) }, rows);
};

const rowOf = (
  { agentIds, agentNames, dispositions, callDurationSeconds, listedAt, firstRecordedAt, ...call }: ListedCall,
  timeZone: string,
) => ({
  ...call,
  status: outcomeText(call),
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
      csvColumns.map((column) => call[column]),
    );
};
