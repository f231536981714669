import { type Floor, type FloorRows, floorOf, staleAfterMs } from './floor.ts';

/** What watching takes of the world. */
export interface WatchPorts {
  readonly read: (signal: AbortSignal | undefined) => Promise<FloorRows>;
  readonly clock: () => Date;
  /** Waits so long, in milliseconds. Rejects, and leaves nothing behind, when the signal aborts. */
  readonly pause: (ms: number, signal: AbortSignal | undefined) => Promise<void>;
}

/** How a floor is watched. */
export interface WatchSettings {
  readonly everyMs: number;
  readonly signal: AbortSignal | undefined;
  readonly onError: ((error: unknown) => void) | undefined;
}

/** The rows that were seen last, and when it was last looked, in milliseconds since the epoch. */
interface LastLook {
  readonly rows: FloorRows | undefined;
  readonly lookedAtMs: number;
}

/** The floor at once, and then whenever it is another one or has grown stale. Looks only when the next one is asked for. */
export async function* watchFloor(ports: WatchPorts, watching: WatchSettings): AsyncGenerator<Floor, void> {
  let shown: string | undefined;
  for await (const floor of pollFloor(ports, watching)) {
    const signature = signatureOf(floor);
    if (signature === shown) continue;
    shown = signature;
    yield floor;
  }
}

/** The floor after each look, and when what was seen last grows stale. A look that failed leaves that to be shown. */
async function* pollFloor(ports: WatchPorts, { everyMs, signal, onError }: WatchSettings): AsyncGenerator<Floor, void> {
  const isOver = () => signal?.aborted === true;
  let seen: LastLook = { rows: undefined, lookedAtMs: Number.NEGATIVE_INFINITY };

  while (!isOver()) {
    try {
      seen = await nextLook(ports, seen, { everyMs, signal });
    } catch (error) {
      if (isOver()) return;
      if (onError === undefined) throw error;
      onError(error);
      seen = { ...seen, lookedAtMs: ports.clock().getTime() };
    }
    if (seen.rows !== undefined && !isOver()) yield floorOf(seen.rows, ports.clock());
  }
}

/** Waits until a look is due, and looks; or only until what was seen grows stale, if that is sooner. */
const nextLook = async (
  { read, clock, pause }: WatchPorts,
  { rows, lookedAtMs }: LastLook,
  { everyMs, signal }: Omit<WatchSettings, 'onError'>,
): Promise<LastLook> => {
  const nowMs = clock().getTime();
  // A clock that was set back is not waited for.
  const toLookMs = Math.min(everyMs, Math.max(0, lookedAtMs + everyMs - nowMs));
  const toStaleMs = untilStaleMs(rows, nowMs);
  if (toStaleMs < toLookMs) {
    await pause(toStaleMs, signal);
    return { rows, lookedAtMs };
  }
  if (toLookMs > 0) await pause(toLookMs, signal);
  const nextLookAtMs = clock().getTime();
  return { rows: await read(signal), lookedAtMs: nextLookAtMs };
};

/** How long a picture that is live stays so; without end if there is none. */
const untilStaleMs = (rows: FloorRows | undefined, nowMs: number): number => {
  const feed = rows?.feed;
  if (feed?.asOf === undefined || feed.status !== 'live') return Number.POSITIVE_INFINITY;
  const leftMs = staleAfterMs(feed, feed.asOf) + 1 - nowMs;
  return leftMs > 0 ? leftMs : Number.POSITIVE_INFINITY;
};

/** What makes a floor another one: its age alone does not. */
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
