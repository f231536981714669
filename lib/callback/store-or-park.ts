import { rowKey } from '../calls/call-keys.ts';
import type { RecordKey } from '../calls/call-record.ts';
import type { CallStore } from '../calls/record-delivery.ts';
import { toStored } from '../calls/stored-delivery.ts';
import { compressText, contentHash, decompressText } from '../core/encoding.ts';
import { jsonBytes, xmlSafeJson } from '../core/json.ts';
import { fail, ok, type Result } from '../core/result.ts';
import { expiresAt } from '../core/time.ts';
import type { Telemetry } from '../telemetry/metrics.ts';
import type { KeyedDelivery } from './normalise-records.ts';
import type { Outcome } from './reply.ts';
import type { QuarantineEntry, StorableItem } from './schema.ts';

export interface Stores {
  readonly calls: CallStore;
  readonly quarantine: Quarantine;
  readonly deadline: Deadline;
}

/** One limit for any number of writes; what misses it is parked. */
type Deadline = () => AbortSignal;

export interface StoresAndParking extends Stores {
  readonly parking: ParkingQueue;
  readonly telemetry: Telemetry;
}

export interface ParkingQueue {
  /** Resolves once all items are durably in the queue; throws otherwise. */
  park(parked: readonly StorableItem[]): Promise<void>;
}

/** All at once, but one record's items in order. If parking fails too, the post must not be acknowledged. */
export const storeOrPark = async (
  ports: StoresAndParking,
  items: readonly StorableItem[],
): Promise<Result<readonly Outcome[], 'stores-unavailable'>> => {
  const signal = ports.deadline();
  const outcomes = new Map<StorableItem, Outcome>();
  const attempt = async (item: StorableItem): Promise<void> => {
    try {
      outcomes.set(item, await store(ports, item, signal));
    } catch (error) {
      ports.telemetry.fault(item.kind === 'quarantine' ? 'quarantine' : 'call-store', error);
      outcomes.set(item, 'parked');
    }
  };
  const inTurn = async (group: readonly StorableItem[]) => {
    for (const item of group) await attempt(item);
  };
  await Promise.all([...Map.groupBy(items, orderingKey).values()].map(inTurn));
  const toPark = items.filter((item) => outcomes.get(item) === 'parked');
  try {
    if (toPark.length > 0) await ports.parking.park(toPark.map(parkable));
  } catch (error) {
    ports.telemetry.fault('parking', error);
    return fail('stores-unavailable');
  }
  return ok(items.flatMap((item) => outcomes.get(item) ?? []));
};

const orderingKey = (item: StorableItem): unknown =>
  item.kind === 'quarantine' ? item : JSON.stringify(rowKey(item.key));

/** A delivery that no message of the queue can hold cannot fit into a row of calls either, so quarantine keeps it. */
const parkable = (item: StorableItem): StorableItem =>
  item.kind === 'delivery' && jsonBytes(item) > messageBodyBytes
    ? { kind: 'quarantine', entry: notStorableEntry(item) }
    : item;

export const parkedText = (item: StorableItem): string =>
  xmlSafeJson(item.kind === 'delivery' ? { ...item, delivery: toStored(item.delivery) } : item);

/** A delivery that the calls table can never hold is quarantined. Throws if a table is down. */
export const store = async (
  stores: Pick<Stores, 'calls' | 'quarantine'>,
  item: StorableItem,
  signal: AbortSignal,
): Promise<Outcome> => {
  if (item.kind === 'quarantine') {
    await stores.quarantine.store(item.entry, signal);
    return 'quarantined';
  }
  const outcome = await stores.calls.record(item.key, item.delivery, signal);
  if (outcome !== 'rejected') return outcome;
  await stores.quarantine.store(notStorableEntry(item), signal);
  return 'not-storable';
};

const notStorableEntry = ({ key, delivery }: KeyedDelivery): QuarantineEntry =>
  quarantineEntry({
    reason: 'not-storable',
    account: key.account,
    body: notStorableBody(key, decompressText(delivery.asSent)),
    receivedAt: delivery.receivedAt,
  });

export interface Quarantine {
  /** Throws when the table cannot be reached, or not before `signal` aborts. */
  store(entry: QuarantineEntry, signal: AbortSignal): Promise<void>;
}

/** DynamoDB accepts rows of 400 KB. */
const maxBodyBytes = 380 * 1024;
/** SQS accepts 1 MiB. */
const messageBodyBytes = 900 * 1024;

/** A body that does not fit is compressed, and then truncated. `bytes` is its true length. */
export const quarantineEntry = (entry: Omit<QuarantineEntry, 'bytes' | 'storedAs'>): QuarantineEntry => {
  const bytes = Buffer.byteLength(entry.body);
  if (bytes <= maxBodyBytes && jsonBytes(entry.body) <= messageBodyBytes) return entry;
  return { ...entry, bytes, storedAs: 'gzip', body: gzipped(entry.body) };
};

/** As much of a text as fits into a row when it is compressed: with call summaries some 3 MB, so usually all of it. */
const gzipped = (text: string): string => {
  let bytes = Buffer.from(text);
  for (;;) {
    const body = compressText(bytes);
    if (body.length <= maxBodyBytes) return body;
    // Every round leaves nine tenths at most, so there are few.
    bytes = bytes.subarray(0, Math.floor((bytes.length * 0.9 * maxBodyBytes) / body.length));
  }
};

export const bodyOf = ({ body, storedAs }: Pick<QuarantineEntry, 'body' | 'storedAs'>): string =>
  storedAs === 'gzip' ? decompressText(body) : body;

export const isTruncated = (entry: Pick<QuarantineEntry, 'body' | 'storedAs' | 'bytes'>): boolean =>
  entry.bytes !== undefined && entry.bytes > Buffer.byteLength(bodyOf(entry));

/** Whether an entry is a stranger's. An earlier version kept such; they expire. */
export const isUnknownSender = ({ account, viaSecret }: Pick<QuarantineEntry, 'account' | 'viaSecret'>): boolean =>
  account === undefined && viaSecret === undefined;

export const notStorableBody = (key: RecordKey, text: string): string => JSON.stringify({ key, text });

/** The row of an entry. Its id is the hash of its content, so a repeated post is one row. */
export const quarantineRow = (entry: QuarantineEntry, retentionDays: number) => {
  const { account, reason, receivedAt } = entry;
  return {
    ...entry,
    id: contentHash([account ?? null, reason, bodyOf(entry)]),
    expiresAt: expiresAt(receivedAt, retentionDays),
  };
};
