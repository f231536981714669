/** A clock that moves only when a test advances it. */
export const manualClock = (from: string) => {
  let nowMs = Date.parse(from);
  return {
    clock: () => new Date(nowMs),
    now: () => nowMs,
    advance(ms: number) {
      nowMs += ms;
    },
  };
};
