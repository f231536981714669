import { rowKey } from '../calls/call-keys.ts';
import type { RecordKey } from '../calls/call-record.ts';
import type { CallStore } from '../calls/record-delivery.ts';
import { toStored } from '../calls/stored-delivery.ts';
import { batchesByWeight } from '../core/collections.ts';
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

/** A new limit for one item: as long as its writes may take, and no longer than `mostMs`. */
type Deadline = (mostMs?: number) => AbortSignal;

/** Milliseconds until the reply of the present run has to be on its way. */
export type TimeLeft = () => number;

export interface StoresAndParking extends Stores {
  readonly parking: ParkingQueue;
  readonly telemetry: Telemetry;
}

export interface ParkingQueue {
  /** Milliseconds of a post's time that are kept for it. */
  readonly reservedMs: number;
  /** Resolves once all items are durably in the queue; throws otherwise, at the latest after `withinMs`. */
  park(parked: readonly StorableItem[], withinMs: number): Promise<void>;
}

/**
 * How many records are written at the same time: all 500 of a post would wait for a socket and for the processor until the
 * limit of each is over. The next ones begin when all have their answers, because requests that are made one after the other
 * take a quarter less of the processor than requests between answers.
 */
const writesInFlight = 32;

/**
 * Some records at a time, but one record's items in order. Everything that is not stored is parked: what fails, what has not
 * begun by then, as its table is probably down, and what there is no time for. If parking fails too, the post must not be
 * acknowledged.
 */
export const storeOrPark = async (
  ports: StoresAndParking,
  items: readonly StorableItem[],
  timeLeft: TimeLeft,
): Promise<Result<readonly Outcome[], 'stores-unavailable'>> => {
  const { deadline, parking, telemetry } = ports;
  const stored = new Map<StorableItem, Outcome>();
  const failing = new Set<StorableItem['kind']>();
  const attempt = async (item: StorableItem): Promise<void> => {
    const mostMs = timeLeft() - parking.reservedMs;
    if (failing.has(item.kind) || mostMs <= 0) return;
    try {
      stored.set(item, await store(ports, item, deadline(mostMs)));
    } catch (error) {
      telemetry.fault(item.kind === 'quarantine' ? 'quarantine' : 'call-store', error);
      failing.add(item.kind);
    }
  };
  const inTurn = async (record: readonly StorableItem[]) => {
    for (const item of record) await attempt(item);
  };
  for (const some of batchesByWeight(recordsOf(items), writesInFlight, () => 1)) await Promise.all(some.map(inTurn));
  const toPark = items.filter((item) => !stored.has(item));
  try {
    if (toPark.length > 0) await parking.park(toPark.map(parkable), Math.max(0, timeLeft()));
  } catch (error) {
    telemetry.fault('parking', error);
    return fail('stores-unavailable');
  }
  return ok(items.map((item) => stored.get(item) ?? 'parked'));
};

/**
 * The items of each record. Of a post with more records than are written at the same time, from one on that depends on the time of
 * receipt: so the repeat of a post that was cut off does not spend its time on the records that are stored already. A smaller post
 * keeps its order, in which a call comes before its participants.
 */
const recordsOf = (items: readonly StorableItem[]): readonly (readonly StorableItem[])[] => {
  const records = [...Map.groupBy(items, orderingKey).values()];
  const [first] = items;
  const receivedAt = first?.kind === 'delivery' ? first.delivery.receivedAt : first?.entry.receivedAt;
  const start = records.length > writesInFlight ? Date.parse(receivedAt ?? '') % records.length : 0;
  return [...records.slice(start), ...records.slice(0, start)];
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
