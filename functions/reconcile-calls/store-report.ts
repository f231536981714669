import type { Account } from '../../lib/accounts/accounts.ts';
import type { PostedRecord } from '../../lib/callback/classify-records.ts';
import {
  type KeyedDelivery,
  type RecordContext,
  readCall,
  redactRecord,
} from '../../lib/callback/normalise-records.ts';
import { listedAtOf, rowKey } from '../../lib/calls/call-keys.ts';
import type { RecordKey } from '../../lib/calls/call-record.ts';
import { recordOf } from '../../lib/calls/call-row.ts';
import { type Delivery, deliveryOf } from '../../lib/calls/merge-deliveries.ts';
import type { ReadingRules } from '../../lib/calls/normalise-facts.ts';
import { plausible } from '../../lib/calls/plausible-facts.ts';
import { applyDeliveries, type CallStoreSettings, changeRecord } from '../../lib/calls/record-delivery.ts';
import type { CallFacts } from '../../lib/calls/schema.ts';
import { compressText, contentHash } from '../../lib/core/encoding.ts';
import type { JsonObject } from '../../lib/core/json.ts';
import { instantOf, localDate } from '../../lib/core/time.ts';
import type { Row, RowKey } from '../../lib/storage/rows.ts';
import { withNotes } from '../../lib/telephony/field-kinds.ts';
import type { PostedFields } from '../../lib/telephony/posted-fields.ts';
import type { ReportPage } from './call-report.ts';
import type { StoredPage } from './reconciliation.ts';
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
  readonly signal: AbortSignal;
}

/** Names a call in few characters, since a run remembers thousands. */
const nameOfCall = (callId: string): string => contentHash(callId).slice(0, 10);

const concurrency = 16;

/** Finds calls without a callback, completes what lacks something, and writes no other. A call's legs are one change. */
export const storeReport = async (
  store: ReportStore,
  page: ReportPage,
  { account, day, redact, settledBy, isDryRun, counted, signal }: PageContext,
): Promise<StoredPage> => {
  const receivedAt = store.clock().toISOString();
  const deliveries = page.records.flatMap(
    (record) => reportedDelivery(record, { account, receivedAt, redact }, day) ?? [],
  );
  const calls = callsIn(deliveries).filter(({ reported }) => reported.every((leg) => endOf(leg) <= settledBy));
  const found = await store.read(
    calls.map(({ key }) => rowKey(key)),
    signal,
  );
  const rows = new Map(found.map((row) => [row['pk'], row]));

  const storeCall = async ({ key, reported }: ReportedCall): Promise<StoredCall> => {
    const name = nameOfCall(key.callId);
    const row = rows.get(rowKey(key).pk);
    const stored = row && recordOf(row);
    const change = (before = stored) => ({
      ...applyDeliveries(key, before, reported, store.clock().toISOString()),
      before,
    });
    // A callback may have stored the call since its row was read: the write decides what is found.
    const result = isDryRun ? change() : await changeRecord(store)(change, signal, stored);
    if (result === 'rejected') return { name, outcome: 'unreadable', hasMoved: false };
    const { before, record } = result;
    if (before === undefined) return { name, outcome: 'found', hasMoved: false };
    const [from, to] = [before, record].map((one) => localDate(String(listedAtOf(one)), account.timeZone));
    return { name, outcome: record === before ? 'known' : 'completed', hasMoved: from !== to };
  };

  const stored: StoredCall[] = [];
  const waiting = calls.values();
  const storeNext = async () => {
    for (const call of waiting) stored.push(await storeCall(call));
  };
  await Promise.all(Array.from({ length: concurrency }, storeNext));

  const isCounted = new Set(counted);
  const added = stored.filter(({ name }) => !isCounted.has(name));
  const count = (counted: Outcome) => added.filter(({ outcome }) => outcome === counted).length;
  const moved = added.filter(({ hasMoved }) => hasMoved).length;
  return {
    counts: {
      records: page.records.length + page.unreadable,
      calls: added.length,
      known: count('known'),
      found: count('found'),
      completed: count('completed'),
      ...(moved > 0 && { moved }),
      unreadable: page.records.length - deliveries.length + page.unreadable + count('unreadable'),
    },
    counted: added.map(({ name }) => name),
    written: isDryRun ? 0 : stored.filter(({ outcome }) => outcome === 'found' || outcome === 'completed').length,
  };
};

/** A call of the report: as of a callback, and near which instant it took place if it has neither start nor end. */
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

/** The delivery of a record of the service's call report; undefined if nothing in it names the call. */
const reportedDelivery = (
  record: PostedRecord<JsonObject>,
  { account, receivedAt, redact }: RecordContext,
  askedDay: string,
): KeyedDelivery | undefined => {
  const { text, fields } = redactRecord(record, redact);
  const { callId, facts, isIdentified, day } = readReported(fields, account, askedDay);
  if (!isIdentified) return undefined;
  const delivery = deliveryOf(facts, { receivedAt, asSent: compressText(text), source: 'report', day });
  return { key: { kind: 'call', account: account.userName, callId }, delivery };
};

/** A call of the report with its legs. */
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

type Outcome = 'known' | 'found' | 'completed' | 'unreadable';

interface StoredCall {
  readonly name: string;
  readonly outcome: Outcome;
  /** To another day: its time was not known. */
  readonly hasMoved: boolean;
}
