import type { Engagement, Floor } from './floor.ts';

/** What an agent does in a call, in the words of the service. */
export type BusyState = 'calling' | 'INCALL' | 'ACW';

/** What an engagement has its agent do at an instant; undefined before and after it. */
export const busyStateOf = ({ ringsAt, talksAt, leavesAt, readyAt }: Engagement, at: number): BusyState | undefined => {
  if (at < ringsAt || at >= readyAt) return undefined;
  if (at < talksAt) return 'calling';
  return at < leavesAt ? 'INCALL' : 'ACW';
};

/** Who is busy at an instant, and with what. */
export const busyAt = ({ engagements }: Floor, at: number): ReadonlyMap<string, BusyState> =>
  new Map(
    engagements.flatMap((engagement) => {
      const state = busyStateOf(engagement, at);
      return state === undefined ? [] : [[engagement.agent.id, state] as const];
    }),
  );
