import type { AgentDay, Freshness } from '../../client/index.ts';

/** Up to when a day is known by the picture of the floor; without one nothing of it is. */
export const knownUpTo = (picture: Freshness, { start, end }: Pick<AgentDay, 'start' | 'end'>): string => {
  if (picture.freshness === 'none' || picture.asOf < start) return start;
  return picture.asOf < end ? picture.asOf : end;
};
