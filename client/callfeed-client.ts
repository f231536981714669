import type { FloorState } from '../lib/agent-login/states.ts';
import type { AgentInState, AgentNow } from '../lib/contract/rows.ts';
import type { AgentDay } from './agent-day.ts';
import type { CallList, CallRange, WholeCall } from './call-lists.ts';
import type { Floor, FloorAt, Freshness, LastKnown } from './picture.ts';

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
  readonly agentsInState: (state: FloorState) => Promise<LastKnown<readonly AgentInState[]>>;
  /** The floor at a past moment; nothing if that is before the first one that is kept. A floor in parts is a request more. */
  readonly floorAt: (moment: Date | string) => Promise<FloorAt | undefined>;
  /**
   * An agent's day, such as 2026-11-21. `timeZone` is the account's: its midnights divide the days. A RangeError where the
   * day's stretches show that it is not.
   */
  readonly agentDay: (agentId: string, day: string, timeZone: string) => Promise<AgentDay>;
  /** A call with its legs, participants and deliveries; nothing if it is not known. */
  readonly call: (callId: string) => Promise<WholeCall | undefined>;
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
