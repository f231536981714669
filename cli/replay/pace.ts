/** What pacing takes of the world. */
export interface PaceClock {
  readonly now: () => number;
  readonly pause: (milliseconds: number) => Promise<unknown>;
}

/** Lets pass so many a second at most, evenly: what was not used of a second is not made up for in the next. */
export const pace = (perSecond: number, { now, pause }: PaceClock): (() => Promise<void>) => {
  const step = 1000 / perSecond;
  let next = Number.NEGATIVE_INFINITY;
  return async () => {
    const wait = next - now();
    next = Math.max(next, now()) + step;
    if (wait > 0) await pause(wait);
  };
};
