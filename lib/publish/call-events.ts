import { rowKey } from '../calls/call-keys.ts';
import { type CallRecord, mergedFacts, type RecordKey } from '../calls/call-record.ts';
import { recordOf, withDerived } from '../calls/call-row.ts';
import { changedFields, type Delivery, isOnlyReported } from '../calls/merge-deliveries.ts';
import type { CallEventType } from '../contract/call-events.ts';
import type { Facts } from '../core/collections.ts';
import { contentHash } from '../core/encoding.ts';
import { canonicalJson } from '../core/json.ts';
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
  if (previous?.revision !== record.revision) return eventOf(record, changeFrom(record, previous));

  const requestedAt = replayedAt(change);
  return requestedAt === undefined ? undefined : eventOf(record, lastChange(record), { replayedAt: requestedAt });
};

/** The `detail-type` of a record's event. */
export const callEventType = (kind: RecordKey['kind'], revision: number): CallEventType => {
  if (kind === 'participant') return 'Call Participant Recorded';
  return revision === 1 ? 'Call Summary Recorded' : 'Call Summary Revised';
};

const eventOf = (
  { key, facts, revision, recordedAt }: CallRecord,
  { before, receivedAt = recordedAt, isReported }: LastChange,
  replay: { readonly replayedAt?: string } = {},
): BusEvent => {
  const { kind, ...identity } = key;
  const { pk, sk } = rowKey(key);
  const published = withDerived(facts);
  return {
    type: callEventType(kind, revision),
    key: `${pk} ${sk}`,
    detail: {
      schemaVersion: 1,
      id: contentHash([kind, identity, revision]),
      ...identity,
      occurredAt: revision === 1 ? (facts['endedAt'] ?? facts['startedAt'] ?? receivedAt) : receivedAt,
      recordedAt,
      ...replay,
      ...(isReported && { source: 'report' }),
      revision,
      ...(revision > 1 && { changedFields: changedFields(withDerived(before), published) }),
      [kind]: published,
    },
  };
};

/** The change that led to the present revision of a record. */
interface LastChange {
  /** The facts of the revision before; empty for the first revision. */
  readonly before: Facts;
  /** When the latest delivery of this revision was received. */
  readonly receivedAt: string | undefined;
  /** Whether nothing but the call report told of the call by then. */
  readonly isReported?: true;
}

const reported = (deliveries: readonly Delivery[]): Pick<LastChange, 'isReported'> =>
  isOnlyReported(deliveries) ? { isReported: true } : {};

const changeFrom = ({ deliveries }: CallRecord, previous: CallRecord | undefined): LastChange => ({
  before: previous?.facts ?? {},
  receivedAt: deliveries.at(-1)?.receivedAt,
  ...reported(deliveries),
});

/**
 * Works out the last change from the deliveries, in the order of their receipt. Rows do not store the order of processing,
 * which is nearly always the same. If a later revision cannot follow from that order, the delivery that was received first
 * was processed last, because it had been parked. Of several parked ones the first received is assumed.
 */
export const lastChange = ({ key, deliveries, revision }: CallRecord): LastChange => {
  const mergedFactsOf = (some: readonly Delivery[]) => mergedFacts(key, some);
  const now = canonicalJson(mergedFactsOf(deliveries));
  let count = deliveries.length;
  let before = countBefore(deliveries, count);
  while (before > 0 && canonicalJson(mergedFactsOf(deliveries.slice(0, before))) === now) {
    count = before;
    before = countBefore(deliveries, count);
  }

  const isLateFirst = before === 0 && revision > 1;
  return {
    before: mergedFactsOf(isLateFirst ? deliveries.slice(1) : deliveries.slice(0, before)),
    receivedAt: deliveries.at(isLateFirst ? -1 : count - 1)?.receivedAt,
    ...reported(isLateFirst ? deliveries : deliveries.slice(0, count)),
  };
};

/** How many deliveries there were before the last of so many. What one reading of the report told came together. */
const countBefore = (deliveries: readonly Delivery[], count: number): number => {
  const last = deliveries[count - 1];
  if (last?.source === undefined) return count - 1;
  return deliveries.findIndex(({ source, receivedAt }) => source === last.source && receivedAt === last.receivedAt);
};
