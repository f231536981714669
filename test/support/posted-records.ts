import * as z from 'zod/mini';
import { accountIndex } from '../../lib/accounts/account-index.ts';
import type { Account } from '../../lib/accounts/accounts.ts';
import { type AgentsById, changeOf, type PollMoment } from '../../lib/agents/diff-agents.ts';
import { normaliseAgent, type ParsedAgent } from '../../lib/agents/normalise-agent.ts';
import { agentRow } from '../../lib/agents/rows.ts';
import type { AgentFacts, CurrentAgent } from '../../lib/agents/schema.ts';
import { classifyRecords, type PostedRecord } from '../../lib/callback/classify-records.ts';
import { type KeyedDelivery, type NormalisedRecords, normaliseRecords } from '../../lib/callback/normalise-records.ts';
import type { CallRecord, RecordKey } from '../../lib/calls/call-record.ts';
import { rowOf } from '../../lib/calls/call-row.ts';
import { type Delivery, deliveryOf, type RecordFacts } from '../../lib/calls/merge-deliveries.ts';
import { applyDeliveries } from '../../lib/calls/record-delivery.ts';
import type { CallFacts, ParticipantFacts } from '../../lib/calls/schema.ts';
import { compressText, decompressText } from '../../lib/core/encoding.ts';
import { type Json, parseJson } from '../../lib/core/json.ts';
import { type BusEvent, eventsOf, type RowChange } from '../../lib/publish/events-of-change.ts';
import type { Row } from '../../lib/storage/rows.ts';
import { demoAccount } from '../fixtures/accounts.ts';
import { specificationSummary } from '../fixtures/calls.ts';

/** When everything in these tests is received by default. */
export const receivedAt = '2026-11-20T06:00:00.000Z';

/** The sender's field from which a fact comes, as its declaration has it. */
export const originOf = (facts: z.ZodMiniObject, fact: string): unknown =>
  z.globalRegistry.get(facts.shape[fact] ?? z.never())?.['origin'];

/** A value as it is after transport: written as JSON and parsed again. */
export const received = (value: unknown): Json => {
  const json = parseJson(JSON.stringify(value));
  if (!json.ok) throw new Error(json.problem);
  return json.value;
};

/** A record as a post holds it. */
export const posted = (value: unknown): PostedRecord => ({ value: received(value), text: JSON.stringify(value) });

/** The delivery of facts that nobody posted. */
export const deliveryAt = (facts: RecordFacts, at: string): Delivery =>
  deliveryOf(facts, { receivedAt: at, asSent: compressText(JSON.stringify(facts)) });

/** A text in which everything compressed is readable, such as what was sent: a secret must not hide there. */
export const decompressed = (text: string): string => text.replace(/H4sI[\w+/]+=*/g, decompressText);

/** The normalised records of a posted list. */
export const normalisedRecords = (
  records: readonly unknown[],
  account: Account = demoAccount as never,
  at = receivedAt,
): NormalisedRecords =>
  normaliseRecords(classifyRecords(records.map(posted)), {
    account,
    receivedAt: at,
    redact: accountIndex([account]).redact,
  });

/** The delivery of a call summary, even if it has too few fields to be classified as one. */
export const normalisedCall = (summary: object, account: Account = demoAccount as never) => {
  const classified = { calls: [posted(summary) as never], participants: [], unrecognised: [] };
  const [keyed] = normaliseRecords(classified, {
    account,
    receivedAt,
    redact: accountIndex([account]).redact,
  }).deliveries;
  if (keyed === undefined) throw new Error('No delivery');
  return keyed;
};

/** The facts of one posted call summary; one without `monitorUCID` gets one. */
export const callFacts = (posted: object, timeZone = 'Asia/Kolkata'): CallFacts =>
  normalisedCall({ monitorUCID: '1', ...posted }, { ...demoAccount, timeZone } as never).delivery.facts as CallFacts;

/** The facts of one posted participant record. */
export const participantFacts = (posted: object, timeZone = 'Asia/Kolkata'): ParticipantFacts =>
  normalisedRecords([{ UCID: '1', ExitStatus: 'x', ...posted }], { ...demoAccount, timeZone } as never).deliveries[0]
    ?.delivery.facts as ParticipantFacts;

export const callKey: RecordKey = { kind: 'call', account: 'demo', callId: '41781234567890123' };
export const participantKey: RecordKey = { ...callKey, kind: 'participant', participantId: 'a1' };

/** When the table is written in these tests. */
export const recordedAt = '2026-11-20T06:10:00.000Z';

/** The record of deliveries that are applied one after the other. */
export const recordFrom = (deliveries: readonly Delivery[], key: RecordKey = callKey): CallRecord => {
  const record = deliveries.reduce<CallRecord | undefined>(
    (stored, delivery) => applyDeliveries(key, stored, [delivery], recordedAt).record,
    undefined,
  );
  if (record === undefined) throw new Error('no deliveries');
  return record;
};

/** A row as in the table's stream. */
const storedRow = (record: CallRecord): Row => JSON.parse(JSON.stringify(rowOf(record, 730)));

const at = (second: number) => new Date(Date.UTC(2026, 10, 20, 6, 0, second)).toISOString();

/** The changes of one row by deliveries of these facts, one a second. */
export const changesFromFacts = (list: readonly RecordFacts[], key: RecordKey = callKey): readonly RowChange[] =>
  changesFromDeliveries(
    list.map((facts, second) => deliveryAt(facts, at(second))),
    key,
  );

/** The changes of one row by deliveries; the table is written one second after each receipt. */
export const changesFromDeliveries = (
  deliveries: readonly Delivery[],
  key: RecordKey = callKey,
): readonly RowChange[] => {
  const changes: RowChange[] = [];
  let stored: CallRecord | undefined;
  for (const [index, delivery] of deliveries.entries()) {
    const recordedAt = new Date(Date.parse(delivery.receivedAt) + 1000).toISOString();
    const { record } = applyDeliveries(key, stored, [delivery], recordedAt);
    const before = stored && storedRow(stored);
    if (record !== stored) changes.push({ sequence: `${key.callId}/${index}`, before, after: storedRow(record) });
    stored = record;
  }
  return changes;
};

/** The change by the first delivery of another call, which its number identifies. */
export const newCall = (number: number, facts: RecordFacts = { status: 'answered', timeZone: 'UTC' }): RowChange => {
  const [change] = changesFromFacts([facts], { ...callKey, callId: String(number) });
  if (change === undefined) throw new Error('no change');
  return { ...change, sequence: `s${number}` };
};

/** The delivery of a posted summary that was received at an instant. */
export const keyedDelivery = (summary: object, at = receivedAt): KeyedDelivery => {
  const [keyed] = normalisedRecords([summary], undefined, at).deliveries;
  if (keyed === undefined) throw new Error('No delivery');
  return keyed;
};

/** The specification's summary with some fields replaced. */
export const summaryWith = (fields: object = {}): object => ({ ...specificationSummary, ...fields });

/** A posted record, normalised. */
export const parsedAgent = (posted: unknown): ParsedAgent => normaliseAgent(received(posted));

/** The facts in a posted record. Id and state have defaults. */
export const agentFacts = (posted: object = {}): AgentFacts => {
  const parsed = parsedAgent({ AgentId: 'asha', AgentState: 'READY', ...posted });
  if (parsed.kind !== 'agent') throw new Error('unreadable');
  return parsed.agent;
};

/** A poll at an instant whose changes are written 300 ms later. */
export const moment = (at: string, timeZone = 'Asia/Kolkata'): PollMoment => ({
  at,
  recordedAt: new Date(Date.parse(at) + 300).toISOString(),
  timeZone,
});

/** An agent who logged in at an instant. */
export const loggedIn = (at: string, posted: object = {}, timeZone?: string): CurrentAgent => {
  const agent = changeOf(undefined, agentFacts(posted), moment(at, timeZone))?.after;
  if (agent === undefined) throw new Error('not logged in');
  return agent;
};

/** Agents by id. */
export const agentsOf = (...agents: readonly CurrentAgent[]): AgentsById =>
  new Map(agents.map((agent) => [agent.agentId, agent]));

const stored = (agent: CurrentAgent | undefined): Row | undefined =>
  agent && JSON.parse(JSON.stringify(agentRow('demo', agent)));

/** The change of an agent's row in the table's stream. */
export const agentChange = (
  before: CurrentAgent | undefined,
  after: CurrentAgent | undefined,
  sequence = '1',
): RowChange => ({ sequence, before: stored(before), after: stored(after) });

/** The event of a change of a row that makes one at most. */
export const callEventOf = (change: RowChange): BusEvent | undefined => eventsOf(change)[0];
