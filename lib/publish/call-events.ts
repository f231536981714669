import { rowKey } from '../calls/call-keys.ts';
import { type CallRecord, mergedFacts, type RecordKey } from '../calls/call-record.ts';
import { recordOf, withDerived } from '../calls/call-row.ts';
import { changedFields, type Delivery } from '../calls/delivery.ts';
import type { CallEventType } from '../contract/call-events.ts';
import { canonicalJson } from '../core/canonical-json.ts';
import { contentHash } from '../core/content-hash.ts';
import type { Facts } from '../core/objects.ts';
import { type BusEvent, type RowChange, replayedAt } from './row-change.ts';

/** How a record came to say what it says. */
export interface LastChange {
  /** What it said until then; nothing where nothing had been said. */
  readonly before: Facts;
  /** When the latest delivery of those that were known then was received. */
  readonly receivedAt: string | undefined;
}

/**
 * What last changed a record, worked out from its deliveries in the order of their receipt: rows do not remember in which
 * order they were processed. That was nearly always the same. Where a later revision cannot have come about so, the
 * delivery that was received first was processed last, as what was parked is; of several such ones any may be meant.
 */
export const lastChange = ({ key, deliveries, revision }: CallRecord): LastChange => {
  const said = (some: readonly Delivery[]) => mergedFacts(key.kind, some);
  const now = canonicalJson(said(deliveries));
  let count = deliveries.length;
  while (count > 1 && canonicalJson(said(deliveries.slice(0, count - 1))) === now) count -= 1;

  const isLateFirst = count === 1 && revision > 1;
  return {
    before: said(isLateFirst ? deliveries.slice(1) : deliveries.slice(0, count - 1)),
    receivedAt: deliveries.at(isLateFirst ? -1 : count - 1)?.receivedAt,
  };
};

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
  if (previous?.revision !== record.revision) return eventOf(record, changeFrom(record, previous));

  const again = replayedAt(change);
  return again === undefined ? undefined : eventOf(record, lastChange(record), { replayedAt: again });
};

/** What the `detail-type` of a record's event is. */
export const callEventType = (kind: RecordKey['kind'], revision: number): CallEventType => {
  if (kind === 'participant') return 'Call Participant Recorded';
  return revision === 1 ? 'Call Summary Recorded' : 'Call Summary Revised';
};

const changeFrom = ({ deliveries }: CallRecord, previous: CallRecord | undefined): LastChange => ({
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
