import { keepLatest } from '../lib/core/collections.ts';
import type { Row } from '../lib/storage/rows.ts';
import type { SecondsByState } from './agent-days.ts';
import type { DayBounds } from './arguments.ts';
import type { DayCall } from './day-call.ts';
import { keptList } from './kept-list.ts';

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
