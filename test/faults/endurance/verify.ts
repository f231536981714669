import { DynamoDBClient, paginateScan } from '@aws-sdk/client-dynamodb';
import type { Facts } from '../../../lib/core/collections.ts';
import { canonicalJson, tryParseJson } from '../../../lib/core/json.ts';
import { unmarshalled } from '../../../lib/storage/attribute-values.ts';
import { Envelope } from '../../../sandbox/bus/event-log.ts';
import { localClient, tableNames } from '../../../sandbox/local-aws.ts';
import { revisionProblems } from '../revisions.ts';
import type { Ledger } from './ledger.ts';
import type { SandboxChild } from './sandbox-child.ts';
import { verifyQuarantine, verifyRows } from './verify-rows.ts';

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
