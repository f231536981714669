import { lineThrough, type Point } from './line-through.ts';

/** How much a series grew, and how much it might have. */
export interface Flatness {
  /** What the line through the points rises by from the first to the last. */
  readonly growth: number;
  readonly bound: number;
  readonly isFlat: boolean;
}

/** Growth that noise can feign: the scatter about the line, so many times over. */
const timesScatter = 3;

/**
 * Whether a series stays where it is. It may grow by `allowed`, or by what noise can feign if that is more; a series that
 * grows steadily has little scatter about its line, so that the one cannot hide the other.
 */
export const flatness = (points: readonly Point[], allowed: number): Flatness => {
  const { slope, scatter } = lineThrough(points);
  const span = (points.at(-1)?.at ?? 0) - (points[0]?.at ?? 0);
  const growth = slope * span;
  const bound = Math.max(allowed, timesScatter * scatter);

  return { growth, bound, isFlat: growth <= bound };
};
