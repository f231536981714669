import type { CallEventType } from '../contract/call-events.ts';
import { contentHash } from '../json/canonical-json.ts';
import { withDerived } from '../record/derived.ts';
import { changedFields } from '../record/difference.ts';
import type { CallRecord } from '../record/record.ts';
import { recordOf } from '../record/row.ts';
import { rowKey } from '../record/row-keys.ts';
import type { BusEvent, RowChange } from './row-change.ts';

const recordKinds = new Set<unknown>(['call', 'participant']);

/**
 * The event that a change of a call's or participant's row makes, or undefined where subscribers see no difference:
 * a delivery that added nothing, an entry of an index, a row that expired. It depends on the row's images alone, so a
 * change that is read twice makes the same event twice, with the same id.
 */
export const callEventOf = ({ before, after }: RowChange): BusEvent | undefined => {
  if (after === undefined || !recordKinds.has(after['kind'])) return undefined;

  const record = recordOf(after);
  const previous = before && recordOf(before);
  if (previous?.revision === record.revision) return undefined;

  const { kind, account, callId, part } = record.key;
  const { pk, sk } = rowKey(record.key);
  return {
    type: typeOf(record),
    key: `${pk} ${sk}`,
    detail: {
      schemaVersion: 1,
      id: contentHash([kind, account, callId, part, record.revision]),
      account,
      occurredAt: occurredAt(record),
      recordedAt: record.recordedAt,
      callId,
      ...(kind === 'call' ? { leg: part } : { participantId: part }),
      revision: record.revision,
      ...(record.revision > 1 && {
        changedFields: changedFields(previous ? published(previous) : {}, published(record)),
      }),
      [kind]: published(record),
    },
  };
};

const published = ({ facts }: CallRecord) => withDerived(facts);

const typeOf = ({ key, revision }: CallRecord): CallEventType => {
  if (key.kind === 'participant') return 'Call Participant Recorded';
  return revision === 1 ? 'Call Summary Recorded' : 'Call Summary Revised';
};

const occurredAt = ({ facts, revision, deliveries, recordedAt }: CallRecord) => {
  const received = deliveries.at(-1)?.receivedAt ?? recordedAt;
  return revision === 1 ? (facts['endedAt'] ?? facts['startedAt'] ?? received) : received;
};
