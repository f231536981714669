import * as z from 'zod/mini';
import type { InstantRange } from '../../client/arguments.ts';
import type {
  CallfeedClient,
  CallList,
  CallPage,
  ListedCall,
  MissedCall,
  MissedState,
  Numbering,
  OtherSpellings,
} from '../../client/index.ts';
import { type CallWithAgents, countedCallOf, durationFields } from '../../lib/contract/call-counts.ts';
import { Call, ListedCall as ListedCallRow } from '../../lib/contract/rows.ts';
import { lastedSecondsOf, outcomeText } from '../../lib/contract/rules.ts';
import { keysOf } from '../../lib/core/collections.ts';
import { e164 } from '../../lib/telephony/e164.ts';
import { countryOfZone } from '../../lib/telephony/zone-countries.ts';
import { redacted } from '../frame/redact.ts';
import { csvTable, durationText, joined, localText, printTable } from '../frame/report.ts';
import type { Terminal } from '../frame/terminal.ts';
import { type CallFilters, type CallTest, type FilteredCall, testsOf } from './call-filters.ts';

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

export const rowsOf =
  ({ callRows }: Pick<CallfeedClient, 'callRows'>): Sources<ListedCall>['rowsOf'] =>
  async (calls) =>
    new Map((await callRows(calls.map(({ callId }) => callId))).map((row) => [row.callId, row]));

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
    isFiltered: tests.some(({ isFilter }) => isFilter),
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

/** The client's largest page; a page is one request. */
const maxPageSize = 1_000;

/** When few calls match, pages as small as the number still missing would cost one request each. */
const minSearchPageSize = 200;

export const firstMatching = async (
  calls: CallList,
  { limit, cursor, selection }: ListedPortion,
  onFound: (calls: readonly ListedCall[]) => void,
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
    onFound(matches);
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
  printTable(terminal, { ...recorded, ...columns, ...(showPersonal && personalColumns) }, rows);
};

const rowOf = (
  { agentIds, agentNames, dispositions, listedAt, firstRecordedAt, ...call }: ListedCall,
  timeZone: string,
) => {
  const lasted = lastedSecondsOf(call);
  return {
    ...call,
    status: outcomeText(call),
    listedAt: localText(listedAt, timeZone),
    firstRecordedAt: firstRecordedAt && localText(firstRecordedAt, timeZone),
    time: lasted === undefined ? undefined : durationText(lasted),
    agents: joined(agentIds),
    dispositions: joined(dispositions),
    names: joined(agentNames),
  };
};

/** A line of the CSV. Lists have no number in E.164, so that is made of the number and the country that decides whose it is. */
const CsvCall = z.extend(ListedCallRow, { customerNumberE164: Call.shape.customerNumberE164 });
type CsvCall = z.infer<typeof CsvCall>;

/** Prints the head of a list in CSV at once, and calls as they come. */
export const callsCsv = (
  terminal: Pick<Terminal, 'print'>,
  { country, showPersonal }: Pick<Numbering, 'country'> & { readonly showPersonal: boolean },
): ((calls: readonly ListedCall[]) => void) => {
  const print = csvTable(terminal, keysOf(CsvCall.shape));
  return (calls) => {
    const lines = calls.map(
      (call): CsvCall => ({
        ...call,
        customerNumberE164: e164(call.customerNumber ?? '', country ?? countryOfZone(call.timeZone)),
      }),
    );
    print(showPersonal ? lines : redacted(z.array(CsvCall), lines));
  };
};
