import { recordedInTime } from '../lib/calls/call-keys.ts';
import type { ListedCall } from '../lib/contract/rows.ts';
import { keepLatest } from '../lib/core/collections.ts';
import { secondsBetween } from '../lib/core/time.ts';
import type { Row } from '../lib/storage/rows.ts';
import type { DayBounds, InstantRange } from './arguments.ts';
import type { TooManyCalls } from './calls.ts';
import type { DayCall } from './day-call.ts';
import type { SecondsByState } from './past-agents.ts';

/** A range of the list by time, which is read with one request for 1,000 calls. */
export type ListRange = InstantRange & { readonly most: number };

/** Reads parts of the list by time, and the calls that were first recorded late, from an instant on. */
export interface ListReader {
  readonly inRange: (range: ListRange) => Promise<readonly ListedCall[] | TooManyCalls>;
  readonly recordedLate: (from: string) => Promise<readonly ListedCall[]>;
}

interface Block {
  readonly from: string;
  readonly to: string;
  readonly calls: Map<string, ListedCall>;
  wholeMs: number;
  readMs: number;
  reading: Promise<void>;
}

/** Ranges that are kept: each of up to three days, as what may return the calls of a day. */
const maxBlocks = 4;
const maxBlockSeconds = 3 * 86_400;

/** Who asks for the same within this time gets what was read. */
const sharedMs = 5_000;

/**
 * After how long a range is read whole again, for what changed or moved in it long after its start: a second for every ten
 * calls, and a quarter of an hour at most. So a small account reads it nearly each time, and a large one at no higher cost.
 */
const wholeMsACall = 100;
const maxWholeMs = 900_000;

/** Clocks may differ by as much as a call may be recorded before its start. */
const marginMs = recordedInTime.beforeMs;

const instant = (ms: number): string => new Date(ms).toISOString();

/** The list of one range, kept as of the last reading. */
const blockOf = (range: Pick<Block, 'from' | 'to'>, listed: readonly ListedCall[], nowMs: number): Block => ({
  ...range,
  calls: new Map(listed.map((call) => [call.callId, call])),
  wholeMs: nowMs,
  readMs: nowMs,
  reading: Promise.resolve(),
});

/** Reads what is new: the calls that may have been recorded in time since, and those that were recorded late. */
const readOn = async (block: Block, nowMs: number, read: ListReader): Promise<void> => {
  const { calls, to, readMs } = block;
  const isWhole = nowMs - block.wholeMs >= Math.min(maxWholeMs, calls.size * wholeMsACall);
  const sinceMs = readMs - marginMs;
  const recent = instant(sinceMs - recordedInTime.afterMs);
  const from = isWhole || recent < block.from ? block.from : recent;
  const [listed, late] = await Promise.all([
    from > to ? [] : read.inRange({ from, to, most: Number.POSITIVE_INFINITY }),
    from === block.from ? [] : read.recordedLate(instant(sinceMs)),
  ]);
  if ('moreThan' in listed) return;
  for (const { callId, listedAt } of [...calls.values()]) if (listedAt >= from) calls.delete(callId);
  for (const call of [...late, ...listed])
    if (call.listedAt >= block.from && call.listedAt <= to) calls.set(call.callId, call);
  block.readMs = nowMs;
  if (from === block.from) block.wholeMs = nowMs;
};

const newestFirst = (a: ListedCall, b: ListedCall): number =>
  b.listedAt.localeCompare(a.listedAt) || b.callId.localeCompare(a.callId);

const partOf = ({ calls }: Block, { from, to, most }: Pick<Block, 'from' | 'to'> & Pick<ListRange, 'most'>) => {
  const listed = [...calls.values()].filter(({ listedAt }) => listedAt >= from && listedAt <= to).sort(newestFirst);
  const oldest = listed.length > most ? listed[most - 1] : undefined;
  return oldest === undefined ? listed : { moreThan: most, since: oldest.listedAt };
};

const keptList = (clock: () => Date) => {
  let blocks: readonly Block[] = [];
  const covers = (outer: Pick<Block, 'from' | 'to'>, { from, to }: Pick<Block, 'from' | 'to'>) =>
    outer.from <= from && outer.to >= to;

  return async ({ from, to, most }: ListRange, read: ListReader) => {
    if (from === undefined || to === undefined || secondsBetween(from, to) > maxBlockSeconds)
      return await read.inRange({ from, to, most });
    const range = { from, to };
    const nowMs = clock().getTime();
    const block = blocks.find((one) => covers(one, range));
    if (block === undefined) {
      const listed = await read.inRange({ ...range, most });
      // Somebody who asked for more may have got it meanwhile.
      if ('moreThan' in listed || blocks.some((one) => covers(one, range))) return listed;
      const others = blocks.filter((other) => !covers(range, other));
      blocks = [blockOf(range, listed, nowMs), ...others.slice(0, maxBlocks - 1)];
      return listed;
    }
    // One after the other: who comes meanwhile gets what the one before has read.
    block.reading = block.reading
      .catch(() => undefined)
      .then(async () => {
        if (nowMs - block.readMs >= sharedMs) await readOn(block, nowMs, read);
      });
    await block.reading;
    // A larger range may have replaced it meanwhile.
    if (blocks.includes(block)) blocks = [block, ...blocks.filter((other) => other !== block)];
    return partOf(block, { ...range, most });
  };
};

interface Revision {
  readonly callId: string;
  readonly revision: number;
}

/** As many calls as two days of a large account have. */
const maxRows = 60_000;

/** What is kept of the rows of calls: each revision is read once. */
const keptRows = <Value>() => {
  const kept = new Map<string, Pick<Revision, 'revision'> & { readonly value: Value }>();
  return {
    of({ callId, revision }: Revision): Value | undefined {
      const found = kept.get(callId);
      return found !== undefined && found.revision >= revision ? found.value : undefined;
    },
    keep({ callId, revision }: Row, value: Value): void {
      keepLatest(kept, String(callId), { revision: Number(revision), value }, maxRows);
    },
  };
};

/** What is kept of some days of an agent: the sums of the intervals before an instant. From there on they are read again. */
export interface KeptTime {
  readonly settledUpTo: string;
  readonly secondsByDay: Readonly<Record<string, SecondsByState>>;
}

/** What is kept of who was logged in on some days: by the snapshots up to an instant, which no poll changes any more. */
export interface KeptSeen {
  readonly settledMs: number;
  readonly names: ReadonlyMap<string, string | undefined>;
}

/** Agents of a few days, and periods. */
const maxTimes = 10_000;
const maxSeen = 4;

const keptValues = <Value>(most: number) => {
  const kept = new Map<string, Value>();
  const keyOf = ({ start, end }: DayBounds, id = '') => `${start} ${end} ${id}`;
  return {
    of: (bounds: DayBounds, id?: string): Value | undefined => kept.get(keyOf(bounds, id)),
    keep: (value: Value, bounds: DayBounds, id?: string): void => keepLatest(kept, keyOf(bounds, id), value, most),
  };
};

/**
 * What a reader that asks again and again, such as the console, keeps of an account, so that it reads what is new. A revision of
 * a call that began more than an hour before is found when its range is read whole.
 */
export const keptRecords = (clock: () => Date) => ({
  list: keptList(clock),
  dayCalls: keptRows<DayCall>(),
  conversations: keptRows<boolean>(),
  times: keptValues<KeptTime>(maxTimes),
  seen: keptValues<KeptSeen>(maxSeen),
});

export type KeptRecords = ReturnType<typeof keptRecords>;
