import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { expect } from 'vitest';
import { createCallfeedClient, type FeedNow, type Read } from '../../../client/index.ts';
import { writeInBatches } from '../../../functions/adapters/dynamo-agent-table.ts';
import { marshalled, type Row } from '../../../lib/storage/rows.ts';
import type { TestTables } from '../../support/dynamodb-local.ts';

/** A request, and the Count of its answer. */
export interface MeteredRead {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly count: number | undefined;
}

type Command = { readonly input: object };
type Answer = { readonly Count?: number; readonly ScannedCount?: number };
type Send = (command: Command, ...rest: never[]) => Promise<Answer>;

/** Records reads of a real client, and checks that each reads no more than it returns. `onAnswer` runs before the answer. */
export const meteredReads = (
  real: Pick<DynamoDBClient, 'send'>,
  onAnswer: () => Promise<void> = async () => undefined,
) => {
  const sent: MeteredRead[] = [];
  const reads: Read[] = [];
  const send = async (command: Command, ...rest: never[]) => {
    const answer = await (real.send as unknown as Send).call(real, command, ...rest);
    const { Count: count, ScannedCount } = answer;
    expect(ScannedCount).toBe(count);
    expect(command.input).not.toHaveProperty('FilterExpression');
    sent.push({ name: command.constructor.name.replace('Command', ''), input: { ...command.input }, count });
    await onAnswer();
    return answer;
  };
  return {
    dynamodb: { send } as unknown as Pick<DynamoDBClient, 'send'>,
    onRead: (read: Read) => void reads.push(read),
    /** The requests since the last call. */
    takeRequests: () => {
      reads.splice(0);
      return sent.splice(0);
    },
    /** The requests since the last call, each in a line, as reported to `onRead`. */
    requestLines: () => {
      const told = reads.splice(0);
      expect(sent.splice(0).map(({ name, count }) => [name, count])).toEqual(
        told.map(({ operation, rows }) => [operation, operation === 'Query' ? rows : undefined]),
      );
      return told.map(({ operation, table, index, rows, units }) =>
        [operation, table, ...(index === undefined ? [] : [index]), rows, units].join(' '),
      );
    },
  };
};

/** The clock of the client below. */
const rejectingNow = '2026-11-22T09:00:00.000Z';

/** A client that must reject arguments before it sends a request. */
export const rejectingClient = () =>
  createCallfeedClient({
    dynamodb: {
      send: () => {
        throw new Error('A request was sent');
      },
    },
    tables: { calls: 'calls', agents: 'agents' },
    account: 'demo',
    clock: () => new Date(rejectingNow),
  });

/** All items of a list, in order. */
export const collected = async <Item>(list: AsyncIterable<Item>): Promise<readonly Item[]> => {
  const items: Item[] = [];
  for await (const item of list) items.push(item);
  return items;
};

/** A feed that was polled at noon and is stale half a minute later. */
export const feedAtNoon: FeedNow = {
  account: 'demo',
  status: 'live',
  statusSince: '2026-11-21T11:00:00.000Z',
  asOf: '2026-11-21T12:00:00.000Z',
  staleAt: '2026-11-21T12:00:30.000Z',
  agentCount: 1,
  counts: { ready: 1 },
  unreadableRecords: 0,
  version: 7,
};

/** The feed's row, with what the poller notes. */
export const feedWithNotes = {
  ...feedAtNoon,
  poller: { slot: 1, requests: [], inFlight: false },
};

/** Writes rows of the agents' table as the product makes them, without the handlers. */
export const putAgentRows = ({ client, tableNames }: TestTables, rows: readonly Row[]) =>
  writeInBatches(
    { client, tableName: tableNames.agents, deadlineMs: 60_000 },
    rows.map((row) => ({ PutRequest: { Item: marshalled(row) } })),
  );
