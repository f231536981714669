import { DynamoDBClient, paginateScan } from '@aws-sdk/client-dynamodb';
import { unmarshalled } from '../../../functions/adapters/dynamo-versioned-rows.ts';
import type { CallRecord } from '../../../lib/calls/call-record.ts';
import { recordOf, withDerived } from '../../../lib/calls/call-row.ts';
import type { Facts } from '../../../lib/core/collections.ts';
import { canonicalJson, tryParseJson } from '../../../lib/core/json.ts';
import { Envelope } from '../../../sandbox/bus/event-log.ts';
import { localClient, tableNames } from '../../../sandbox/local-aws.ts';
import { type Ledger, nameOf } from './ledger.ts';
import type { SandboxChild } from './sandbox-child.ts';
import { verifyQuarantine, verifyRows } from './verify-rows.ts';

export interface PlacedEvent {
  readonly event: StoredEvent;
  readonly place: number;
}

/** A revision is published twice only with a crash between, and both events are identical. */
const verifyRepeats = (published: readonly PlacedEvent[], killedAfter: readonly number[]): readonly string[] =>
  published.slice(1).flatMap(({ event, place }, index) => {
    const before = published[index];
    if (before === undefined) return [];
    const crashes = killedAfter.filter((count) => before.place < count && count <= place);
    return [
      ...(crashes.length > 0 ? [] : ['was published twice without a crash between']),
      ...(before.event.detail['id'] === event.detail['id'] ? [] : ['was repeated under another id']),
      ...(canonicalJson(before.event) === canonicalJson(event) ? [] : ['was repeated with other content']),
    ];
  });

/** The latest event equals the row, unless the event was truncated. */
const verifyLatest = ({ detail }: StoredEvent, { key, facts }: CallRecord): readonly string[] =>
  detail['shortenedFields'] !== undefined || canonicalJson(detail[key.kind]) === canonicalJson(withDerived(facts))
    ? []
    : ['differs from the row'];

/** A record has one event for each revision, in order. */
const verifyRecordEvents = (
  record: CallRecord,
  published: readonly PlacedEvent[],
  killedAfter: readonly number[],
): readonly string[] => {
  const { key, revision } = record;
  const byRevision = Map.groupBy(published, ({ event }) => Number(event.detail['revision']));
  const expected = Array.from({ length: revision }, (_, index) => index + 1);
  const places = expected.flatMap((number) => byRevision.get(number)?.[0]?.place ?? []);

  const problemsOf = (number: number): readonly string[] => {
    const ofRevision = byRevision.get(number) ?? [];
    return [
      ...(ofRevision.length === 0 ? ['was never published'] : []),
      ...(number > revision ? ['does not exist in the row'] : []),
      ...verifyRepeats(ofRevision, killedAfter),
      ...(number === revision ? ofRevision.slice(-1).flatMap(({ event }) => verifyLatest(event, record)) : []),
    ];
  };
  return [
    ...[...new Set([...expected, ...byRevision.keys()])].flatMap((number) =>
      problemsOf(number).map((problem) => `Revision ${number} of ${nameOf(key)} ${problem}.`),
    ),
    ...(places.every((place, index) => place > (places[index - 1] ?? -1))
      ? []
      : [`The revisions of ${nameOf(key)} were published out of order.`]),
  ];
};

/** After a crash Lambda delivers the stream’s current batch again. */
const maxRepeatsPerCrash = 100;

/** The record of an event, as the ledger names it; undefined for events of agents. */
const recordNameOf = ({ detail }: StoredEvent): string | undefined => {
  const { account, callId, participantId } = detail;
  if (callId === undefined) return undefined;
  const call = { account: String(account), callId: String(callId) };
  return participantId === undefined
    ? nameOf({ kind: 'call', ...call })
    : nameOf({ kind: 'participant', ...call, participantId: String(participantId) });
};

export const repeatsIn = (events: readonly StoredEvent[]): number =>
  events.length - new Set(events.map(({ detail }) => detail['id'])).size;

const sharedIds = (events: readonly StoredEvent[]): readonly unknown[] =>
  [...Map.groupBy(events, ({ detail }) => detail['id'])]
    .filter(([, same]) => new Set(same.map((event) => `${recordNameOf(event)} ${event.detail['revision']}`)).size > 1)
    .map(([id]) => id);

/** Each revision has one event under an id of its own, and repeats occur only around a crash. */
const verifyEvents = ({ calls, events, killedAfter }: StoredState): readonly string[] => {
  const records = calls.filter(({ kind }) => kind !== 'agent-entry').map(recordOf);
  const published = Map.groupBy(
    events.map((event, place): PlacedEvent => ({ event, place })),
    ({ event }) => recordNameOf(event),
  );
  published.delete(undefined);
  const names = new Set<string | undefined>(records.map(({ key }) => nameOf(key)));
  const repeats = repeatsIn([...published.values()].flat().map(({ event }) => event));
  const maxRepeats = maxRepeatsPerCrash * killedAfter.length;

  return [
    ...records.flatMap((record) => verifyRecordEvents(record, published.get(nameOf(record.key)) ?? [], killedAfter)),
    ...[...published.keys()]
      .filter((name) => !names.has(name))
      .map((name) => `There are events of ${name}, but no row.`),
    ...sharedIds(events).map((id) => `Two different events have the id ${id}.`),
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
export interface StoredEvent {
  readonly type: string;
  readonly detail: Facts;
}

export interface StoredState {
  readonly calls: readonly Facts[];
  readonly quarantine: readonly Facts[];
  readonly events: readonly StoredEvent[];
  /** How many events there were each time the sandbox was killed. */
  readonly killedAfter: readonly number[];
}

const rowsOf = async (client: DynamoDBClient, TableName: string): Promise<readonly Facts[]> => {
  const rows: Facts[] = [];
  for await (const { Items = [] } of paginateScan({ client }, { TableName, ConsistentRead: true }))
    rows.push(...Items.map(unmarshalled));
  return rows;
};

const eventOf = (line: string): StoredEvent => {
  const { detail, 'detail-type': type } = Envelope.parse(tryParseJson(line));
  return { type, detail };
};

/** Reads the stored state from outside: the tables through DynamoDB’s port, the events as subscribers receive them. */
export const readStoredState = async ({ addresses }: SandboxChild): Promise<Omit<StoredState, 'killedAfter'>> => {
  const client = new DynamoDBClient(localClient(addresses.dynamodb));
  try {
    const calls = await rowsOf(client, tableNames.calls);
    const quarantine = await rowsOf(client, tableNames.quarantine);
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
