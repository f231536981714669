import type { AgentStretch } from '../../lib/contract/rows.ts';
import { secondsBetween } from '../../lib/floor/stretch.ts';

/** Seconds in each state in which the agent was at all. */
export type SecondsByState = { readonly [State in AgentStretch['state']]?: number };

/**
 * How long an agent was in each state. An open stretch counts up to an instant, or to the end of the day if that is
 * earlier; without an instant it does not count.
 */
export const secondsByState = (
  stretches: readonly AgentStretch[],
  { upTo, end }: { readonly upTo: string | undefined; readonly end: string },
): SecondsByState => {
  const known = upTo !== undefined && upTo > end ? end : upTo;
  const seconds: { [State in AgentStretch['state']]?: number } = {};
  for (const stretch of stretches) {
    const lasted = stretch.seconds ?? Math.max(0, secondsBetween(stretch.from, known ?? stretch.from));
    seconds[stretch.state] = (seconds[stretch.state] ?? 0) + lasted;
  }
  return seconds;
};
