import { keepLatest } from '../../lib/core/collections.ts';
import { isDown, problemOf } from '../frame/problem.ts';

/** One is shared by all who ask while it is under way, and until a time after it. */
export interface KeptReading<Value> {
  readonly done: Promise<Value>;
  untilMs: number;
  /** What it has found; while it is under way, or if it fails, what the one before it had. */
  found?: Value | undefined;
  /** Why it failed. */
  problem?: string;
}

/** A reading is kept for so many times as long as it took, so that it never keeps the tables busy; one that failed, for fewer. */
const timesItTook = 30;
const timesWhileDown = 3;

/** The latest readings of what takes many requests, by a key of what was asked. */
export const keptReadings = <Value>(clock: () => Date, most: number) => {
  const kept = new Map<string, KeptReading<Value>>();
  const nowMs = () => clock().getTime();

  /** The last reading, or a new one. It is kept, also where it fails: for `leastMs`, or longer if it takes long. */
  const latest = (key: string, leastMs: number, read: () => Promise<Value>): KeptReading<Value> => {
    const last = kept.get(key);
    if (last !== undefined && nowMs() < last.untilMs) return last;

    const begunMs = nowMs();
    const begun: KeptReading<Value> = { done: read(), untilMs: Number.POSITIVE_INFINITY, found: last?.found };
    const ended = (outcome: Pick<KeptReading<Value>, 'found' | 'problem'>, times = timesItTook) => {
      const endedMs = nowMs();
      Object.assign(begun, outcome, { untilMs: endedMs + Math.max(leastMs, times * (endedMs - begunMs)) });
    };
    begun.done.then(
      (found) => ended({ found }),
      (error: unknown) => ended({ problem: problemOf(error).message }, isDown(error) ? timesWhileDown : timesItTook),
    );
    keepLatest(kept, key, begun, most);
    return begun;
  };

  return {
    latest,
    /** For somebody who waits for it: a reading that failed is tried again. */
    wanted(...[key, ...how]: Parameters<typeof latest>): Promise<Value> {
      const last = kept.get(key);
      if (last?.problem !== undefined) last.untilMs = 0;
      return latest(key, ...how).done;
    },
    has(key: string): boolean {
      const { untilMs = 0, problem } = kept.get(key) ?? {};
      return problem === undefined && nowMs() < untilMs;
    },
  };
};
