import { type Floor, type FloorRows, floorOf, staleAfterMs } from './floor.ts';

export interface WatchPorts {
  readonly read: (signal: AbortSignal | undefined) => Promise<FloorRows>;
  readonly clock: () => Date;
  /** Waits. Rejects and clears its timer when the signal aborts. */
  readonly pause: (ms: number, signal: AbortSignal | undefined) => Promise<void>;
}

export interface WatchSettings {
  readonly everyMs: number;
  readonly signal: AbortSignal | undefined;
  readonly onError: ((error: unknown) => void) | undefined;
}

interface LastRead {
  readonly rows: FloorRows | undefined;
  readonly attemptedAtMs: number;
}

/** The agents at once, and then whenever they change or become stale. Reads only when the next value is asked for. */
export async function* watchFloor(ports: WatchPorts, watching: WatchSettings): AsyncGenerator<Floor, void> {
  let yielded: string | undefined;
  for await (const floor of pollFloor(ports, watching)) {
    const signature = signatureOf(floor);
    if (signature === yielded) continue;
    yielded = signature;
    yield floor;
  }
}

/** The agents after each read, and when they become stale. A failed read yields the agents that were read last. */
async function* pollFloor(ports: WatchPorts, { everyMs, signal, onError }: WatchSettings): AsyncGenerator<Floor, void> {
  const isOver = () => signal?.aborted === true;
  let last: LastRead = { rows: undefined, attemptedAtMs: Number.NEGATIVE_INFINITY };

  while (!isOver()) {
    try {
      last = await nextRead(ports, last, { everyMs, signal });
    } catch (error) {
      if (isOver()) return;
      if (onError === undefined) throw error;
      onError(error);
      last = { ...last, attemptedAtMs: ports.clock().getTime() };
    }
    if (last.rows !== undefined && !isOver()) yield floorOf(last.rows, ports.clock());
  }
}

/** Waits until a read is due, and reads; or waits only until the last rows become stale, if that is sooner. */
const nextRead = async (
  { read, clock, pause }: WatchPorts,
  { rows, attemptedAtMs }: LastRead,
  { everyMs, signal }: Omit<WatchSettings, 'onError'>,
): Promise<LastRead> => {
  const nowMs = clock().getTime();
  // After the clock was set back, the wait is one interval at most.
  const toReadMs = Math.min(everyMs, Math.max(0, attemptedAtMs + everyMs - nowMs));
  const toStaleMs = untilStaleMs(rows, nowMs);
  if (toStaleMs < toReadMs) {
    await pause(toStaleMs, signal);
    return { rows, attemptedAtMs };
  }
  if (toReadMs > 0) await pause(toReadMs, signal);
  const startedAtMs = clock().getTime();
  return { rows: await read(signal), attemptedAtMs: startedAtMs };
};

/** Milliseconds until live data becomes stale; infinite if it is not live. */
const untilStaleMs = (rows: FloorRows | undefined, nowMs: number): number => {
  const feed = rows?.feed;
  if (feed?.asOf === undefined || feed.status !== 'live') return Number.POSITIVE_INFINITY;
  const leftMs = staleAfterMs(feed, feed.asOf) + 1 - nowMs;
  return leftMs > 0 ? leftMs : Number.POSITIVE_INFINITY;
};

/** Equal for equal agents: a growing age alone is no change. */
const signatureOf = (floor: Floor): string => {
  switch (floor.freshness) {
    case 'none':
      return floor.freshness;
    case 'live':
      return JSON.stringify([floor.freshness, floor.asOf, floor.agents]);
    case 'stale':
      return JSON.stringify([floor.freshness, floor.asOf, floor.lastKnownAgents]);
  }
};
