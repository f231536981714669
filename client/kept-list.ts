import { recordedInTime } from '../lib/calls/call-keys.ts';
import type { ListedCall } from '../lib/contract/rows.ts';
import { secondsBetween } from '../lib/core/time.ts';
import type { InstantRange } from './arguments.ts';
import type { TooManyCalls } from './calls.ts';

/** A range of the list by time, which is read with one request for 1,000 calls. */
export type ListRange = InstantRange & { readonly most: number };

/** Reads parts of the list by time, and the calls that were first recorded late, from an instant on. */
export interface ListReader {
  readonly inRange: (range: ListRange) => Promise<readonly ListedCall[] | TooManyCalls>;
  readonly recordedLate: (from: string) => Promise<readonly ListedCall[]>;
}

interface BlockRange {
  readonly from: string;
  readonly to: string;
}

interface Block extends BlockRange {
  readonly calls: Map<string, ListedCall>;
  readWholeAtMs: number;
  readAtMs: number;
  reading: Promise<void>;
}

/** Ranges that are kept: each of up to three days, as what may return the calls of a day. */
const maxBlocks = 4;
const maxBlockSeconds = 3 * 86_400;

/** Within this time after a reading, the same result is given again. */
const freshMs = 5_000;

/**
 * A range is read whole again after this interval, because old calls may have changed. It is a second for every ten calls, and at
 * most a quarter of an hour.
 */
const wholeIntervalMsPerCall = 100;
const maxWholeIntervalMs = 900_000;

/** Clocks may differ by as much as a call may be recorded before its start. */
const marginMs = recordedInTime.beforeMs;

const instant = (ms: number): string => new Date(ms).toISOString();

/** The list of one range, kept as of the last reading. */
const blockOf = (range: BlockRange, listed: readonly ListedCall[], nowMs: number): Block => ({
  ...range,
  calls: new Map(listed.map((call) => [call.callId, call])),
  readWholeAtMs: nowMs,
  readAtMs: nowMs,
  reading: Promise.resolve(),
});

/** Reads what was recorded since the last reading, or the whole range once its interval has passed. */
const readOn = async (block: Block, nowMs: number, read: ListReader): Promise<void> => {
  const { calls, to, readAtMs } = block;
  const isWhole = nowMs - block.readWholeAtMs >= Math.min(maxWholeIntervalMs, calls.size * wholeIntervalMsPerCall);
  const sinceMs = readAtMs - marginMs;
  const recent = instant(sinceMs - recordedInTime.afterMs);
  const from = isWhole || recent < block.from ? block.from : recent;
  const [listed, late] = await Promise.all([
    from > to ? [] : read.inRange({ from, to, most: Number.POSITIVE_INFINITY }),
    from === block.from ? [] : read.recordedLate(instant(sinceMs)),
  ]);
  // There cannot be more, because `most` is infinite.
  if ('moreThan' in listed) return;
  for (const { callId, listedAt } of [...calls.values()]) if (listedAt >= from) calls.delete(callId);
  for (const call of [...late, ...listed])
    if (call.listedAt >= block.from && call.listedAt <= to) calls.set(call.callId, call);
  block.readAtMs = nowMs;
  if (from === block.from) block.readWholeAtMs = nowMs;
};

const byNewest = (a: ListedCall, b: ListedCall): number =>
  b.listedAt.localeCompare(a.listedAt) || b.callId.localeCompare(a.callId);

const partOf = ({ calls }: Block, { from, to, most }: BlockRange & Pick<ListRange, 'most'>) => {
  const listed = [...calls.values()].filter(({ listedAt }) => listedAt >= from && listedAt <= to).sort(byNewest);
  const oldest = listed.length > most ? listed[most - 1] : undefined;
  return oldest === undefined ? listed : { moreThan: most, since: oldest.listedAt };
};

export const keptList = (clock: () => Date) => {
  let blocks: readonly Block[] = [];
  const covers = (outer: BlockRange, { from, to }: BlockRange) => outer.from <= from && outer.to >= to;

  return async ({ from, to, most }: ListRange, read: ListReader) => {
    if (from === undefined || to === undefined || secondsBetween(from, to) > maxBlockSeconds)
      return await read.inRange({ from, to, most });
    const range = { from, to };
    const nowMs = clock().getTime();
    const block = blocks.find((one) => covers(one, range));
    if (block === undefined) {
      const listed = await read.inRange({ ...range, most });
      // A concurrent reading may have kept this range.
      if ('moreThan' in listed || blocks.some((one) => covers(one, range))) return listed;
      const others = blocks.filter((other) => !covers(range, other));
      blocks = [blockOf(range, listed, nowMs), ...others.slice(0, maxBlocks - 1)];
      return listed;
    }
    // One after the other: who comes meanwhile gets what the one before has read.
    block.reading = block.reading
      .catch(() => undefined)
      .then(async () => {
        if (nowMs - block.readAtMs >= freshMs) await readOn(block, nowMs, read);
      });
    await block.reading;
    // A larger range may have replaced it meanwhile.
    if (blocks.includes(block)) blocks = [block, ...blocks.filter((other) => other !== block)];
    return partOf(block, { ...range, most });
  };
};
