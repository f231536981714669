import { setTimeout as pause } from 'node:timers/promises';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { AgentInState, AgentNow } from '../contract/rows.ts';
import { joinedKey } from '../core/text.ts';
import type { LoggedInState } from '../telephony/agent-fields.ts';
import { type AgentDay, readAgentDay, readAgentsInState, secondsByState } from './agents.ts';
import { dayFrom, instantFrom, numberFrom, pastFrom, stateFrom, textFrom } from './arguments.ts';
import { type CallDetails, type CallList, type CallRange, callList, rangeFrom, readCallDetails } from './calls.ts';
import {
  type Floor,
  type FloorAt,
  type Freshness,
  floorOf,
  freshnessOf,
  type LastKnown,
  readAgent,
  readFeed,
  readFloor,
  readSnapshotAt,
  snapshotFloor,
} from './floor.ts';
import { byAgent, byCustomer, byTime, type Read, tableReader } from './table-reader.ts';
import { watchFloor } from './watch-floor.ts';

/** How a floor is watched. */
export interface WatchOptions {
  /** Seconds between two looks, from 1 to 3,600; 5 unless told. */
  readonly everySeconds?: number;
  /** Ends it, and whatever it is waiting for. */
  readonly signal?: AbortSignal;
  /** Told when a look fails, after which the last picture goes on growing old; without it the failure is thrown. */
  readonly onError?: (error: unknown) => void;
}

/** Reads one account's calls and agents. Each method is one GetItem or one Query, of more requests only beyond 1 MB. */
export interface CallfeedClient {
  /** How old the picture of the floor is, and how many agents are in each state. */
  readonly feed: () => Promise<Freshness>;
  /**
   * All agents who are logged in, and how old that is. The agents are there under a name that says so.
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
  /** The floor at a past moment; nothing if that is before the first one that is kept. A floor in parts is a request more. */
  readonly floorAt: (moment: Date | string) => Promise<FloorAt | undefined>;
  /**
   * An agent's day, such as 2026-11-21. `timeZone` is the account's: its midnights divide the days. A RangeError where the
   * day's intervals show that it is not.
   */
  readonly agentDay: (agentId: string, day: string, timeZone: string) => Promise<AgentDay>;
  /** A call with its legs, participants and deliveries; nothing if it is not known. */
  readonly call: (callId: string) => Promise<CallDetails | undefined>;
  /**
   * The account's calls.
   * @example
   * for await (const call of callfeed.calls({ from: '2026-11-20T00:00:00+05:30' }))
   *   if (call.status === 'not-answered') console.log(call.callId, call.skillName);
   */
  readonly calls: (range?: CallRange) => CallList;
  /** The calls of a customer's number, as it was sent. */
  readonly callsOfCustomer: (number: string, range?: CallRange) => CallList;
  /** The calls of an agent, those of which another agent was the first included. */
  readonly callsOfAgent: (agentId: string, range?: CallRange) => CallList;
  /**
   * The floor at once, and then whenever its agents, `asOf` or freshness are others. It looks only when the next one is
   * asked for, so a slow reader skips some. Ends when `signal` is aborted; leaving the loop ends it too, but one that is
   * waiting at that moment does so only after its wait.
   * @example
   * for await (const floor of callfeed.watch({ signal: AbortSignal.timeout(3_600_000) })) render(floor);
   */
  readonly watch: (options?: WatchOptions) => AsyncIterable<Floor>;
}

/** What a client is made of. */
export interface CallfeedClientOptions {
  /** Needs the rights `dynamodb:Query` and `dynamodb:GetItem` on both tables and their indexes. */
  readonly dynamodb: Pick<DynamoDBClient, 'send'>;
  /** The names of the tables, as the stack puts them out. */
  readonly tables: { readonly calls: string; readonly agents: string };
  /** The account of the telephony service, by its user name. */
  readonly account: string;
  /** By which it is told how old the floor is; the machine's unless told. */
  readonly clock?: () => Date;
  /** Told of each request to DynamoDB once it is answered, with what it took. */
  readonly onRead?: (read: Read) => void;
}

const everySeconds = { least: 1, most: 3600, isWhole: false };

/**
 * A client that reads one account's calls and agents. It keeps nothing, writes nothing and logs nothing. Arguments that
 * cannot be meant are a TypeError or RangeError that says what is allowed; a row that is not as declared is an
 * `UnreadableRow`; errors of DynamoDB come through as they are.
 * @example
 * const callfeed = createCallfeedClient({
 *   dynamodb: new DynamoDBClient(),
 *   tables: { calls: 'callfeed-calls', agents: 'callfeed-agents' },
 *   account: 'demo',
 * });
 */
export const createCallfeedClient = (options: CallfeedClientOptions): CallfeedClient => {
  const { dynamodb, tables, onRead, clock = () => new Date() } = options;
  const account = textFrom('account', options.account);
  const calls = tableReader({ dynamodb, onRead, table: 'calls', tableName: textFrom('tables.calls', tables.calls) });
  const agents = tableReader({
    dynamodb,
    onRead,
    table: 'agents',
    tableName: textFrom('tables.agents', tables.agents),
  });

  return {
    feed: async () => freshnessOf(await readFeed(agents, account), clock()),
    floor: async () => floorOf(await readFloor(agents, account), clock()),
    agent: async (agentId) => ({ lastKnown: await readAgent(agents, account, textFrom('agentId', agentId)) }),
    agentsInState: async (state) => ({ lastKnown: await readAgentsInState(agents, account, stateFrom(state)) }),
    async floorAt(past) {
      const now = clock();
      const moment = pastFrom('moment', past, now);
      const parts = await readSnapshotAt(agents, account, { moment, now });
      return parts && snapshotFloor(parts, moment);
    },
    async agentDay(id, day, timeZone) {
      const agentId = textFrom('agentId', id);
      const bounds = dayFrom(day, timeZone);
      const intervals = await readAgentDay(agents, { account, agentId, bounds });
      const byState = (upTo: Date | string | undefined) =>
        secondsByState(intervals, {
          upTo: upTo === undefined ? undefined : instantFrom('upTo', upTo),
          end: bounds.end,
        });
      return { agentId, day, timeZone, ...bounds, intervals, secondsByState: byState };
    },
    call: async (callId) => readCallDetails(calls, account, textFrom('callId', callId)),
    calls: (range = {}) => callList(calls, { ...byTime, partition: joinedKey(account), ...rangeFrom(range) }),
    callsOfCustomer: (number, range = {}) => {
      const partition = joinedKey(account, textFrom('number', number));
      return callList(calls, { ...byCustomer, partition, ...rangeFrom(range) });
    },
    callsOfAgent: (agentId, range = {}) => {
      const partition = joinedKey(account, textFrom('agentId', agentId));
      return callList(calls, { ...byAgent, partition, ...rangeFrom(range) });
    },
    watch: ({ everySeconds: every = 5, signal, onError } = {}) =>
      watchFloor(
        {
          read: (aborted) => readFloor(agents, account, aborted),
          clock,
          pause: (ms, aborted) => pause(ms, undefined, { ...(aborted && { signal: aborted }) }),
        },
        { everyMs: numberFrom('everySeconds', every, everySeconds) * 1000, signal, onError },
      ),
  };
};
