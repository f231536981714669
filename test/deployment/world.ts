import type { _Record as StreamRecord } from '@aws-sdk/client-dynamodb-streams';
import type { APIGatewayProxyEventV2, DynamoDBRecord, DynamoDBStreamEvent, SQSEvent } from 'aws-lambda';
import * as z from 'zod';
import { maxRecordingReceives } from '../../functions/archive-recordings/archive-recordings.ts';
import { maxForwardAttempts } from '../../functions/forward-deliveries/forward-delivery.ts';
import type { FunctionName } from '../../functions/timeouts.ts';
import { fail } from '../../lib/core/result.ts';
import type { RowChange } from '../../lib/publish/events-of-change.ts';
import type { ReportService, TelephonyService } from '../../lib/service/service.ts';
import { type Row, unmarshalled } from '../../lib/storage/rows.ts';
import {
  agentsTable,
  callsTable,
  callsTableWithRecordings,
  quarantineTable,
  type Table,
} from '../../lib/storage/tables.ts';
import { busEndpoint, type Envelope } from '../../sandbox/event-bus.ts';
import { failedItems } from '../../sandbox/functions.ts';
import { type AwsJson, awsJson, operation, result } from '../../sandbox/http/aws-json.ts';
import type { Handle } from '../../sandbox/http/serve.ts';
import { createQueue, type Queue } from '../../sandbox/queue/queue.ts';
import { receiveFor, sqsRecord } from '../../sandbox/queue/queue-reader.ts';
import { queueUrl, sqsEndpoint } from '../../sandbox/queue/sqs-endpoint.ts';
import { lambdaRecord } from '../../sandbox/stream/shard.ts';
import { type RecordingHost, recordingStore } from './aws-clients.ts';
import type { FaultInjector } from './fault.ts';
import { type Instance, type InstanceOptions, type Outcome, startInstance } from './instance.ts';
import type { ItemChange } from './items.ts';
import { memoryDynamodb } from './memory-dynamodb.ts';

export const accountsSecretArn = 'arn:aws:secretsmanager:local:000000000000:secret:callfeed-accounts-test';

const secretsManager: AwsJson = {
  version: '1.1',
  service: 'secretsmanager',
  namespace: 'com.amazonaws.secretsmanager',
};

/** The secret with the accounts. Undefined is a secret without a text. */
const accountsSecret = (text: string | undefined) => {
  let SecretString = text;
  return {
    handle: awsJson(secretsManager, {
      GetSecretValue: operation(secretsManager, z.object({ SecretId: z.literal(accountsSecretArn) }), () =>
        result(secretsManager, { ARN: accountsSecretArn, SecretString }),
      ),
    }),
    put(next: string | undefined) {
      SecretString = next;
    },
  };
};

export interface Reply {
  readonly statusCode: number;
  readonly body: string;
}

export interface WorldOptions {
  readonly startedAt: string;
  /** The accounts of the deployment, as the secret has them. */
  readonly accounts: readonly unknown[];
  /** Where the functions find the accounts: as deployed, in a secret, or in their environment, where no call reads them. */
  readonly accountsIn?: 'secret' | 'environment';
  readonly telephony?: TelephonyService;
  readonly report?: ReportService;
  readonly receiver?: InstanceOptions['receiver'];
  readonly recordingHost?: RecordingHost;
  readonly turn?: () => Promise<void>;
  readonly env?: Readonly<Record<string, string>>;
  readonly onLine?: (line: string) => void;
  readonly monitored?: InstanceOptions['monitored'];
}

const noAnswer: TelephonyService = { post: async () => fail({ reason: 'connection' }) };

/** As deployed. */
export const visibilityMilliseconds = 360_000;
const maxReceiveCount = 5;
const forwardingBatch = 1;
const recoveryBatch = 10;
const reconciliationBatch = 1;

const busName = 'callfeed';
const noFaults = { draw: () => 'none' as const, untilLifted: async () => undefined };

/**
 * The functions as deployed, with queues and bus in memory and a clock that only `advance` moves. The tables are given, and
 * named `calls`, `quarantine` and `agents`.
 */
export const createEnvironment = (dynamodb: Handle, options: WorldOptions) => {
  let nowMs = Date.parse(options.startedAt);
  const now = () => nowMs;
  const events: Envelope[] = [];
  const queue = (name: string, redrive?: Parameters<typeof createQueue>[0]['redrive']) =>
    createQueue({ name, visibilityMilliseconds, now, ...(redrive && { redrive }) });
  const deadLetters = queue('dead-letters');
  const parking = queue('parking', { maxReceiveCount, to: deadLetters });
  const reconciliation = queue('reconciliation', { maxReceiveCount, to: deadLetters });
  const forwardDeadLetters = queue('forward-dead-letters.fifo');
  const forwarding = queue('forwarding.fifo', { maxReceiveCount: maxForwardAttempts, to: forwardDeadLetters });
  const recordingDeadLetters = queue('recording-dead-letters');
  const recordingQueue = queue('recordings', { maxReceiveCount: maxRecordingReceives, to: recordingDeadLetters });
  const recordings = recordingStore(options.recordingHost);
  const secret = accountsSecret(JSON.stringify(options.accounts));
  const host = 'http://queues.invalid';
  const services = {
    dynamodb,
    sqs: sqsEndpoint([
      parking,
      deadLetters,
      reconciliation,
      forwarding,
      forwardDeadLetters,
      recordingQueue,
      recordingDeadLetters,
    ]),
    secrets: secret.handle,
    eventbridge: busEndpoint({ name: busName, onEvents: (accepted) => events.push(...accepted) }, noFaults),
  };
  const env = {
    CALLS_TABLE: 'calls',
    QUARANTINE_TABLE: 'quarantine',
    AGENTS_TABLE: 'agents',
    PARKING_QUEUE_URL: queueUrl(host, parking.name),
    BUS_NAME: busName,
    RECONCILE_QUEUE_URL: queueUrl(host, reconciliation.name),
    FORWARD_QUEUE_URL: queueUrl(host, forwarding.name),
    RECORDINGS_BUCKET: 'recordings',
    RECORDINGS_QUEUE_URL: queueUrl(host, recordingQueue.name),
    RECORDINGS_DEAD_LETTERS_URL: queueUrl(host, recordingDeadLetters.name),
    RECORDING_HOSTS: 'recordings.example.com',
    ...(options.accountsIn === 'secret'
      ? { ACCOUNTS_SECRET_ARN: accountsSecretArn }
      : { CALLFEED_ACCOUNTS: JSON.stringify(options.accounts) }),
    ...options.env,
  };
  const advance = (milliseconds: number): void => {
    nowMs += milliseconds;
  };
  const { telephony = noAnswer, report, receiver, turn, onLine, monitored } = options;
  const around = {
    clock: () => new Date(nowMs),
    pause: async (milliseconds: number) => advance(milliseconds),
    ...{ services, telephony, report, receiver, recordings, turn, env, onLine, monitored },
  };

  /** Delivers messages of a queue to a function, as Lambda does: those that fail are delivered again. */
  const deliver = async (
    name: FunctionName,
    from: Queue,
    batch: number,
    invoke: (event: SQSEvent) => Promise<Outcome<unknown>>,
  ) => {
    // As in Lambda, so that the SDK passes traces on.
    process.env['AWS_LAMBDA_FUNCTION_NAME'] ??= 'driver';
    const { messages, run } = receiveFor(name, from, batch);
    if (messages.length === 0) return;
    const outcome = await run(() => invoke({ Records: messages.map((message) => sqsRecord(from.name, message)) }));
    if (outcome.kind === 'crashed') return;
    const ids = messages.map(({ id }) => id);
    const failed = failedItems(outcome.answer, ids);
    for (const { id, receipt = '' } of messages) if (!failed.includes(id)) from.remove(receipt);
  };

  return {
    now: around.clock,
    advance,
    /** A new process of each function; `own` overrides its surroundings, such as its clock. */
    start: (faultFor: FaultInjector, own?: Partial<InstanceOptions>) => startInstance({ ...around, ...own }, faultFor),
    ...{ parking, deadLetters, reconciliation, forwarding, forwardDeadLetters, services },
    ...{ recordings, recordingQueue, recordingDeadLetters },
    /** Replaces the text of the accounts’ secret. */
    putSecret: secret.put,
    /** Every event that the bus accepted, in order. */
    events: () => events,
    /** The same; the bus then forgets them. */
    takeEvents: () => events.splice(0),
    /** Delivers a tick that was sent now to the poller. */
    tick: (instance: Instance) =>
      instance.poll({ Records: [{ attributes: { SentTimestamp: String(nowMs) } }] } as SQSEvent),
    /** Delivers up to ten parked messages to recovery. */
    recover: (instance: Instance) => deliver('recover-callbacks', parking, recoveryBatch, instance.recover),
    /** Delivers one message of reconciliation. */
    reconcile: (instance: Instance) =>
      deliver('reconcile-calls', reconciliation, reconciliationBatch, instance.reconcile),
    /** Delivers one message of forwarding. */
    forward: (instance: Instance) => deliver('forward-deliveries', forwarding, forwardingBatch, instance.forward),
    /** Delivers one message of archiving. */
    archive: (instance: Instance) => deliver('archive-recordings', recordingQueue, 1, instance.archive),
    /** Posts to the receiver. Undefined if there is no reply, so the sender does not know the outcome. */
    post: async (instance: Instance, event: APIGatewayProxyEventV2) => replyIn(await instance.receive(event)),
  };
};

const replyIn = (outcome: Outcome<unknown>): Reply | undefined => {
  if (outcome.kind === 'crashed') return undefined;
  const { statusCode, body } = Object(outcome.answer);
  return { statusCode: Number(statusCode), body: String(body) };
};

const shardsPerTable = 3;

const shardOf = (table: string, partition: string, { dynamodb }: StreamRecord): string => {
  const key = dynamodb?.Keys?.[partition];
  const sum = Buffer.from(key?.S ?? '').reduce((total, byte) => (total * 31 + byte) % 1_000_003, 7);
  return `${table} ${sum % shardsPerTable}`;
};

const sequenceOf = ({ dynamodb }: DynamoDBRecord): string => dynamodb?.SequenceNumber ?? '';

/**
 * The streams of tables as Lambda delivers them: ordered in each shard, and each partition key in one shard. Rows of
 * unpublished kinds are skipped, as by the deployed filter.
 */
export const createStreams = (tables: Readonly<Record<string, Table>>) => {
  const shards = new Map<string, DynamoDBRecord[]>();
  let count = 0;

  const take = (table: string, record: StreamRecord): void => {
    const { published = [], key } = tables[table] ?? {};
    if (!published.includes(record.dynamodb?.NewImage?.['kind']?.S ?? '')) return;
    const shard = shardOf(table, key?.partition ?? '', record);
    shards.set(shard, [...(shards.get(shard) ?? []), lambdaRecord(record, table)]);
  };

  return {
    append({ table, keys, before, after }: ItemChange) {
      count += 1;
      const images = { ...(before && { OldImage: before }), ...(after && { NewImage: after }) };
      const SequenceNumber = String(count).padStart(21, '0');
      take(table, { dynamodb: { Keys: keys, SequenceNumber, ...images } });
    },
    /** Adds a record of a table’s real stream. */
    take,
    /** The shards with undelivered records. */
    waiting: () => [...shards].filter(([, records]) => records.length > 0).map(([shard]) => shard),
    /** Delivers at most so many records of a shard. A record that fails, and all after it, are delivered again. */
    async deliver(shard: string, batchSize: number, invoke: (event: DynamoDBStreamEvent) => Promise<Outcome<unknown>>) {
      const batch = (shards.get(shard) ?? []).slice(0, batchSize);
      if (batch.length === 0) return;
      const outcome = await invoke({ Records: batch });
      if (outcome.kind === 'crashed') return;
      const sequences = batch.map(sequenceOf);
      const failed = failedItems(outcome.answer, sequences).map((item) => sequences.indexOf(item));
      const handled = Math.min(batch.length, ...failed);
      shards.set(shard, (shards.get(shard) ?? []).slice(handled));
    },
  };
};

export const worldTables = {
  calls: callsTableWithRecordings,
  quarantine: quarantineTable,
  agents: agentsTable,
} as const;

/** The functions as deployed, with all of AWS in memory and a clock that only `advance` moves. */
export const createMemoryWorld = (options: WorldOptions) => {
  const streams = createStreams(worldTables);
  /** The second reader of the calls' stream. */
  const forwardStreams = createStreams({ calls: callsTable });
  const changes: RowChange[] = [];
  const dynamodb = memoryDynamodb(worldTables, (change) => {
    changes.push(rowChange(change, changes.length));
    streams.append(change);
    forwardStreams.append(change);
  });
  return {
    ...createEnvironment(dynamodb.handle, options),
    ...{ streams, forwardStreams },
    /** The streams in memory have each record at once. */
    caughtUp: async () => undefined,
    close: () => undefined,
    /** Every change of a row so far, in order. */
    changes: (): readonly RowChange[] => changes,
    /** Deletes rows as time to live does. */
    expire: dynamodb.expire,
    rows: (table: keyof typeof worldTables): readonly Row[] => dynamodb.items(table).map(unmarshalled),
  };
};

/** A change of an item as its row before and after. */
export const rowChange = ({ before, after }: ItemChange, index: number): RowChange => ({
  sequence: String(index).padStart(21, '0'),
  before: before && unmarshalled(before),
  after: after && unmarshalled(after),
});

export type MemoryWorld = ReturnType<typeof createMemoryWorld>;
