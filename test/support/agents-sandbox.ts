import { DynamoDBClient, GetItemCommand, QueryCommand, type QueryCommandInput } from '@aws-sdk/client-dynamodb';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { expect, vi } from 'vitest';
import { eventSchemas } from '../../lib/contract/events.ts';
import type { EventDetail } from '../../lib/publish/events-of-change.ts';
import type { Row } from '../../lib/storage/rows.ts';
import { localClient } from '../../sandbox/local-aws.ts';
import type { SandboxOptions } from '../../sandbox/sandbox-options.ts';
import type { SandboxState } from '../../sandbox/sandbox-state.ts';
import type { Step } from '../../sandbox/simulator/script.ts';
import { startSharedSandbox } from './java-stand-in.ts';
import { eventLines } from './sandbox.ts';

/** Reads a table as another service does. A query must read no more than it returns. */
export const agentsReader = (client: DynamoDBClient, TableName: string) => ({
  /** One query, or the page of it after `ExclusiveStartKey`. */
  async query(input: Omit<QueryCommandInput, 'TableName'>) {
    const { Items = [], ScannedCount, LastEvaluatedKey } = await client.send(new QueryCommand({ TableName, ...input }));

    expect(ScannedCount).toBe(Items.length);
    return { rows: Items.map((item): Row => unmarshall(item)), next: LastEvaluatedKey };
  },
  async row(pk: string, sk: string): Promise<Row | undefined> {
    const { Item } = await client.send(new GetItemCommand({ TableName, Key: { pk: { S: pk }, sk: { S: sk } } }));
    return Item && unmarshall(Item);
  },
});

/** Everything in a partition. */
export const partition = (pk: string) => ({
  KeyConditionExpression: 'pk = :pk',
  ExpressionAttributeValues: { ':pk': { S: pk } },
});

/** A Callfeed event as a subscriber receives it. */
interface BusEnvelope {
  readonly source: string;
  readonly 'detail-type': keyof typeof eventSchemas;
  readonly detail: EventDetail & { readonly agentId?: string };
}

const soon = { timeout: 20_000, interval: 10 };

/**
 * The whole sandbox, with a `Date` that only the test advances. The test also sends the ticks, so a time slot of the poller
 * takes no time. Timers are real.
 */
export const startAgentsSandbox = async (
  options: Partial<SandboxOptions> = {},
  startsAt = '2026-11-21T10:00:00.000Z',
) => {
  vi.setSystemTime(startsAt);
  const sandbox = await startSharedSandbox({
    port: 0,
    dynamodbPort: 0,
    providerPort: 0,
    traffic: false,
    polling: false,
    ...options,
  });
  const { addresses } = sandbox;
  const dynamodb = new DynamoDBClient(localClient(addresses.dynamodb));
  const sqs = new SQSClient(localClient(addresses.sqs));
  const state = async () => (await (await fetch(addresses.sandbox)).json()) as SandboxState;

  return {
    addresses,
    dynamodb,
    sqs,
    state,
    ...agentsReader(dynamodb, 'callfeed-agents'),
    /** Logs agents in and out, and changes them. */
    async script(...steps: readonly Step[]) {
      const answer = await fetch(addresses.agents, { method: 'POST', body: JSON.stringify(steps) });
      expect(answer.status).toBe(200);
    },
    async setFault(name: string, mode: string) {
      await fetch(`${addresses.faults}/${name}`, { method: 'PUT', body: JSON.stringify({ mode }) });
    },
    /** Advances the date, sends a tick, and waits until the tick is processed. Returns the new time. */
    async poll(seconds = 15) {
      const { ticksProcessed } = (await state()).counts;
      vi.setSystemTime(Date.now() + seconds * 1000);
      await sqs.send(new SendMessageCommand({ QueueUrl: addresses.tickQueue, MessageBody: 'by hand' }));
      await expect.poll(async () => (await state()).counts.ticksProcessed, soon).toBe(ticksProcessed + 1);
      return new Date().toISOString();
    },
    /** All events so far. Each one is checked against the contract. */
    async events(): Promise<readonly BusEnvelope[]> {
      const events = (await eventLines(addresses.events)).map((line): BusEnvelope => JSON.parse(line));
      for (const { 'detail-type': type, detail } of events) eventSchemas[type].parse(detail);
      return events;
    },
    async stop() {
      vi.useRealTimers();
      dynamodb.destroy();
      sqs.destroy();
      await sandbox.stop();
    },
  };
};

export type AgentsSandbox = Awaited<ReturnType<typeof startAgentsSandbox>>;
