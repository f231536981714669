import { setTimeout as pause } from 'node:timers/promises';

/**
 * Starts each task when it is due and waits for none of them: who posts does not wait until others are answered. Each
 * is told the instant at which it was due, on the clock of `performance.now`, which is when its latency begins.
 */
export const atTheirTimes = async (
  times: readonly number[],
  start: (index: number, dueAt: number) => void,
  signal?: AbortSignal,
): Promise<void> => {
  const startedAt = performance.now();
  for (const [index, time] of times.entries()) {
    const dueAt = startedAt + time;
    for (let early = dueAt - performance.now(); early > 0; early = dueAt - performance.now()) await pause(early);
    if (signal?.aborted) return;
    start(index, dueAt);
  }
};
