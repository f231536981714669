import { setTimeout as pause } from 'node:timers/promises';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { AgentInState, AgentNow, Call, FeedChange } from '../lib/contract/rows.ts';
import type { DayPeriod } from '../lib/core/time.ts';
import { joinedKey } from '../lib/storage/rows.ts';
import { type LoggedInState, loggedInStates } from '../lib/telephony/vocabularies.ts';
import { type AgentDay, readAgentDays, secondsByState } from './agent-days.ts';
import {
  type CallDay,
  type CallRange,
  dayArgument,
  instantArgument,
  isRecordedRange,
  numberArgument,
  pastArgument,
  periodArgument,
  type RecordedRange,
  rangeArgument,
  textArgument,
  wordArgument,
} from './arguments.ts';
import { type CallWait, readCallWait } from './call-wait.ts';
import {
  type CallDetails,
  type CallList,
  callList,
  readCallDetails,
  readCallRows,
  type TooManyCalls,
} from './calls.ts';
import type { LookThrough } from './calls-by-time.ts';
import {
  customerCallList,
  type NumberedTables,
  type Numbering,
  type OtherSpellings,
  readNumbering,
  readOtherSpellings,
} from './customer-calls.ts';
import {
  type DayOptions,
  type DayRecords,
  type PeriodOptions,
  type PeriodRecords,
  readDay,
  readPeriod,
} from './day.ts';
import {
  type Floor,
  type Freshness,
  floorOf,
  freshnessOf,
  type LastKnown,
  readAgent,
  readAgentsInState,
  readFeed,
  readFloor,
  watchFloor,
} from './floor.ts';
import { recordedCallList } from './joined-lists.ts';
import type { KeptRecords } from './kept-records.ts';
import { type MissedCalls, type MissedQuestion, readMissedCalls } from './missed-calls.ts';
import {
  type FloorAt,
  type FloorHistory,
  readFeedChanges,
  readFloorHistory,
  readSnapshotAt,
  snapshotFloor,
} from './past-agents.ts';
import { byAgent, byTime } from './query-keys.ts';
import { type RecordingsClient, recordingsClient } from './recordings.ts';
import { type Read, tableReader } from './table-reader.ts';

export interface WatchOptions {
  /** Seconds between two reads, from 1 to 3,600. Default: 5. */
  readonly everySeconds?: number;
  /** Ends the watching, and a pending wait or read. */
  readonly signal?: AbortSignal;
  /** Gets the error of a failed read; watching continues with the agents that were read last. Without it, the error is thrown. */
  readonly onError?: (error: unknown) => void;
}

/**
 * Reads one account's calls and agents. A method takes one GetItem or one Query, and more where its comment says so or the rows
 * exceed 1 MB.
 */
export interface CallfeedClient extends RecordingsClient {
  /** How old the data about agents is, and how many agents are in each state. */
  readonly feed: () => Promise<Freshness>;
  /**
   * All logged-in agents, and how old that data is. Live and stale agents have different names, so that code cannot mix
   * them up.
   * @example
   * const floor = await callfeed.floor();
   * if (floor.freshness === 'live') show(floor.agents);
   * else if (floor.freshness === 'stale') showGreyed(floor.lastKnownAgents, floor.asOf);
   */
  readonly floor: () => Promise<Floor>;
  /** One agent, if logged in. */
  readonly agent: (agentId: string) => Promise<LastKnown<AgentNow | undefined>>;
  /** The agents in a state, the longest in it first. */
  readonly agentsInState: (state: LoggedInState) => Promise<LastKnown<readonly AgentInState[]>>;
  /** The agents at a past instant; undefined if no snapshot is stored from then. One in parts takes a second request. */
  readonly floorAt: (moment: Date | string) => Promise<FloorAt | undefined>;
  /**
   * How many agents were in each state, snapshot by snapshot, newest first: one request. `next`, where there is one, is the
   * `to` of the page before. `limit` is the maximum of snapshots, 1 to 1,000.
   */
  readonly floorHistory: (range: CallRange, limit?: number) => Promise<FloorHistory>;
  /** The interruptions of the feed and their ends, oldest first. */
  readonly feedChanges: (range?: CallRange) => Promise<readonly FeedChange[]>;
  /**
   * An agent's day, such as 2026-11-21. `timeZone` must be the account's, because its midnights divide the days. Throws a
   * RangeError where the day's intervals show another zone.
   */
  readonly agentDay: (agentId: string, day: string, timeZone: string) => Promise<AgentDay>;
  /**
   * The calls and agents' time of a day, such as 2026-11-21, for `callFigures` and `agentFigures`. `timeZone` must be the
   * account's, as for `agentDay`. It reads the row of every call, a snapshot for each hour and the timeline of every agent,
   * and needs the permission `dynamodb:BatchGetItem`.
   */
  readonly day: (day: string, timeZone: string, options?: DayOptions) => Promise<DayRecords>;
  /**
   * The calls and agents' time of up to 31 days, both ends included. Of more than 50,000 calls, or `maxCalls`, it lists the newest and reads no
   * row: the answer says since when they started.
   * @example
   * const month = await callfeed.period({ from: '2026-11-01', to: '2026-11-30' }, 'Asia/Kolkata');
   * if (!('moreThan' in month)) show(dayFiguresBy('day', month, { shortSeconds: 10 }));
   */
  readonly period: (
    period: DayPeriod,
    timeZone: string,
    options?: PeriodOptions,
  ) => Promise<PeriodRecords | TooManyCalls>;
  /** A call with its legs, participants and deliveries; undefined if there is none. */
  readonly call: (callId: string) => Promise<CallDetails | undefined>;
  /**
   * The rows of the calls with these ids, in any order and without those that do not exist: for what a list lacks, such as
   * talk time and recordings. One BatchGetItem for each 100 ids, which needs the permission `dynamodb:BatchGetItem`.
   */
  readonly callRows: (callIds: readonly string[]) => Promise<readonly Call[]>;
  /**
   * The account's calls: by their start, on a day, or by when they were first recorded. A list by `recordedFrom` has every call
   * of the range once, also those that arrived late; these come first. It needs the permission `dynamodb:BatchGetItem`.
   * @example
   * for await (const call of callfeed.calls({ from: '2026-11-20T00:00:00+05:30' }))
   *   if (isMissed(call)) console.log(call.callId, call.skillName);
   * callfeed.calls({ day: '2026-11-21', timeZone: 'Asia/Kolkata' });
   * callfeed.calls({ recordedFrom: endOfLastExport, recordedTo: aMinuteAgo });
   */
  readonly calls: (range?: CallRange | CallDay | RecordedRange) => CallList;
  /**
   * The missed calls of a range (default: the last day), each with its state: its caller still waits, was called back, or rang
   * again. `waiting` has one entry for each caller who waits, because people ring back callers.
   *
   * It reads the calls of the range, of the four hours before and of `withinSeconds` after. Above `maxCalls` (50,000) it reads
   * nothing and says since when they started. A range up to a day is always read. It also reads the rows of outgoing calls that
   * may end a wait, which needs the permission `dynamodb:BatchGetItem`.
   * @example
   * const missed = await callfeed.missedCalls({ open: true });
   * if (!('moreThan' in missed))
   *   for (const { customerNumber, attempts, callIds } of missed.waiting) console.log(customerNumber, attempts, callIds);
   */
  readonly missedCalls: (question?: MissedQuestion & (CallRange | CallDay)) => Promise<MissedCalls | TooManyCalls>;
  /**
   * What became of a missed call, by the rule of `missedCalls`. Of any call: the missed calls that it answered.
   *
   * It reads the calls of the 28 hours before and the 24 hours after. If these are more than 10,000, it reads only calls with a
   * usual spelling of the caller's number. It needs the permission `dynamodb:BatchGetItem`.
   * @example
   * const { call } = (await callfeed.call(callId)) ?? {};
   * const wait = call && (await callfeed.callWait(call));
   * console.log(wait?.missed?.state, wait?.missed?.answeredBy?.callId);
   */
  readonly callWait: (call: Call) => Promise<CallWait>;
  /**
   * The calls of a customer's number, typed in any spelling; without + or 00 it is a number of the account's country.
   *
   * By index: calls sent with the number bare, with 0, +, 00 or the country's code before it, or as typed. One Query for each
   * spelling, and one GetItem for the country.
   *
   * With a range: calls in any other spelling too. These are searched for among all calls of the range, 1,000 a request; not if
   * there are more than 50,000, unless the range is up to a day. Pass the answer of `otherSpellings` to spare that search.
   */
  readonly callsOfCustomer: (number: string, range?: CallRange | CallDay, others?: OtherSpellings) => CallList;
  /**
   * The calls of a customer whose number is the same and was sent in no usual spelling, as `0919…`, `98765/43210` or `98765.0`.
   * @example
   * const others = await callfeed.otherSpellings('09000000042', range);
   * if (!others.isComplete) console.warn('Only usual spellings of the number are found.');
   * for await (const call of callfeed.callsOfCustomer('09000000042', range, others)) console.log(call.callId);
   */
  readonly otherSpellings: (
    number: string,
    range?: CallRange | CallDay,
    options?: LookThrough,
  ) => Promise<OtherSpellings>;
  /** What decides whose a number is, as `missedCalls` and `callsOfCustomer` read it. */
  readonly numbering: () => Promise<Numbering>;
  /** The calls of an agent, including those that another agent transferred. */
  readonly callsOfAgent: (agentId: string, range?: CallRange | CallDay) => CallList;
  /**
   * The agents at once, and then whenever they, `asOf` or the freshness change. Reads only when you ask for the next
   * value, so a slow loop skips some. Ends when `signal` aborts or you leave the loop. A `return()` from outside of the
   * loop takes effect only after a pending wait.
   * @example
   * for await (const floor of callfeed.watch({ signal: AbortSignal.timeout(3_600_000) })) render(floor);
   */
  readonly watch: (options?: WatchOptions) => AsyncIterable<Floor>;
}

export interface CallfeedClientOptions {
  /** Needs the permissions `dynamodb:Query` and `dynamodb:GetItem` on both tables and their indexes. */
  readonly dynamodb: Pick<DynamoDBClient, 'send'>;
  /** The names of the tables, or their ARNs if they are in another AWS account. `CallfeedTables` of `callfeed/cdk` has them. */
  readonly tables: { readonly calls: string; readonly agents: string };
  /** The account of the telephony service, by its user name. */
  readonly account: string;
  /**
   * Where agents are not polled, no row names the account's `country` and `sharedNumbers`: what this returns decides whose a number
   * is, for `missedCalls` and `callsOfCustomer`. Default: the country of the newest call, and no shared numbers.
   */
  readonly numbering?: NumberedTables['numbering'];
  /** Decides how old the data is. Default: the machine's clock. */
  readonly clock?: () => Date;
  /** Gets each request to DynamoDB once it is answered, with the rows and read units. */
  readonly onRead?: (read: Read) => void;
}

/**
 * A client that reads one account's calls and agents. It caches nothing, writes nothing and logs nothing. It throws a
 * TypeError or RangeError for an invalid argument, and an `UnreadableRow` for a row that is not as declared. Errors of
 * DynamoDB pass through unchanged.
 * @example
 * const callfeed = createCallfeedClient({
 *   dynamodb: new DynamoDBClient(),
 *   tables: { calls: 'callfeed-calls', agents: 'callfeed-agents' },
 *   account: 'demo',
 * });
 */
export const createCallfeedClient = (options: CallfeedClientOptions): CallfeedClient => clientWithCache(options);

/** The client of `createCallfeedClient`. With `kept` it remembers calls, and reads of a list only what is new. */
export const clientWithCache = (options: CallfeedClientOptions, kept?: KeptRecords): CallfeedClient => {
  const { dynamodb, tables, onRead, numbering, clock = () => new Date() } = options;
  const account = textArgument('account', options.account);
  const access = { dynamodb, onRead, pause: (ms: number) => pause(ms) };
  const calls = tableReader({ ...access, table: 'calls', tableName: textArgument('tables.calls', tables.calls) });
  const agents = tableReader({ ...access, table: 'agents', tableName: textArgument('tables.agents', tables.agents) });

  const context = { calls, agents, account, numbering, clock };
  const cachedContext = { ...context, kept };

  return {
    feed: async () => freshnessOf(await readFeed(agents, account), clock()),
    floor: async () => floorOf(await readFloor(agents, account), clock()),
    agent: async (agentId) => ({ lastKnown: await readAgent(agents, account, textArgument('agentId', agentId)) }),
    agentsInState: async (state) => ({
      lastKnown: await readAgentsInState(agents, account, wordArgument('state', loggedInStates, state)),
    }),
    async floorAt(moment) {
      const now = clock();
      const instant = pastArgument('moment', moment, now);
      const parts = await readSnapshotAt(agents, account, { instant, now });
      return parts && snapshotFloor(parts, instant);
    },
    floorHistory: async (range, limit = 500) =>
      readFloorHistory(agents, account, { ...rangeArgument(range), limit: numberArgument('limit', limit, 1_000) }),
    feedChanges: async (range = {}) => readFeedChanges(agents, account, rangeArgument(range)),
    async agentDay(id, day, timeZone) {
      const agentId = textArgument('agentId', id);
      const bounds = dayArgument(day, timeZone);
      const [intervals = []] = await readAgentDays(agents, { account, agentId, days: [bounds] });
      const byState = (upTo: Date | string | undefined) =>
        secondsByState(intervals, {
          upTo: upTo === undefined ? undefined : instantArgument('upTo', upTo),
          end: bounds.end,
        });
      return { agentId, day, timeZone, ...bounds, intervals, secondsByState: byState };
    },
    day: async (day, timeZone, options = {}) =>
      readDay(context, { day, timeZone, ...dayArgument(day, timeZone) }, options),
    period: async ({ from, to }, timeZone, options = {}) =>
      readPeriod(cachedContext, { ...periodArgument({ from, to }, timeZone), timeZone }, options),
    call: async (callId) => readCallDetails(calls, account, textArgument('callId', callId)),
    callRows: async (callIds) =>
      readCallRows(
        calls,
        account,
        callIds.map((callId) => textArgument('callIds', callId)),
      ),
    ...recordingsClient(calls, account),
    calls: (range = {}) =>
      isRecordedRange(range)
        ? recordedCallList(calls, account, range)
        : callList(calls, { ...byTime, partition: joinedKey(account), ...rangeArgument(range) }),
    missedCalls: async (question = {}) => readMissedCalls(cachedContext, question),
    callWait: async (call) => readCallWait(cachedContext, call),
    callsOfCustomer: (number, range = {}, others) =>
      customerCallList(context, { number: textArgument('number', number), ...rangeArgument(range) }, others),
    otherSpellings: async (number, range = {}, options = {}) =>
      readOtherSpellings(cachedContext, { number: textArgument('number', number), ...rangeArgument(range) }, options),
    numbering: () => readNumbering(context),
    callsOfAgent: (agentId, range = {}) => {
      const partition = joinedKey(account, textArgument('agentId', agentId));
      return callList(calls, { ...byAgent, partition, ...rangeArgument(range) });
    },
    watch: ({ everySeconds = 5, signal, onError } = {}) =>
      watchFloor({
        read: (aborted) => readFloor(agents, account, aborted),
        clock,
        pause: (ms, aborted) => pause(ms, undefined, { ...(aborted && { signal: aborted }) }),
        everyMs: numberArgument('everySeconds', everySeconds, 3_600, { isWhole: false }) * 1000,
        signal,
        onError,
      }),
  };
};
