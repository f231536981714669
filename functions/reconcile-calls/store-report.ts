import type { Account } from '../../lib/accounts/accounts.ts';
import type { PostedRecord } from '../../lib/callback/classify-records.ts';
import {
  type KeyedDelivery,
  type RecordContext,
  readCall,
  redactRecord,
} from '../../lib/callback/normalise-records.ts';
import { listedAtOf, rowKey } from '../../lib/calls/call-keys.ts';
import type { CallRecord, RecordKey } from '../../lib/calls/call-record.ts';
import { recordOf } from '../../lib/calls/call-row.ts';
import { type Delivery, deliveryOf } from '../../lib/calls/merge-deliveries.ts';
import type { ReadingRules } from '../../lib/calls/normalise-facts.ts';
import { plausible } from '../../lib/calls/plausible-facts.ts';
import { applyDeliveries, type CallStoreSettings, changeRecord } from '../../lib/calls/record-delivery.ts';
import type { CallFacts } from '../../lib/calls/schema.ts';
import { inParallel } from '../../lib/core/collections.ts';
import { compressText, contentHash, sha256 } from '../../lib/core/encoding.ts';
import type { JsonObject } from '../../lib/core/json.ts';
import { instantOf, localDate } from '../../lib/core/time.ts';
import type { Row, RowKey } from '../../lib/storage/rows.ts';
import { withNotes } from '../../lib/telephony/field-kinds.ts';
import type { PostedFields } from '../../lib/telephony/posted-fields.ts';
import type { ReportPage } from './call-report.ts';
import { rowNameLength, type StoredPage } from './day-reading.ts';
import { asCallback } from './reported-fields.ts';

export interface ReportStore extends CallStoreSettings {
  /** The rows with these keys that exist, in any order. Throws when the table cannot be reached. */
  readonly read: (keys: readonly RowKey[], signal: AbortSignal) => Promise<readonly Row[]>;
}

interface PageContext extends Pick<RecordContext, 'redact'> {
  readonly account: Account;
  readonly day: string;
  /** Calls that ended later are left to a later reading: their callbacks may still be on the way (ISO instant). */
  readonly settledBy: string;
  readonly isDryRun: boolean;
  /** The calls on earlier pages of the day, as `nameOfCall` names them. They are counted once. */
  readonly counted: readonly string[] | undefined;
  /** The records on earlier pages of the day, as `nameOfRow` names them, one behind the other. */
  readonly rows: string | undefined;
  /** Since when the day is read (ISO instant); undefined in a dry run. What was stored since then belongs to this reading. */
  readonly begunAt: string | undefined;
  readonly signal: AbortSignal;
}

/** Finds calls without a callback, completes what lacks something, and writes no other. A call's legs are one change. */
export const storeReport = async (store: ReportStore, page: ReportPage, context: PageContext): Promise<StoredPage> => {
  const { account, day, redact, settledBy, isDryRun, counted, rows = '' } = context;
  const receivedAt = store.clock().toISOString();
  const read = page.records.map((record) => reportedRow(record, { account, receivedAt, redact }, day));
  const isRepeated = new Set(rows.match(rowNames));
  const added = read.filter(({ name }) => !isRepeated.has(name));
  // What is no record has no name. It belongs to a page that has records, and so is not counted where that comes again.
  const unreadable = added.length === 0 && read.length > 0 ? 0 : page.unreadable;
  const deliveries = added.flatMap(({ keyed }) => keyed ?? []);
  const settled = callsIn(deliveries).filter(({ reported }) => reported.every((leg) => endOf(leg) <= settledBy));
  const stored = await storeCalls(store, settled, context);

  const isCounted = new Set(counted);
  const calls = stored.filter(({ name }) => !isCounted.has(name));
  const count = (wanted: Outcome) => calls.filter(({ outcome }) => outcome === wanted).length;
  const moved = calls.filter(({ hasMoved }) => hasMoved).length;
  return {
    counts: {
      records: added.length + unreadable,
      calls: calls.length,
      known: count('known'),
      found: count('found'),
      completed: count('completed'),
      moved,
      unreadable: added.length - deliveries.length + unreadable + count('unreadable'),
    },
    counted: calls.map(({ name }) => name),
    rows: added.map(({ name }) => name).join(''),
    repeated: read.length - added.length,
    written: isDryRun ? 0 : stored.filter(({ outcome }) => outcome === 'found' || outcome === 'completed').length,
  };
};

type Outcome = 'known' | 'found' | 'completed' | 'unreadable';

interface StoredCall {
  readonly name: string;
  readonly outcome: Outcome;
  /** To another day: its time was not known. */
  readonly hasMoved: boolean;
}

/** Names a call in few characters, since a run remembers thousands. */
const nameOfCall = (callId: string): string => contentHash(callId).slice(0, 10);

/** Names a record in even fewer, by what does not change while its day is read. */
const nameOfRow = (parts: readonly unknown[]): string =>
  sha256(JSON.stringify(parts)).toString('base64url').slice(0, rowNameLength);

const rowNames = new RegExp(`.{${rowNameLength}}`, 'g');

const concurrency = 16;

const storeCalls = async (
  store: ReportStore,
  calls: readonly ReportedCall[],
  context: PageContext,
): Promise<readonly StoredCall[]> => {
  const keys = calls.map(({ key }) => rowKey(key));
  const rows = new Map((await store.read(keys, context.signal)).map((row) => [row['pk'], row]));
  const stored: StoredCall[] = [];
  await inParallel(calls, concurrency, async (call) =>
    stored.push(await storeCall(store, call, rows.get(rowKey(call.key).pk), context)),
  );
  return stored;
};

/** Adds what the report has to the call in `row`. A dry run only says what would become of it. */
const storeCall = async (
  store: ReportStore,
  { key, reported }: ReportedCall,
  row: Row | undefined,
  { account, isDryRun, begunAt, signal }: PageContext,
): Promise<StoredCall> => {
  const name = nameOfCall(key.callId);
  const change = (stored: CallRecord | undefined) => ({
    ...applyDeliveries(key, stored, reported, store.clock().toISOString()),
    before: stored && beforeReading(stored, begunAt),
  });
  // A callback may have stored the call since its row was read: the write decides what is found.
  const found = row && recordOf(row);
  const changed = isDryRun ? change(found) : await changeRecord(store)(change, signal, found);
  if (changed === 'rejected') return { name, outcome: 'unreadable', hasMoved: false };
  const { before, record } = changed;
  if (before === undefined) return { name, outcome: 'found', hasMoved: false };
  const dayOf = (one: CallRecord) => localDate(String(listedAtOf(one)), account.timeZone);
  return { name, outcome: record === before ? 'known' : 'completed', hasMoved: dayOf(before) !== dayOf(record) };
};

/**
 * A call as it was before the reading of its day wrote to it: a step may be repeated after a slow write, and a day be read
 * from its beginning again. Undefined for a call that the reading itself has stored.
 */
const beforeReading = (stored: CallRecord, begunAt: string | undefined): CallRecord | undefined => {
  const isOwn = ({ source, receivedAt }: Delivery) =>
    source === 'report' && begunAt !== undefined && receivedAt >= begunAt;
  const own = stored.deliveries.find(isOwn);
  if (own === undefined) return stored;
  const earlier = stored.deliveries.filter((one) => !isOwn(one) && one.receivedAt <= own.receivedAt);
  return earlier.length === 0 ? undefined : applyDeliveries(stored.key, undefined, earlier, stored.recordedAt).record;
};

/** A call of the report, read as a callback is; and near which instant it took place, where it has neither start nor end. */
export const readReported = (record: PostedFields, rules: ReadingRules, day: string | undefined) => {
  const { fields, near, needsDay } = asCallback(record, rules.timeZone, day);
  const read = readCall(fields, rules);
  const approximateAt = near && instantOf(near, rules.timeZone)?.at;
  const note = { field: 'approximateAt', reason: 'approximate-time' } as const;
  const facts: CallFacts =
    approximateAt === undefined
      ? read.facts
      : withNotes([...(read.facts.notes ?? []), note], { ...read.facts, approximateAt });
  return { ...read, facts, day: needsDay ? day : undefined };
};

interface ReportedRow {
  readonly name: string;
  /** Undefined if nothing in the record names the call. */
  readonly keyed: KeyedDelivery | undefined;
}

const reportedRow = (
  record: PostedRecord<JsonObject>,
  { account, receivedAt, redact }: RecordContext,
  askedDay: string,
): ReportedRow => {
  const { text, fields } = redactRecord(record, redact);
  const { callId, facts, isIdentified, day } = readReported(fields, account, askedDay);
  if (!isIdentified) return { name: nameOfRow([text]), keyed: undefined };
  const { userName, country } = account;
  const delivery = deliveryOf(facts, { receivedAt, asSent: compressText(text), source: 'report', day, country });
  const { ucid, startedAt, endedAt, agentIds } = facts;
  return {
    name: nameOfRow([callId, ucid, startedAt, endedAt, agentIds]),
    keyed: { key: { kind: 'call', account: userName, callId }, delivery },
  };
};

interface ReportedCall {
  readonly key: RecordKey;
  readonly reported: readonly Delivery[];
}

const callsIn = (deliveries: readonly KeyedDelivery[]): readonly ReportedCall[] =>
  [...Map.groupBy(deliveries, ({ key }) => rowKey(key).pk).values()].flatMap((legs) =>
    legs.slice(0, 1).map(({ key }) => ({ key, reported: legs.map(({ delivery }) => delivery) })),
  );

const endOf = (delivery: Delivery): string => {
  const { endedAt, startedAt, approximateAt } = plausible(delivery).facts;
  return String(endedAt ?? startedAt ?? approximateAt ?? '');
};
