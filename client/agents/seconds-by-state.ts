import type { AgentStretch } from '../../lib/contract/rows.ts';
import { secondsBetween } from '../../lib/floor/stretch.ts';

/**
 * How long an agent was in each state. An open stretch counts up to an instant, or to the end of the day if that is
 * earlier; without an instant it does not count.
 */
export const secondsByState = (
  stretches: readonly AgentStretch[],
  { upTo, end }: { readonly upTo: string | undefined; readonly end: string },
): Readonly<Record<string, number>> => {
  const known = upTo !== undefined && upTo > end ? end : upTo;
  const seconds = new Map<string, number>();
  for (const stretch of stretches) {
    const lasted = stretch.seconds ?? Math.max(0, secondsBetween(stretch.from, known ?? stretch.from));
    seconds.set(stretch.state, (seconds.get(stretch.state) ?? 0) + lasted);
  }
  return Object.fromEntries(seconds);
};
