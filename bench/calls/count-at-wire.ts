import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { jsonTelemetry } from '../../functions/adapters/json-telemetry.ts';
import type { Tables } from '../../sandbox/dynamodb/create-tables.ts';
import { localClient } from '../../sandbox/local-client.ts';
import type { EmptyTables, FloorSize } from '../costs/count-all.ts';
import { countCalls } from '../costs/count-calls.ts';
import { countPolls } from '../costs/count-polls.ts';
import { type Counts, sum } from '../costs/counts.ts';
import type { Metering } from '../costs/meter.ts';
import { polledFloor } from '../costs/polled-floor.ts';
import { createReceiver } from '../costs/receiver.ts';
import { slotTime } from '../costs/slot-time.ts';
import { startWire } from '../wire/start-wire.ts';
import type { WireCall } from '../wire/wire-call.ts';
import { listOf } from './list-of.ts';

/** One kind of work, and what it takes of DynamoDB. */
export interface Case {
  readonly name: string;
  readonly counts: Counts;
}

/** So many calls are in the list that is posted. */
const listLength = 20;

const takenBy = (calls: readonly WireCall[]): Counts =>
  sum(
    ...calls.map(
      ({ writeUnits, indexWriteUnits, readUnits }) =>
        [1, { dynamodbCalls: 1, tableWriteUnits: writeUnits - indexWriteUnits, indexWriteUnits, readUnits }] as const,
    ),
  );

/** Does each kind of work at empty tables of a running DynamoDB Local, and counts every request on its way there. */
export const countAtWire = async (
  { endpoint, tableNames, tables }: EmptyTables & { readonly tables: Tables },
  { agents, changes }: FloorSize,
): Promise<readonly Case[]> => {
  const time = slotTime();
  const wire = await startWire({ dynamodb: { endpoint, tables } });
  const client = new DynamoDBClient(localClient(wire.url));
  const metering: Metering = {
    client,
    telemetry: (name) => jsonTelemetry({ function: name, deployment: 'bench' }, () => undefined),
    add: () => undefined,
  };
  const counted = async (work: Promise<void>): Promise<Counts> => {
    await work;
    return takenBy(wire.taken());
  };

  try {
    const receive = createReceiver(metering, time.clock, tableNames);
    const calls = await countCalls((data) => counted(receive(data)));
    const list = await counted(receive(listOf(listLength)));

    const { run, ...polled } = polledFloor(metering, { userName: 'floor', agents, tableName: tableNames.agents, time });
    const polls = await countPolls({ ...polled, serve: (process) => counted(run(process)) }, { agents, changes });
    return [
      { name: 'new call', counts: calls.first },
      { name: 'repeat', counts: calls.repeat },
      { name: 'revision', counts: calls.revision },
      { name: 'new call of two agents', counts: calls.transferred },
      { name: 'participant, with its call', counts: calls.participant },
      { name: `list of ${listLength} new calls`, counts: list },
      { name: `poll of ${agents} agents, unchanged`, counts: polls.unchanged },
      { name: `poll of ${agents} agents, unchanged, other process`, counts: polls.byAnother },
      ...[...polls.changed].map(([count, counts]) => ({ name: `poll of ${agents} agents, ${count} changed`, counts })),
    ];
  } finally {
    client.destroy();
    await wire.close();
  }
};
