import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  ChangeMessageVisibilityCommand,
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
} from '@aws-sdk/client-sqs';
import type { Deployment } from '../../../cli/connection/deployment.ts';
import { dynamoVersionedRows } from '../../../functions/adapters/dynamo-versioned-rows.ts';
import { type Account, accountIndex } from '../../../lib/accounts/accounts.ts';
import { recordDelivery } from '../../../lib/calls/record-delivery.ts';
import { localClient } from '../../../sandbox/local-aws.ts';
import { createQueue, type Queue } from '../../../sandbox/queue/queue.ts';
import { normalisedRecords } from '../../support/call-records.ts';
import { startTestTables } from '../../support/dynamodb-local.ts';

/** The only account of these deployments. */
export const account: Account = {
  userName: 'demo',
  apiKeys: ['demo-key'],
  timeZone: 'Asia/Kolkata',
  token: { kind: 'none' },
};

/**
 * A deployment without a sandbox, which takes seconds to start: tables in the run's DynamoDB Local, and queues in this
 * process by a clock that the test moves.
 */
export const startDeployment = async () => {
  const tables = await startTestTables();
  const clients = new Set<DynamoDBClient>();
  const time = { nowMs: Date.parse('2026-11-22T09:00:00.000Z') };
  const queueOf = (name: string) => createQueue({ name, visibilityMilliseconds: 30_000, now: () => time.nowMs });
  const queues = { parking: queueOf('parking'), deadLetters: queueOf('dead-letters') };
  const accounts = accountIndex([account]);
  const record = recordDelivery({
    rows: dynamoVersionedRows(tables.client, tables.tableNames.calls),
    clock: () => new Date(time.nowMs),
    retentionDays: 9,
  });

  return {
    tables,
    queues,
    now: () => time.nowMs,
    advance(milliseconds: number) {
      time.nowMs += milliseconds;
    },
    /** Each command gets clients of its own, to which a test may add middleware. */
    async connect(): Promise<Deployment> {
      const dynamodb = new DynamoDBClient(localClient(tables.endpoint));
      clients.add(dynamodb);
      return {
        dynamodb,
        sqs: sqsOver(Object.values(queues)) as never,
        bus: { kind: 'sandbox', name: 'http://127.0.0.1:9' },
        tables: tables.tableNames,
        queues: { parking: queues.parking.name, deadLetters: queues.deadLetters.name },
        retention: { callDays: 9, quarantineDays: 9 },
        accounts: async () => accounts,
        callbackAddress: () => 'http://127.0.0.1:9',
        fromArchive: () => 'curl http://127.0.0.1:9',
      };
    },
    /** Stores the records of a post, as the receiver does. */
    async post(...records: readonly object[]) {
      for (const { key, delivery } of normalisedRecords(records, account).deliveries)
        await record(key, delivery, AbortSignal.timeout(15_000));
    },
    async stop() {
      for (const client of clients) client.destroy();
      await tables.stop();
    },
  };
};

/** The part of SQS that the commands use. A receive never waits: the queue of a test gets no messages meanwhile. */
const sqsOver = (queues: readonly Queue[]) => ({
  async send(command: unknown): Promise<object> {
    const { input } = command as { readonly input: Readonly<Record<string, never>> };
    const queue = queues.find(({ name }) => name === input['QueueUrl']);
    if (queue === undefined) throw new Error('No such queue');
    if (command instanceof SendMessageCommand) return queue.send(input['MessageBody'] ?? '', {}, 0);
    if (command instanceof DeleteMessageCommand) queue.remove(input['ReceiptHandle'] ?? '');
    if (command instanceof ChangeMessageVisibilityCommand)
      queue.hide(input['ReceiptHandle'] ?? '', Number(input['VisibilityTimeout']) * 1000);
    if (command instanceof GetQueueAttributesCommand)
      return { Attributes: { ApproximateNumberOfMessages: String(queue.messages().length) } };
    if (command instanceof ReceiveMessageCommand) {
      const messages = queue.receive(Number(input['MaxNumberOfMessages']), Number(input['VisibilityTimeout']) * 1000);
      return {
        Messages: messages.map(({ id, body, receipt, receiveCount }) => ({
          MessageId: id,
          Body: body,
          ReceiptHandle: receipt,
          Attributes: { ApproximateReceiveCount: String(receiveCount) },
        })),
      };
    }
    return {};
  },
});
