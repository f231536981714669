import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { describe, expect, it } from 'vitest';
import { type Read, UnreadableRow } from '../../client/index.ts';
import * as readers from '../../client/table-reader.ts';
import { allRows, tableKey, tableReader } from '../../client/table-reader.ts';
import { pollStatusRow, snapshotRows } from '../../functions/poll-agents/agent-store.ts';
import { openInterval } from '../../lib/agents/diff-agents.ts';
import { agentRow, intervalRow } from '../../lib/agents/rows.ts';
import { rowOf } from '../../lib/calls/call-row.ts';
import type { Row } from '../../lib/storage/rows.ts';
import {
  agentsOf,
  callFacts,
  deliveryAt,
  loggedIn,
  participantFacts,
  participantKey,
  recordFrom,
} from '../support/posted-records.ts';
import { scriptedClient } from '../support/watched-clients.ts';
import { feedWithNotes } from './support/clients.ts';

const at = '2026-11-21T12:00:00.000Z';
const sentinel = 'SENTINEL of a person';
const asha = loggedIn(at, { AgentName: sentinel });
const oddCall = callFacts({ StartTime: 'noon', AgentID: 'asha', Comments: sentinel, [sentinel]: 'x' });
const feed = { ...feedWithNotes, lastProblem: { reason: 'timeout' as const, at } };

const callRow = rowOf(recordFrom([deliveryAt(oddCall, at)]), 9);
const participation = deliveryAt(participantFacts({ StartTime: sentinel }), at);
const [snapshot] = snapshotRows({ pollStatus: feed, at, agents: agentsOf(asha), retentionDays: 7 });

/** Each kind of row as stored, its reader, where a later version may add nested fields, and what must be there. */
type Kind = [name: string, read: (row: Row) => object, row: Row, breakable: string, inside?: string];
const kinds: readonly Kind[] = [
  ['Call', readers.readStoredCall, callRow, 'deliveries', 'notes'],
  [
    'CallParticipant',
    readers.readCallParticipant,
    rowOf(recordFrom([participation], participantKey), 9),
    'timeZone',
    'notes',
  ],
  ['ListedCall', readers.readListedCall, callRow, 'listedAt', 'agentIds'],
  ['AgentNow', readers.readAgentNow, agentRow('demo', asha), 'version'],
  ['AgentInState', readers.readAgentInState, agentRow('demo', asha), 'since'],
  ['FeedNow', readers.readFeedNow, pollStatusRow(feed), 'counts', 'lastProblem'],
  ['AgentInterval', readers.readAgentInterval, intervalRow('demo', openInterval(asha), 90), 'from'],
  ['FloorSnapshot', readers.readSnapshotPart, { ...snapshot }, 'status', 'agents'],
];

/** The value with a field added to it, or to the first element of it. */
const withAddition = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map((entry, index) => (index === 0 ? withAddition(entry) : entry));
  return typeof value === 'object' && value !== null ? { ...value, addedLater: sentinel } : value;
};

describe.each<Kind>(kinds)('the reader of a row %s', (name, read, row, breakable, inside) => {
  it('leaves out keys and internal attributes', () => {
    const found = read(row);

    for (const internal of ['pk', 'kind', 'poller']) expect(found).not.toHaveProperty(internal);
    expect(found).toMatchObject({ account: 'demo' });
  });

  it('ignores fields that a later version has added', () => {
    const added = { ...row, addedLater: 1, ...(inside && { [inside]: withAddition(row[inside]) }) };
    if (inside) expect(row[inside]).toBeDefined();

    expect(read(added)).toEqual(read(row));
  });

  it.each([undefined, 7.5, { [sentinel]: sentinel }, [sentinel]])(
    'names row and field if one is written otherwise, as %j, and no value',
    (value) => {
      const error = caught(() => read({ ...row, [breakable]: value }));

      expect(error).toBeInstanceOf(UnreadableRow);
      expect(error).toMatchObject({ name: 'UnreadableRow', row: name, fields: [breakable] });
      expect(String(error)).toContain(`${name} is not as this version of the client declares it: ${breakable}`);
      expect(`${error}${JSON.stringify(error)}`).not.toContain(sentinel);
    },
  );
});

const caught = (act: () => unknown): unknown => {
  try {
    return act();
  } catch (error) {
    return error;
  }
};

const itemOf = (sk: string) => ({ pk: { S: 'demo' }, sk: { S: sk } });
const pause = () => Promise.reject(new Error('Nothing was left unread'));
const query = { ...tableKey, partition: 'demo' };

describe('allRows', () => {
  it('passes errors of DynamoDB through, and the signal to every request', async () => {
    const throttled = new Error('throttled');
    const { signal } = new AbortController();
    const options: unknown[] = [];
    const { client } = scriptedClient<DynamoDBClient>(
      () => ({ LastEvaluatedKey: itemOf('a') }),
      () => {
        throw throttled;
      },
    );
    const send = (command: never, given: unknown) => {
      options.push(given);
      return client.send(command);
    };
    const dynamodb = { send } as unknown as typeof client;
    const reader = tableReader({ dynamodb, table: 'calls', tableName: 'calls', onRead: undefined, pause });

    await expect(allRows(reader, query, signal)).rejects.toBe(throttled);
    expect(options).toEqual([{ abortSignal: signal }, { abortSignal: signal }]);
  });
});

describe('the rows of some keys', () => {
  const keys = Array.from({ length: 102 }, (_, index) => ({ pk: String(index), sk: 'call' }));
  const read = ({ input }: { readonly input: unknown }) => {
    const [[TableName, { Keys, ConsistentRead }] = ['', { Keys: [], ConsistentRead: false }]] = Object.entries(
      Object(input).RequestItems as Record<string, { Keys: { pk: { S: string } }[]; ConsistentRead: boolean }>,
    );
    return { TableName, ids: Keys.map(({ pk }) => pk.S), ConsistentRead };
  };
  const answer =
    (found: number, unread: readonly string[] = []) =>
    () => ({
      Responses: { theirs: Array.from({ length: found }, () => itemOf('call')) },
      ...(unread.length > 0 && {
        UnprocessedKeys: { theirs: { Keys: unread.map((pk) => ({ pk: { S: pk }, sk: { S: 'call' } })) } },
      }),
      ConsumedCapacity: [{ CapacityUnits: 1.5 }],
    });

  it('are read a hundred at a time, and what was left unread again after a pause', async () => {
    const { client, sent } = scriptedClient<DynamoDBClient>(answer(98, ['7', '8']), answer(3, ['8']), answer(1));
    const [reads, pauses]: [Read[], number[]] = [[], []];
    const reader = tableReader({
      dynamodb: client,
      table: 'calls',
      tableName: 'theirs',
      onRead: (one) => reads.push(one),
      pause: async (ms) => pauses.push(ms),
    });

    expect(await reader.rows(keys)).toHaveLength(102);
    expect(sent.map(read)).toEqual([
      { TableName: 'theirs', ids: keys.slice(0, 100).map(({ pk }) => pk), ConsistentRead: true },
      { TableName: 'theirs', ids: ['100', '101', '7', '8'], ConsistentRead: true },
      { TableName: 'theirs', ids: ['8'], ConsistentRead: true },
    ]);
    expect(pauses).toEqual([100, 100]);
    expect(reads.map(({ operation, rows, units }) => [operation, rows, units])).toEqual([
      ['BatchGetItem', 98, 1.5],
      ['BatchGetItem', 3, 1.5],
      ['BatchGetItem', 1, 1.5],
    ]);
  });
});
