import { keepLatest } from '../../lib/core/collections.ts';

interface Reading<Value> {
  readonly done: Promise<Value>;
  /** Until when it is kept; it is shared by all who ask while it is under way. */
  untilMs: number;
  /** What it has found, or while it is under way, what the one before it had. */
  found?: Value;
}

/** A reading is kept for this share of the time that it took, so that it never keeps the tables busy. */
const shareOfReading = 30;

/** The latest readings of what takes many requests, by a key of what was asked. One that fails is not kept. */
export const keptReadings = <Value>(clock: () => Date, most: number) => {
  const kept = new Map<string, Reading<Value>>();

  const current = (key: string): Reading<Value> | undefined => {
    const reading = kept.get(key);
    return reading !== undefined && clock().getTime() < reading.untilMs ? reading : undefined;
  };

  /** The reading that is kept, or a new one. `leastMs`: how long that is kept, unless it takes long. */
  const reading = (key: string, leastMs: number, read: () => Promise<Value>): Reading<Value> => {
    const known = current(key);
    if (known !== undefined) return known;

    const begunMs = clock().getTime();
    const before = kept.get(key)?.found;
    const readAndKeep = async () => {
      const found = await read();
      const readMs = clock().getTime();
      begun.found = found;
      begun.untilMs = readMs + Math.max(leastMs, shareOfReading * (readMs - begunMs));
      return found;
    };
    const begun: Reading<Value> = {
      done: readAndKeep(),
      untilMs: Number.POSITIVE_INFINITY,
      ...(before !== undefined && { found: before }),
    };
    keepLatest(kept, key, begun, most);
    begun.done.catch(() => kept.get(key) === begun && kept.delete(key));
    return begun;
  };
  return { current, reading };
};
