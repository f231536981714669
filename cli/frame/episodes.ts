import { batches } from '../../lib/core/collections.ts';

/** What is further apart in time is told as two things. */
const mostPauseMs = 10 * 60_000;

interface Episode {
  readonly at: string;
  /** Absent where it is one instant. */
  readonly until?: string;
  readonly count: number;
}

/** Divides instants (ISO, in any order) at pauses of more than ten minutes. */
export const episodes = (instants: readonly string[]): readonly Episode[] => {
  const isNear = (before: readonly string[], next: string): boolean =>
    Date.parse(next) - Date.parse(before.at(-1) ?? '') <= mostPauseMs;
  return batches([...instants].sort(), isNear).flatMap((batch) => {
    const [at] = batch;
    const until = batch.at(-1);
    return at === undefined ? [] : [{ at, ...(until !== undefined && until !== at && { until }), count: batch.length }];
  });
};
