import type { AgentStretch } from '../lib/contract/rows.ts';
import type { SecondsByState } from './agents/seconds-by-state.ts';

/** An agent's day in the zone of the account. */
export interface AgentDay {
  readonly agentId: string;
  /** As in 2026-11-21. */
  readonly day: string;
  readonly timeZone: string;
  /** The instant at which the day begins. */
  readonly start: string;
  /** The instant at which it is over; 23 or 25 hours later where clocks change. */
  readonly end: string;
  /** In the order of time; the last one may be open, without `to`. */
  readonly stretches: readonly AgentStretch[];
  /**
   * How long the agent was in each state. An open stretch counts up to `upTo`, which is the feed's `asOf`, or to the end
   * of the day if that is earlier; without `upTo` it does not count.
   */
  readonly secondsByState: (upTo: Date | string | undefined) => SecondsByState;
}
