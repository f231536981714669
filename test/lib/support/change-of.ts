import type { RowChange } from '../../../lib/publish/row-change.ts';
import { type Delivery, deliveryOf, type Facts } from '../../../lib/record/delivery.ts';
import { admit, type CallRecord, type RecordKey } from '../../../lib/record/record.ts';
import { rowOf } from '../../../lib/record/row.ts';
import { callKey } from './record-of.ts';

/** A row as the table's stream gives it back. */
export const storedRow = (record: CallRecord): Facts => JSON.parse(JSON.stringify(rowOf(record, 730)));

const at = (second: number) => new Date(Date.UTC(2026, 10, 20, 6, 0, second)).toISOString();

/** The changes of one row that deliveries of these facts make, one a second. */
export const changesOf = (said: readonly Facts[], key: RecordKey = callKey): readonly RowChange[] =>
  changesBy(
    said.map((facts, second) => deliveryOf(facts, at(second))),
    key,
  );

/** The changes of one row that deliveries make; the table is written one second after each receipt. */
export const changesBy = (deliveries: readonly Delivery[], key: RecordKey = callKey): readonly RowChange[] => {
  const changes: RowChange[] = [];
  let known: CallRecord | undefined;
  for (const [index, delivery] of deliveries.entries()) {
    const recordedAt = new Date(Date.parse(delivery.receivedAt) + 1000).toISOString();
    const { record } = admit(key, known, delivery, recordedAt);
    const before = known && storedRow(known);
    if (record !== known) changes.push({ sequence: `${key.callId}/${index}`, before, after: storedRow(record) });
    known = record;
  }
  return changes;
};

/** The change that another call's first delivery makes; calls are told apart by their number. */
export const newCall = (number: number, facts: Facts = { status: 'answered', timeZone: 'UTC' }): RowChange => {
  const [change] = changesOf([facts], { ...callKey, callId: String(number) });
  if (change === undefined) throw new Error('no change');
  return { ...change, sequence: `s${number}` };
};
