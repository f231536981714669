import { rowKey } from '../calls/call-keys.ts';
import { type CallRecord, published, type RecordKey } from '../calls/call-record.ts';
import { recordOf } from '../calls/call-row.ts';
import type { CallEventType } from '../contract/call-events.ts';
import { contentHash } from '../core/encoding.ts';
import { type BusEvent, type RowChange, replayedAt } from './row-change.ts';

const recordKinds = new Set<unknown>(['call', 'participant']);

/**
 * The event of a change of a call's or participant's row, or undefined where subscribers see no difference. That is so
 * for a delivery that added nothing, an entry of an index, and a row that expired. It depends on the row's images
 * alone, so a change that is read twice makes the same event with the same id. A row that is marked for replay makes
 * the event of its present revision again.
 */
export const callEventOf = (change: RowChange): BusEvent | undefined => {
  const { before, after } = change;
  if (after === undefined || !recordKinds.has(after['kind'])) return undefined;

  const record = recordOf(after);
  const previous = before && recordOf(before);
  if (previous?.revision !== record.revision) return eventOf(record);

  const requestedAt = replayedAt(change);
  return requestedAt === undefined ? undefined : eventOf(record, { replayedAt: requestedAt });
};

/** The `detail-type` of a record's event. */
export const callEventType = (kind: RecordKey['kind'], revision: number): CallEventType => {
  if (kind === 'participant') return 'Call Participant Recorded';
  return revision === 1 ? 'Call Summary Recorded' : 'Call Summary Revised';
};

const eventOf = (record: CallRecord, replay: { readonly replayedAt?: string } = {}): BusEvent => {
  const { key, facts, revision, recordedAt, lastChange } = record;
  const { kind, ...identity } = key;
  const { pk, sk } = rowKey(key);
  const { source, ...content } = published(record);
  return {
    type: callEventType(kind, revision),
    key: `${pk} ${sk}`,
    detail: {
      schemaVersion: 1,
      id: contentHash([kind, identity, revision]),
      ...identity,
      occurredAt: facts['endedAt'] ?? facts['startedAt'],
      recordedAt,
      ...replay,
      ...(source !== undefined && { source }),
      revision,
      // When a call that was revised, or has no time, changed; and in which fields.
      ...lastChange,
      [kind]: content,
    },
  };
};
