import { setImmediate as nextTurn } from 'node:timers/promises';

/** An activity that waits for something else than its turn would hang the run; this many rounds tell. */
const mostIdleRounds = 100_000;

/**
 * Does all of it at once, and has `letOneGo` let one of those that wait go on whenever all have come to rest: whatever
 * is not waiting runs on promises alone. It answers whether anybody waited.
 */
export const byTurns = async <Result>(
  activities: readonly (() => Promise<Result>)[],
  letOneGo: () => boolean,
): Promise<readonly Result[]> => {
  let left = activities.length;
  const results = Promise.all(
    activities.map((activity) =>
      activity().finally(() => {
        left -= 1;
      }),
    ),
  );
  results.catch(() => undefined);
  for (let idle = 0; left > 0; ) {
    await nextTurn();
    idle = letOneGo() ? 0 : idle + 1;
    if (idle > mostIdleRounds) throw new Error('An activity waits for something that never comes');
  }
  return results;
};
