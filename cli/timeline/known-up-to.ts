import type { AgentDay, Freshness } from '../../client/index.ts';

/**
 * Up to when a day is known: as far as the picture of the floor has come, and never beyond now; without a picture, nothing
 * of it is.
 */
export const knownUpTo = (picture: Freshness, { start, end }: Pick<AgentDay, 'start' | 'end'>, now: Date): string => {
  if (picture.freshness === 'none') return start;
  const [first = start] = [picture.asOf, now.toISOString(), end].toSorted();
  return first < start ? start : first;
};
