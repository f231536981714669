import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { QuarantineEntry } from '../../../lib/callback/schema.ts';
import { partitionKey, rowKey } from '../../../lib/calls/call-keys.ts';
import { recordOf } from '../../../lib/calls/call-row.ts';
import type { Delivery } from '../../../lib/calls/merge-deliveries.ts';
import { canonicalJson, tryParseJson } from '../../../lib/core/json.ts';
import type { EventDetail } from '../../../lib/publish/events-of-change.ts';
import type { Row } from '../../../lib/storage/rows.ts';
import { Envelope } from '../../../sandbox/event-bus.ts';
import { localClient, tableNames } from '../../../sandbox/local-aws.ts';
import { allRows } from '../../support/dynamodb-local.ts';
import { revisionProblems } from '../guarantees.ts';
import { entryName, type Ledger, nameOf, type PostedRecord } from './ledger.ts';
import type { SandboxChild } from './samples.ts';

const isSame = (one: unknown, other: unknown): boolean => canonicalJson(one) === canonicalJson(other);

const problemsWith = ({ id, receivedAt, facts }: Delivery, posted: PostedRecord): readonly string[] => {
  const delivery = posted.deliveries.get(id);
  if (delivery === undefined) return [`has the delivery ${id}, which was never posted`];

  const at = Date.parse(receivedAt);
  return [
    ...(isSame(facts, delivery.facts) ? [] : [`has the delivery ${id} with other facts than were posted`]),
    ...(at < delivery.firstSentAt ? [`has a time of receipt of the delivery ${id} before it was sent`] : []),
    ...(at > (delivery.acknowledgedAt ?? at)
      ? [`has a time of receipt of the delivery ${id} ${at - (delivery.acknowledgedAt ?? at)} ms after its reply`]
      : []),
  ];
};

/** What is wrong with the row of a record. */
const verifyRow = (posted: PostedRecord, row: Row): readonly string[] => {
  const record = recordOf(row);
  const found = new Set(record.deliveries.map(({ id }) => id));
  const missing = [...posted.deliveries].filter(
    ([id, { acknowledgedAt }]) => acknowledgedAt !== undefined && !found.has(id),
  );
  const problems = [
    ...missing.map(([id]) => `lacks the delivery ${id}, which was acknowledged`),
    ...(found.size === record.deliveries.length ? [] : ['has a delivery twice']),
    ...record.deliveries.flatMap((delivery) => problemsWith(delivery, posted)),
  ];
  return problems.map((problem) => `The row of ${nameOf(posted.key)} ${problem}.`);
};

const placeOf = ({ pk, sk }: Row): string => `${pk} / ${sk}`;

/**
 * What was acknowledged is in the calls’ table, and nothing is there that was never posted. What deliveries make, and the
 * entries under further agents, are checked by `schedules`.
 */
const verifyRows = ({ records, callIds }: Ledger, rows: readonly Row[]): readonly string[] => {
  const found = rows.filter(({ kind }) => kind !== 'agent-entry');
  const rowAt = new Map(found.map((row) => [placeOf(row), row]));
  const partitions = new Set(found.map(({ pk }) => pk));
  const posted = new Set([...records.values()].map(({ key }) => placeOf(rowKey(key))));

  const missing = [...records.values()].flatMap((record) => {
    const row = rowAt.get(placeOf(rowKey(record.key)));
    if (row !== undefined) return verifyRow(record, row);
    const isAcknowledged = [...record.deliveries.values()].some(({ acknowledgedAt }) => acknowledgedAt !== undefined);
    return isAcknowledged ? [`${nameOf(record.key)} was acknowledged and has no row.`] : [];
  });
  return [
    ...missing,
    ...[...rowAt.keys()].flatMap((place) => (posted.has(place) ? [] : [`The row ${place} was never posted.`])),
    ...[...callIds].flatMap((callId) =>
      partitions.has(partitionKey('demo', callId))
        ? []
        : [`The call ${callId} was posted and acknowledged, and is not in the table.`],
    ),
  ];
};

/** Compares quarantine with the replies. A body is one row however often it came. What was not answered may be stored too. */
const verifyQuarantine = ({ entries }: Ledger, rows: readonly Row[]): readonly string[] => {
  const found = Map.groupBy(rows, (row) => entryName(QuarantineEntry.parse(row)));
  const about = (name: string): string => `The quarantined ${name.slice(0, 60)}`;

  return [
    ...[...entries].flatMap(([name, { sent, acknowledged }]) => {
      const count = found.get(name)?.length ?? 0;
      const [least, most] = [Math.min(acknowledged, 1), Math.min(sent, 1)];
      return count >= least && count <= most
        ? []
        : [`${about(name)} is there ${count} times, where ${least} to ${most} were expected.`];
    }),
    ...[...found.keys()].flatMap((name) => (entries.has(name) ? [] : [`${about(name)} was never posted.`])),
  ];
};

/** After a crash Lambda delivers the stream’s current batch again. */
const maxRepeatsPerCrash = 100;

export const repeatsIn = (events: readonly StoredEvent[]): number =>
  events.length - new Set(events.map(({ detail }) => detail['id'])).size;

/** An event is published twice only with a crash between, and a repeat is identical. */
const verifyRepeats = (events: readonly StoredEvent[], killedAfter: readonly number[]): readonly string[] => {
  const placed = events.map((event, place) => ({ event, place })).filter(({ event }) => isOfCall(event));
  const byId = [...Map.groupBy(placed, ({ event }) => event.detail['id']).values()];
  return byId.flatMap((same) =>
    same.slice(1).flatMap(({ event, place }, index) => {
      const before = same[index];
      const isExplained = killedAfter.some((count) => (before?.place ?? 0) < count && count <= place);
      return [
        ...(isExplained ? [] : [`The event ${event.detail['id']} was published twice without a crash between.`]),
        ...(canonicalJson(before?.event) === canonicalJson(event)
          ? []
          : [`The event ${event.detail['id']} was repeated with other content.`]),
      ];
    }),
  );
};

/** Whether an event is of a call or participant. */
export const isOfCall = ({ detail }: StoredEvent): boolean => detail['callId'] !== undefined;

const verifyEvents = ({ calls, events, killedAfter }: StoredState): readonly string[] => {
  const repeats = repeatsIn(events.filter(isOfCall));
  const maxRepeats = maxRepeatsPerCrash * killedAfter.length;
  return [
    ...revisionProblems(
      calls,
      events.map(({ detail }) => detail),
    ),
    ...verifyRepeats(events, killedAfter),
    ...(repeats > maxRepeats ? [`${repeats} events were repeated, where crashes explain ${maxRepeats}.`] : []),
  ];
};

/** Compares the stored state with everything that was posted and answered. */
export const verify = (ledger: Ledger, found: StoredState): readonly string[] => [
  ...ledger.wrongAnswers.map((wrong) => `A reply was wrong: ${wrong}.`),
  ...verifyRows(ledger, found.calls),
  ...verifyEvents(found),
  ...verifyQuarantine(ledger, found.quarantine),
];

/** An event as subscribers receive it. Events are listed in the order in which the bus accepted them. */
interface StoredEvent {
  readonly type: string;
  readonly detail: EventDetail;
}

export interface StoredState {
  readonly calls: readonly Row[];
  readonly quarantine: readonly Row[];
  readonly events: readonly StoredEvent[];
  /** How many events there were each time the sandbox was killed. */
  readonly killedAfter: readonly number[];
}

const eventOf = (line: string): StoredEvent => {
  const { detail, 'detail-type': type } = Envelope.parse(tryParseJson(line));
  return { type, detail };
};

/** Reads the stored state from outside: the tables through DynamoDB’s port, the events as subscribers receive them. */
export const readStoredState = async ({ addresses }: SandboxChild): Promise<Omit<StoredState, 'killedAfter'>> => {
  const client = new DynamoDBClient(localClient(addresses.dynamodb));
  try {
    const calls = await allRows(client, tableNames.calls);
    const quarantine = await allRows(client, tableNames.quarantine);
    const text = await (await fetch(addresses.events)).text();
    const events = text
      .split('\n')
      .filter((line) => line !== '')
      .map(eventOf);
    return { calls, quarantine, events };
  } finally {
    client.destroy();
  }
};
