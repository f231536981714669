import { setTimeout as pause } from 'node:timers/promises';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { joinedKey } from '../lib/text/key.ts';
import { readAgentDay } from './agents/read-agent-day.ts';
import { readAgentsInState } from './agents/read-agents-in-state.ts';
import { secondsByState } from './agents/seconds-by-state.ts';
import { dayFrom } from './arguments/day-from.ts';
import { instantFrom } from './arguments/instant-from.ts';
import { numberFrom } from './arguments/number-from.ts';
import { pastFrom } from './arguments/past-from.ts';
import { rangeFrom } from './arguments/range-from.ts';
import { stateFrom } from './arguments/state-from.ts';
import { textFrom } from './arguments/text-from.ts';
import type { CallfeedClient } from './callfeed-client.ts';
import { callList } from './calls/call-list.ts';
import { readWholeCall } from './calls/read-whole-call.ts';
import { floorOf } from './floor/floor-of.ts';
import { freshnessOf } from './floor/freshness-of.ts';
import { pastFloorOf } from './floor/past-floor-of.ts';
import { readAgent, readFeed, readFloor } from './floor/read-floor.ts';
import { readPastFloorAt } from './floor/read-past-floor.ts';
import { watchFloor } from './floor/watch-floor.ts';
import type { Read } from './read.ts';
import { byAgent, byCustomer, byTime } from './reading/table-keys.ts';
import { tableReader } from './reading/table-reader.ts';

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
      const parts = await readPastFloorAt(agents, account, { moment, now });
      return parts && pastFloorOf(parts, moment);
    },
    async agentDay(id, day, timeZone) {
      const agentId = textFrom('agentId', id);
      const bounds = dayFrom(day, timeZone);
      const stretches = await readAgentDay(agents, { account, agentId, bounds });
      const byState = (upTo: Date | string | undefined) =>
        secondsByState(stretches, {
          upTo: upTo === undefined ? undefined : instantFrom('upTo', upTo),
          end: bounds.end,
        });
      return { agentId, day, timeZone, ...bounds, stretches, secondsByState: byState };
    },
    call: async (callId) => readWholeCall(calls, account, textFrom('callId', callId)),
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
