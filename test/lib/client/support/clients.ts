import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { expect } from 'vitest';
import { writeInBatches } from '../../../../functions/adapters/dynamo-agent-table.ts';
import { pollStatusRow, snapshotRows } from '../../../../functions/poll-agents/agent-store.ts';
import type { AgentsById } from '../../../../lib/agents/diff-agents.ts';
import { agentRow } from '../../../../lib/agents/rows.ts';
import type { AgentFacts } from '../../../../lib/agents/schema.ts';
import { rowOf } from '../../../../lib/calls/call-row.ts';
import { createCallfeedClient, type FeedNow, type Read } from '../../../../lib/client/index.ts';
import { marshalled, type Row } from '../../../../lib/storage/rows.ts';
import type { TestTables } from '../../../support/dynamodb-local.ts';
import { agentsOf, callFacts, deliveryAt, loggedIn, recordFrom } from '../../../support/posted-records.ts';

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

/** So many agents, each of some kilobytes, logged in at an instant. */
export const largeAgents = (count: number, at: string): AgentsById =>
  agentsOf(
    ...Array.from({ length: count }, (_, index) => {
      const facts: Partial<AgentFacts> = { agentId: `agent${String(index).padStart(5, '0')}`, name: 'x'.repeat(250) };
      const skills = Array.from({ length: 20 }, (__, skill) => `${skill} ${'y'.repeat(100)}`).toSorted();
      return { ...loggedIn(at), ...facts, skills };
    }),
  );

/** Writes rows as the product makes them, without the handlers, so that many of them take seconds. */
export const fillTables = ({ client, tableNames }: Pick<TestTables, 'client' | 'tableNames'>) => {
  const put = (tableName: string, rows: readonly Row[]) =>
    writeInBatches(
      { client, tableName, deadlineMs: 60_000 },
      rows.map((row) => ({ PutRequest: { Item: marshalled(row) } })),
    );
  return {
    agents: (rows: readonly Row[]) => put(tableNames.agents, rows),
    callRows: (rows: readonly Row[]) => put(tableNames.calls, rows),
    /** The agents as they are now. */
    floor: (agents: AgentsById) =>
      put(tableNames.agents, [
        pollStatusRow(feedWithNotes),
        ...[...agents.values()].map((agent) => agentRow('demo', agent)),
      ]),
    /** Writes a snapshot; resolves with its rows. */
    async snapshot(at: string, agents: AgentsById, retentionDays = 7) {
      const rows = snapshotRows({ pollStatus: { ...feedWithNotes, asOf: at }, at, agents, retentionDays });
      await put(tableNames.agents, rows);
      return rows;
    },
    /** Calls of an agent and a customer, a second apart, each with entries of some kilobytes in lists; ids from 0. */
    async calls(count: number) {
      const dispositions = Array.from({ length: 9 }, () => 'z'.repeat(200)).join(' -> ');
      const facts = callFacts({ AgentID: 'asha', CallerID: '09000000042', Disposition: dispositions });
      const receivedAt = Date.parse('2026-11-20T06:00:00.000Z');
      const rows = Array.from({ length: count }, (_, index) => {
        const at = new Date(receivedAt + index * 1000).toISOString();
        const key = { kind: 'call' as const, account: 'demo', callId: String(index) };
        return rowOf(recordFrom([deliveryAt({ ...facts, startedAt: at }, at)], key), 9);
      });
      await put(tableNames.calls, rows);
    },
  };
};
