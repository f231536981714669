import { secondsBetween, yearSeconds } from '../core/time.ts';
import { joinedKey, type Row } from '../storage/rows.ts';
import { type CallRecord, type RecordKey, timesOf } from './call-record.ts';
import type { RecordFacts } from './merge-deliveries.ts';

/** Stands where a person was erased from a row. */
export const erased = 'erased';

export const pseudonymForm = 'erased-[0-9a-f]{8}';

/** In characters as encoded: DynamoDB accepts 2,048 bytes in a partition key. Longer values are no number and no id. */
export const maxListKeyLength = 1_000;

const indexKey = (account: string, value: unknown): string | undefined => {
  const key = typeof value === 'string' && value !== erased ? joinedKey(account, value) : undefined;
  return key === undefined || key.length > maxListKeyLength ? undefined : key;
};

/** A call and its participants are read with one query. */
export const partitionKey = (account: string, callId: string): string => joinedKey(account, callId);

export const sortKeys = { call: 'call', participant: 'participant#' } as const;

export const rowKey = (key: RecordKey) => ({
  pk: partitionKey(key.account, key.callId),
  sk: key.kind === 'call' ? sortKeys.call : `${sortKeys.participant}${encodeURIComponent(key.participantId)}`,
});

/** A transaction accepts 100 rows: the call, the entries that it gains and those that it loses. */
const maxAgents = 50;

const agentsOf = ({ agentIds }: RecordFacts): readonly unknown[] =>
  Array.isArray(agentIds) ? [...new Set(agentIds)].slice(0, maxAgents) : [];

/** A sender's clock may be ahead by days, and its calls then keep their order. In milliseconds. */
const maxAheadMs = 7 * 86_400_000;

/**
 * The place of a call in lists: its start, else its end, else near which instant it took place, else its first receipt. A time
 * after the receipt is used only where no earlier one is known. More than a week after it, the receipt is used instead:
 * otherwise the call would stay the newest one for as long.
 */
export const placeOf = (times: readonly (string | undefined)[], receivedAt: string): string => {
  const sent = times.filter((at) => at !== undefined);
  const isWithin = (ms: number) => (at: string) => !(Date.parse(at) - Date.parse(receivedAt) > ms);
  return sent.find(isWithin(recordedInTime.beforeMs)) ?? sent.find(isWithin(maxAheadMs)) ?? receivedAt;
};

export const isImported = (listedAt: string, receivedAt: string): boolean =>
  secondsBetween(listedAt, receivedAt) > yearSeconds;

interface ListedRecord extends Pick<CallRecord, 'facts'> {
  readonly deliveries: readonly Pick<CallRecord['deliveries'][number], 'receivedAt'>[];
}

/** The place of a record's call; undefined if it has neither a time nor a delivery. */
export const listedAtOf = ({ facts, deliveries }: ListedRecord): string | undefined => {
  const receivedAt = deliveries[0]?.receivedAt;
  return receivedAt === undefined ? timesOf(facts)[0] : placeOf(timesOf(facts), receivedAt);
};

/** In each list the newest call is first. One that was first recorded late is also listed by its recording. */
export const indexKeys = (record: CallRecord) => {
  const { key, facts, revision, firstRecordedAt } = record;
  const listedAt = listedAtOf(record);
  const accountCalls = encodeURIComponent(key.account);
  const isLate = firstRecordedAt !== undefined && !isInTime(String(listedAt), firstRecordedAt);
  return {
    accountCalls,
    customerCalls: indexKey(key.account, facts['customerNumber']),
    agentCalls: indexKey(key.account, agentsOf(facts)[0]),
    listedAt,
    // In revision 1 it equals the row's recordedAt, and most calls stay at revision 1.
    firstRecordedAt: isLate || revision > 1 ? firstRecordedAt : undefined,
    lateCalls: isLate ? accountCalls : undefined,
  };
};

/** Milliseconds around the start. Most are recorded minutes after their end; clocks may differ by minutes. */
export const recordedInTime = { afterMs: 60 * 60_000, beforeMs: 5 * 60_000 } as const;

const isInTime = (listedAt: string, firstRecordedAt: string): boolean => {
  const delayMs = Date.parse(firstRecordedAt) - Date.parse(listedAt);
  return !(delayMs > recordedInTime.afterMs || delayMs < -recordedInTime.beforeMs);
};

/**
 * When the call of a row was first recorded; undefined if the row does not show it. A row that was revised before this was
 * stored lacks it: its first receipt is the nearest that is known.
 */
export const firstRecording = ({ firstRecordedAt, revision, recordedAt, firstReceivedAt }: Row): string | undefined =>
  [firstRecordedAt, revision === 1 ? recordedAt : firstReceivedAt].find((at) => typeof at === 'string');

/** The call is listed under each of them by an entry. */
export const furtherAgents = ({ key, facts }: CallRecord) =>
  agentsOf(facts)
    .slice(1)
    .flatMap((agentId) => {
      const agentCalls = indexKey(key.account, agentId);
      return agentCalls === undefined ? [] : [{ agentId: String(agentId), agentCalls }];
    });

/** The key of a further agent's entry. Its partition is not the call's, so that reading the call does not read it. */
export const agentEntryKey = ({ account, callId }: RecordKey, agentId: string) => ({
  pk: `${partitionKey(account, callId)}#agents`,
  sk: encodeURIComponent(agentId),
});
