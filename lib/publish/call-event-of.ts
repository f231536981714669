import type { CallEventType } from '../contract/call-events.ts';
import { contentHash } from '../json/canonical-json.ts';
import { withDerived } from '../record/derived.ts';
import { changedFields } from '../record/difference.ts';
import { type LastChange, lastChange } from '../record/last-change.ts';
import type { CallRecord, RecordKey } from '../record/record.ts';
import { recordOf } from '../record/row.ts';
import { rowKey } from '../record/row-keys.ts';
import { replayedAt } from './replayed-at.ts';
import type { BusEvent, RowChange } from './row-change.ts';

const recordKinds = new Set<unknown>(['call', 'participant']);

/**
 * The event that a change of a call's or participant's row makes, or undefined where subscribers see no difference:
 * a delivery that added nothing, an entry of an index, a row that expired. It depends on the row's images alone, so a
 * change that is read twice makes the same event twice, with the same id. A row that is marked to be told again makes
 * the event of its present revision once more.
 */
export const callEventOf = (change: RowChange): BusEvent | undefined => {
  const { before, after } = change;
  if (after === undefined || !recordKinds.has(after['kind'])) return undefined;

  const record = recordOf(after);
  const previous = before && recordOf(before);
  if (previous?.revision !== record.revision) return eventOf(record, changeBy(record, previous));

  const again = replayedAt(change);
  return again === undefined ? undefined : eventOf(record, lastChange(record), { replayedAt: again });
};

/** What the `detail-type` of a record's event is. */
export const callEventType = (kind: RecordKey['kind'], revision: number): CallEventType => {
  if (kind === 'participant') return 'Call Participant Recorded';
  return revision === 1 ? 'Call Summary Recorded' : 'Call Summary Revised';
};

const changeBy = ({ deliveries }: CallRecord, previous: CallRecord | undefined): LastChange => ({
  before: previous?.facts ?? {},
  receivedAt: deliveries.at(-1)?.receivedAt,
});

const eventOf = (
  { key, facts, revision, recordedAt }: CallRecord,
  { before, receivedAt = recordedAt }: LastChange,
  again: { readonly replayedAt?: string } = {},
): BusEvent => {
  const { kind, account, callId, part } = key;
  const { pk, sk } = rowKey(key);
  const published = withDerived(facts);
  return {
    type: callEventType(kind, revision),
    key: `${pk} ${sk}`,
    detail: {
      schemaVersion: 1,
      id: contentHash([kind, account, callId, part, revision]),
      account,
      occurredAt: revision === 1 ? (facts['endedAt'] ?? facts['startedAt'] ?? receivedAt) : receivedAt,
      recordedAt,
      ...again,
      callId,
      ...(kind === 'call' ? { leg: part } : { participantId: part }),
      revision,
      ...(revision > 1 && { changedFields: changedFields(withDerived(before), published) }),
      [kind]: published,
    },
  };
};
