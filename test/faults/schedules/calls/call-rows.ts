import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import { type CallRecord, type RecordKey, withDerived } from '../../../../lib/calls/call-record.ts';
import type { RecordFacts } from '../../../../lib/calls/merge-deliveries.ts';
import { applyDeliveries } from '../../../../lib/calls/record-delivery.ts';
import type { Row } from '../../../../lib/storage/rows.ts';
import { seededRandom, shuffled } from '../../../../sandbox/simulator/random.ts';
import { must } from '../../models/model.ts';
import { expectedFacts, type ObservedDelivery } from './oracle.ts';

/** A row of a call or participant, read without the product’s own reader. */
export interface CallRow {
  readonly name: string;
  readonly kind: 'call' | 'participant';
  readonly account: string;
  readonly callId: string;
  readonly participantId: string | undefined;
  readonly revision: number;
  readonly facts: RecordFacts;
  readonly deliveries: readonly ObservedDelivery[];
  readonly row: Row;
}

/** The attributes of a row that are not facts, by the README. */
const notFacts = new Set([
  ...['pk', 'sk', 'kind', 'account', 'callId', 'participantId', 'revision', 'version', 'recordedAt'],
  ...['firstReceivedAt', 'lastReceivedAt', 'expiresAt', 'deliveries', 'replayedAt', 'lastChange'],
  ...['accountCalls', 'customerCalls', 'agentCalls', 'listedAt', 'lateCalls', 'firstRecordedAt'],
]);

const CallRowShape = z.object({
  kind: z.enum(['call', 'participant']),
  account: z.string(),
  callId: z.string(),
  participantId: z.string().optional(),
  revision: z.int().positive(),
  deliveries: z.array(
    z.object({ id: z.string(), receivedAt: z.string(), asSent: z.string(), differences: z.looseObject({}).optional() }),
  ),
});

export const nameOf = (kind: string, account: string, callId: string, participantId = ''): string =>
  `${kind} ${account} ${callId} ${participantId}`;

export const callRow = (row: Row): CallRow => {
  const { kind, account, callId, participantId, revision, deliveries } = CallRowShape.parse(row);
  const facts = Object.fromEntries(Object.entries(row).filter(([name]) => !notFacts.has(name)));
  const common = asReceived(facts);
  return {
    name: nameOf(kind, account, callId, participantId),
    ...{ kind, account, callId, participantId, revision, facts, row },
    deliveries: deliveries.map(({ differences, ...delivery }) => ({
      ...delivery,
      facts: Object.fromEntries(Object.entries({ ...common, ...differences }).filter(([, value]) => value !== null)),
    })),
  };
};

/** Without derived facts, which no delivery has. */
const asReceived = ({ elapsedSeconds: _elapsed, notes, ...facts }: RecordFacts): RecordFacts => {
  const received = (Array.isArray(notes) ? notes : []).filter(({ reason }) => reason !== 'end-before-start');
  return received.length === 0 ? facts : { ...facts, notes: received };
};

const shown = (value: unknown): string => JSON.stringify(value);

/** Guarantee 3: the row follows from its deliveries, and has their first and last time of receipt. */
export const mustFollowFromDeliveries = (row: CallRow, seed: number): void => {
  const { name, kind, facts, deliveries } = row;
  const expected = expectedFacts(kind, deliveries);
  must(
    isDeepStrictEqual(facts, expected),
    () => `Guarantee 3: ${name} has ${shown(facts)} instead of ${shown(expected)}`,
  );

  const again = replayed(row, seed);
  must(
    isDeepStrictEqual(again, facts),
    () => `Guarantee 3: ${name}: in another order its deliveries make ${shown(again)} instead of ${shown(facts)}`,
  );

  const instants = deliveries.map(({ receivedAt }) => receivedAt).sort();
  must(
    row.row['firstReceivedAt'] === instants[0],
    () => `${name} was first received at ${instants[0]}, not ${row.row['firstReceivedAt']}`,
  );
  must(
    row.row['lastReceivedAt'] === instants.at(-1),
    () => `${name} was last received at ${instants.at(-1)}, not ${row.row['lastReceivedAt']}`,
  );
};

/** The facts that the same deliveries make in another order, with repeats of a later receipt among them. */
const replayed = ({ account, callId, participantId, deliveries }: CallRow, seed: number): RecordFacts => {
  const call = { account, callId };
  const key: RecordKey =
    participantId === undefined ? { kind: 'call', ...call } : { kind: 'participant', ...call, participantId };
  const late = '2027-01-01T00:00:00.000Z';
  const [one] = deliveries;
  const repeats = one === undefined ? [] : [{ ...one, receivedAt: late }];
  let record: CallRecord | undefined;
  for (const delivery of shuffled(seededRandom(seed), [...deliveries, ...repeats]))
    record = applyDeliveries(key, record, [delivery], late).record;
  return withDerived(record?.facts ?? {});
};

const asJson = (value: unknown): string => JSON.stringify(value);

const dayS = 86_400;

/** By the README, unless a deployment says otherwise. */
const retentionDays = 730;

/** The index keys and the expiry of a row, by the README. */
const listed = ({ kind, account, facts, row }: CallRow): Row => {
  const { startedAt, endedAt, customerNumber } = facts;
  const { firstReceivedAt, recordedAt, revision } = row;
  const [agentId] = agentsIn(facts);
  const isCall = kind === 'call';
  const listedAt = startedAt ?? endedAt ?? firstReceivedAt;
  const firstRecordedAt = revision === 1 ? recordedAt : row['firstRecordedAt'];
  const delayS = (Date.parse(String(firstRecordedAt)) - Date.parse(String(listedAt))) / 1_000;
  const isLate = isCall && (delayS > 3600 || delayS < -300);
  return {
    expiresAt: Math.floor(Date.parse(String(firstReceivedAt)) / 1_000) + retentionDays * dayS,
    listedAt: isCall ? listedAt : undefined,
    lateCalls: isLate ? account : undefined,
    firstRecordedAt: isLate || (isCall && revision !== 1) ? firstRecordedAt : undefined,
    accountCalls: isCall ? account : undefined,
    customerCalls: isCall && customerNumber !== undefined ? `${account}#${customerNumber}` : undefined,
    agentCalls: isCall && agentId !== undefined ? `${account}#${agentId}` : undefined,
  };
};

/** A call is listed by time, by its customer and by its first agent; a participant is found through its call. */
export const mustBeListed = (call: CallRow): void => {
  const { expiresAt, listedAt, lateCalls, firstRecordedAt, accountCalls, customerCalls, agentCalls } = call.row;
  const found = { expiresAt, listedAt, lateCalls, firstRecordedAt, accountCalls, customerCalls, agentCalls };
  const expected = listed(call);
  must(
    call.kind === 'participant' || call.revision === 1 || !Number.isNaN(Date.parse(String(firstRecordedAt))),
    () => `${call.name} does not have when it was first recorded, but ${firstRecordedAt}`,
  );
  must(
    isDeepStrictEqual(found, expected),
    () => `${call.name} is listed as ${asJson(found)}, and should be as ${asJson(expected)}`,
  );
};

/** A call of several agents is listed under each of them, and under nobody else. */
export const mustBeListedUnderAgents = (rows: readonly CallRow[], entries: readonly Row[]): void => {
  const found = entries.map(({ account, callId, agentCalls }) => asJson([account, callId, agentCalls])).sort();
  const expected = rows
    .filter(({ kind }) => kind === 'call')
    .flatMap(({ account, callId, facts }) =>
      agentsIn(facts)
        .slice(1)
        .map((agentId) => asJson([account, callId, `${account}#${agentId}`])),
    )
    .sort();
  must(
    isDeepStrictEqual(found, expected),
    () => `Calls are listed under further agents as ${found}, and should be as ${expected}`,
  );
};

const agentsIn = ({ agentIds }: RecordFacts): readonly string[] =>
  Array.isArray(agentIds) ? [...new Set(agentIds)] : [];
