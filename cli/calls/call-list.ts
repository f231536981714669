import type { InstantRange } from '../../client/arguments.ts';
import type {
  Call,
  CallfeedClient,
  CallList,
  CallPage,
  ListedCall,
  MissedCall,
  MissedState,
  OtherSpellings,
} from '../../client/index.ts';
import { type CallWithAgents, countedCallOf, durationFields } from '../../lib/contract/call-counts.ts';
import type { CallFilters, CallTest, FilteredCall } from './call-filters.ts';
import { type NearText, nearTexts, testsOf } from './set-filters.ts';

/** The list in which the calls that are asked for are found with the fewest reads: an agent's, a customer's or the account's. */
export const listOf = (
  client: Pick<CallfeedClient, 'calls' | 'callsOfAgent' | 'callsOfCustomer'>,
  { agent, customer }: CallFilters,
  range: InstantRange,
  others?: OtherSpellings,
): CallList => {
  // Of both, the customer's calls are fewer, and each of them names its agents.
  if (customer !== undefined) return client.callsOfCustomer(customer, range, others);
  return agent === undefined ? client.calls(range) : client.callsOfAgent(agent, range);
};

type ByCall<Value> = ReadonlyMap<string, Value | undefined>;

interface Identified extends FilteredCall {
  readonly callId: string;
}

/** Where to find what an entry of a list does not tell: its row, and what became of each missed call. */
interface Sources<Call> {
  readonly rowsOf: (calls: readonly Call[]) => Promise<ByCall<CallWithAgents>>;
  readonly states: () => Promise<ByCall<MissedState>>;
}

/** Reads the rows of calls. Those that were read last are kept: a filter asks for them, and then what is made of the calls. */
export const rowsOf = ({ callRows }: Pick<CallfeedClient, 'callRows'>) => {
  let last: ReadonlyMap<string, Call> = new Map();
  return async (calls: readonly ListedCall[]): Promise<ReadonlyMap<string, Call>> => {
    if (!calls.every(({ callId }) => last.has(callId)))
      last = new Map((await callRows(calls.map(({ callId }) => callId))).map((row) => [row.callId, row]));
    return last;
  };
};

export const missedStatesOf = (missed: readonly MissedCall[]): ByCall<MissedState> =>
  new Map(missed.map(({ call, state }) => [call.callId, state]));

export interface Selection<Call> {
  /** Whether calls of the list are left out. */
  readonly isFiltered: boolean;
  /** The calls of a page that are selected. It reads only what the filters need, and of calls that may be selected. */
  readonly of: (page: readonly Call[]) => Promise<readonly Call[]>;
}

export const selectionOf = <Call extends Identified>(
  all: readonly CallFilters[],
  { rowsOf, states }: Sources<Call>,
): Selection<Call> => {
  const agent = all.flatMap((filters) => filters.agent ?? [])[0];
  const tests = all.flatMap(testsOf);
  // The legs say which of several agents answered.
  const isOfRow = (field: string) =>
    Object.hasOwn(durationFields, field) || (agent !== undefined && field === 'isAnswered');
  const ofRows = tests.filter(({ fields }) => fields.some(isOfRow));
  const ofStates = tests.filter(({ fields }) => fields.includes('missedState'));
  const ofList = tests.filter((test) => !(ofRows.includes(test) || ofStates.includes(test)));
  const fitting = (call: FilteredCall, some: readonly CallTest[]) => {
    const part = countedCallOf(call, agent);
    return some.every(({ fits }) => fits(part));
  };
  return {
    isFiltered: tests.some(({ leavesOut }) => leavesOut),
    async of(page) {
      const likely = page.filter((call) => fitting(call, ofList));
      if (ofList.length === tests.length) return likely;
      const rows = ofRows.length === 0 ? undefined : await rowsOf(likely);
      const became = ofStates.length === 0 ? undefined : await states();
      return likely.filter(({ callId, ...call }) =>
        fitting({ ...call, ...rows?.get(callId), missedState: became?.get(callId) }, tests),
      );
    },
  };
};

/** The client's largest page; a page is one request. */
const maxPageSize = 1_000;

/** Agents who are spelt nearly as one without calls. An agent's own list shows no others, so the newest calls of the account do. */
export const nearAgents = async (
  client: Pick<CallfeedClient, 'calls'>,
  { agent, customer }: CallFilters,
  range: InstantRange,
): Promise<readonly NearText[]> => {
  if (agent === undefined || customer !== undefined) return [];
  const { calls } = await firstPage(client.calls(range).pages(maxPageSize));
  return nearTexts({ agent }, calls);
};

export interface ListedPortion {
  readonly limit: number;
  readonly cursor: string | undefined;
  readonly selection: Selection<ListedCall>;
}

export interface Found {
  readonly found: number;
  readonly read: number;
  readonly next: string | undefined;
}

/** The selection. From the calls that it looks at, it also collects texts that are spelt nearly as a filter's. */
export const lookingForNear = (filters: CallFilters, selection: Selection<ListedCall>) => {
  const near = new Map<string, NearText>();
  return {
    near: () => [...near.values()],
    selection: {
      ...selection,
      async of(page: readonly ListedCall[]) {
        for (const one of nearTexts(filters, page)) near.set(`${one.name} ${one.text}`, one);
        return await selection.of(page);
      },
    },
  };
};

/** When few calls match, pages as small as the number still missing would cost one request each. */
const minSearchPageSize = 200;

export const firstMatching = async (
  calls: CallList,
  { limit, cursor, selection }: ListedPortion,
  onFound: (calls: readonly ListedCall[]) => void | Promise<void>,
): Promise<Found> => {
  const minPageSize = selection.isFiltered ? minSearchPageSize : 1;
  let found = 0;
  let read = 0;
  let next = cursor;
  do {
    const before = next;
    const page = await firstPage(calls.pages(Math.min(Math.max(limit - found, minPageSize), maxPageSize), before));
    const fitting = await selection.of(page.calls);
    const matches = fitting.slice(0, limit - found);
    const last = matches.at(-1);
    await onFound(matches);
    found += matches.length;
    read += page.calls.length;
    // A cursor points behind a whole page. To get one behind the last printed call, read the page again up to there.
    const used = last !== undefined && matches.length < fitting.length ? page.calls.indexOf(last) + 1 : undefined;
    next = used === undefined ? page.next : (await firstPage(calls.pages(used, before))).next;
  } while (next !== undefined && found < limit);
  return { found, read, next };
};

export const firstPage = async (pages: AsyncIterable<CallPage>): Promise<CallPage> => {
  for await (const page of pages) return page;
  return { calls: [], next: undefined };
};
