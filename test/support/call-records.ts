import { accountIndex } from '../../lib/accounts/account-index.ts';
import type { Account } from '../../lib/accounts/accounts.ts';
import { classifyRecords } from '../../lib/callback/classify-records.ts';
import { type KeyedDelivery, type NormalisedRecords, normaliseRecords } from '../../lib/callback/normalise-records.ts';
import { applyDelivery, type CallRecord, type RecordKey } from '../../lib/calls/call-record.ts';
import { rowOf } from '../../lib/calls/call-row.ts';
import { type Delivery, deliveryOf } from '../../lib/calls/delivery.ts';
import type { CallFacts, ParticipantFacts } from '../../lib/calls/schema.ts';
import type { Facts } from '../../lib/core/objects.ts';
import { type Json, parseJson } from '../../lib/core/parse-json.ts';
import type { RowChange } from '../../lib/publish/row-change.ts';
import { demoAccount } from '../fixtures/accounts.ts';
import { specificationSummary } from '../fixtures/calls.ts';

/** When everything in these tests is received, unless they say otherwise. */
export const receivedAt = '2026-11-20T06:00:00.000Z';

/** A value as it is after transport: written as JSON and parsed again. */
export const received = (value: unknown): Json => {
  const json = parseJson(JSON.stringify(value));
  if (!json.ok) throw new Error(json.problem);
  return json.value;
};

/** What a posted list is understood to say. */
export const normalisedRecords = (
  records: readonly unknown[],
  account: Account = demoAccount as never,
): NormalisedRecords =>
  normaliseRecords(classifyRecords(records.map(received)), {
    account,
    receivedAt,
    redact: accountIndex([account]).redact,
  });

/** What a call summary says that need not be recognised as one, however little is in it. */
export const normalisedCall = (posted: object, account: Account = demoAccount as never) => {
  const recognised = { calls: [received(posted) as never], participants: [], unrecognised: [] };
  const [said] = normaliseRecords(recognised, {
    account,
    receivedAt,
    redact: accountIndex([account]).redact,
  }).deliveries;
  if (said === undefined) throw new Error('No delivery');
  return said;
};

/** What one posted call summary says; `monitorUCID` is given to one that has none. */
export const callFacts = (posted: object, timeZone = 'Asia/Kolkata'): CallFacts =>
  normalisedCall({ monitorUCID: '1', ...posted }, { ...demoAccount, timeZone } as never).delivery.facts as CallFacts;

/** What one posted participant record says. */
export const participantFacts = (posted: object): ParticipantFacts =>
  normalisedRecords([{ UCID: '1', ExitStatus: 'x', ...posted }]).deliveries[0]?.delivery.facts as ParticipantFacts;

export const callKey: RecordKey = { kind: 'call', account: 'demo', callId: '41781234567890123', part: 'main' };
export const participantKey: RecordKey = { ...callKey, kind: 'participant', part: 'a1' };

/** When the table is written in these tests. */
export const recordedAt = '2026-11-20T06:10:00.000Z';

/** The record that deliveries make, one after the other. */
export const recordFrom = (deliveries: readonly Delivery[], key: RecordKey = callKey): CallRecord => {
  const record = deliveries.reduce<CallRecord | undefined>(
    (known, delivery) => applyDelivery(key, known, delivery, recordedAt).record,
    undefined,
  );
  if (record === undefined) throw new Error('no deliveries');
  return record;
};

/** A row as the table's stream gives it back. */
const storedRow = (record: CallRecord): Facts => JSON.parse(JSON.stringify(rowOf(record, 730)));

const at = (second: number) => new Date(Date.UTC(2026, 10, 20, 6, 0, second)).toISOString();

/** The changes of one row that deliveries of these facts make, one a second. */
export const changesFromFacts = (said: readonly Facts[], key: RecordKey = callKey): readonly RowChange[] =>
  changesFromDeliveries(
    said.map((facts, second) => deliveryOf(facts, at(second))),
    key,
  );

/** The changes of one row that deliveries make; the table is written one second after each receipt. */
export const changesFromDeliveries = (
  deliveries: readonly Delivery[],
  key: RecordKey = callKey,
): readonly RowChange[] => {
  const changes: RowChange[] = [];
  let known: CallRecord | undefined;
  for (const [index, delivery] of deliveries.entries()) {
    const recordedAt = new Date(Date.parse(delivery.receivedAt) + 1000).toISOString();
    const { record } = applyDelivery(key, known, delivery, recordedAt);
    const before = known && storedRow(known);
    if (record !== known) changes.push({ sequence: `${key.callId}/${index}`, before, after: storedRow(record) });
    known = record;
  }
  return changes;
};

/** The change that another call's first delivery makes; calls are told apart by their number. */
export const newCall = (number: number, facts: Facts = { status: 'answered', timeZone: 'UTC' }): RowChange => {
  const [change] = changesFromFacts([facts], { ...callKey, callId: String(number) });
  if (change === undefined) throw new Error('no change');
  return { ...change, sequence: `s${number}` };
};

/** The account of the tests. */
const demoParsed: Account = {
  userName: 'demo',
  apiKeys: ['demo-key'],
  timeZone: 'Asia/Kolkata',
  token: { kind: 'none' },
};

/** What a posted summary says, as the store gets it; `receivedAt` orders it among others. */
export const keyedDelivery = (summary: object, receivedAt = '2026-11-20T06:00:00.000Z'): KeyedDelivery => {
  const parsed = parseJson(JSON.stringify(summary));
  if (!parsed.ok) throw new Error(parsed.problem);
  const [keyed] = normaliseRecords(classifyRecords([parsed.value]), {
    account: demoParsed,
    receivedAt,
    redact: (text) => text,
  }).deliveries;
  if (keyed === undefined) throw new Error('No delivery');
  return keyed;
};

/** The specification's summary with some fields set otherwise. */
export const summaryWith = (fields: object = {}): object => ({ ...specificationSummary, ...fields });
