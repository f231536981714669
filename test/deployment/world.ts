import type { _Record as StreamRecord } from '@aws-sdk/client-dynamodb-streams';
import type { APIGatewayProxyEventV2, DynamoDBRecord, DynamoDBStreamEvent, SQSEvent } from 'aws-lambda';
import * as z from 'zod';
import { maxRecordingReceives } from '../../functions/archive-recordings/archive-recordings.ts';
import { type QueueConsumer, queueSources } from '../../functions/event-sources.ts';
import { maxForwardAttempts } from '../../functions/forward-deliveries/forward-delivery.ts';
import type { RowChange } from '../../lib/publish/events-of-change.ts';
import { marshalled, type Row, unmarshalled } from '../../lib/storage/rows.ts';
import { callsTable, type Table } from '../../lib/storage/tables.ts';
import { busEndpoint, type DeliveredEvent } from '../../sandbox/aws/event-bus.ts';
import { type AwsJson, awsJson, operation, result } from '../../sandbox/frame/aws-json.ts';
import type { Handle } from '../../sandbox/frame/serve.ts';
import { failedItems } from '../../sandbox/functions/load-function.ts';
import { createQueue, type Queue } from '../../sandbox/queue/queue.ts';
import { receiveFor, sqsRecord } from '../../sandbox/queue/queue-reader.ts';
import { queueAddress, sqsEndpoint } from '../../sandbox/queue/sqs-endpoint.ts';
import { lambdaImage, lambdaRecord } from '../../sandbox/stream/shard.ts';
import type { LocalTables } from '../support/dynamodb-local.ts';
import { type FaultInjector, type Instance, type Outcome, type Surroundings, startInstance } from './functions.ts';
import { type DeployedTable, deployedTables, type Item, keysIn, memoryDynamodb, writesIn } from './memory-dynamodb.ts';
import { type RecordingHost, recordingStore } from './telephony.ts';

/*
 * What AWS holds between the runs of functions, and how Lambda delivers it: tables with their streams, queues, the bus, the
 * secret. The clock stands still until `advance` moves it.
 */

export const accountsSecretArn = 'arn:aws:secretsmanager:local:000000000000:secret:callfeed-accounts-test';

const secretsManager: AwsJson = {
  version: '1.1',
  service: 'secretsmanager',
  namespace: 'com.amazonaws.secretsmanager',
};

export interface Reply {
  readonly statusCode: number;
  readonly body: string;
}

export interface WorldOptions
  extends Pick<
    Partial<Surroundings>,
    'telephony' | 'report' | 'receiver' | 'turn' | 'env' | 'onLine' | 'monitored' | 'storeDeadlineMs'
  > {
  readonly startedAt: string;
  /** The accounts of the deployment, as the secret has them. */
  readonly accounts: readonly unknown[];
  /** Where the functions find the accounts: as deployed, in a secret, or in their environment, where no call reads them. */
  readonly accountsIn?: 'secret' | 'environment';
  readonly recordingHost?: RecordingHost | undefined;
}

/** As deployed. */
export const visibilityMilliseconds = queueSources['recover-callbacks'].visibilitySeconds * 1_000;
/** Fewer than deployed, where a day passes before a parked call is a dead letter. */
const maxReceiveCount = 5;

const busName = 'callfeed';
const noFaults = { draw: () => 'none' as const, untilLifted: async () => undefined };

/** The functions as deployed, with queues, bus and secret in memory, over the given tables. */
export const createEnvironment = (dynamodb: Handle, options: WorldOptions) => {
  const { startedAt, accounts, accountsIn, recordingHost, ...outside } = options;
  let nowMs = Date.parse(startedAt);
  const now = () => nowMs;
  const clock = () => new Date(nowMs);
  const advance = (milliseconds: number): void => {
    nowMs += milliseconds;
  };
  const events: DeliveredEvent[] = [];
  let secret: string | undefined = JSON.stringify(accounts);
  const queue = (name: string, redrive?: Parameters<typeof createQueue>[0]['redrive']) =>
    createQueue({ name, visibilityMilliseconds, now, ...(redrive && { redrive }) });
  const deadLetters = queue('dead-letters');
  const parking = queue('parking', { maxReceiveCount, to: deadLetters });
  const reconciliation = queue('reconciliation', { maxReceiveCount, to: deadLetters });
  const forwardDeadLetters = queue('forward-dead-letters.fifo');
  const forwarding = queue('forwarding.fifo', { maxReceiveCount: maxForwardAttempts, to: forwardDeadLetters });
  const recordingDeadLetters = queue('recording-dead-letters');
  const recordingQueue = queue('recordings', { maxReceiveCount: maxRecordingReceives, to: recordingDeadLetters });
  const queues = {
    parking,
    deadLetters,
    reconciliation,
    forwarding,
    forwardDeadLetters,
    recordingQueue,
    recordingDeadLetters,
  };
  const recordings = recordingStore(recordingHost);
  const services = {
    dynamodb,
    sqs: sqsEndpoint(Object.values(queues)),
    secrets: awsJson(secretsManager, {
      GetSecretValue: operation(secretsManager, z.object({ SecretId: z.literal(accountsSecretArn) }), () =>
        result(secretsManager, { ARN: accountsSecretArn, SecretString: secret }),
      ),
    }),
    eventbridge: busEndpoint({ name: busName, onEvents: (accepted) => events.push(...accepted) }, noFaults),
  };
  const urlOf = ({ name }: Queue): string => queueAddress('http://queues.invalid', name);
  const env = {
    CALLS_TABLE: 'calls',
    QUARANTINE_TABLE: 'quarantine',
    AGENTS_TABLE: 'agents',
    PARKING_QUEUE_URL: urlOf(parking),
    BUS_NAME: busName,
    RECONCILE_QUEUE_URL: urlOf(reconciliation),
    FORWARD_QUEUE_URL: urlOf(forwarding),
    RECORDINGS_BUCKET: 'recordings',
    RECORDINGS_QUEUE_URL: urlOf(recordingQueue),
    RECORDINGS_DEAD_LETTERS_URL: urlOf(recordingDeadLetters),
    RECORDING_HOSTS: 'recordings.example.com',
    ...(accountsIn === 'secret'
      ? { ACCOUNTS_SECRET_ARN: accountsSecretArn }
      : { CALLFEED_ACCOUNTS: JSON.stringify(accounts) }),
    ...outside.env,
  };
  const around = { ...outside, clock, pause: async (ms: number) => advance(ms), services, recordings, env };

  /** Delivers messages of a queue to a function, as Lambda does: those that fail are delivered again. */
  const deliver = async (
    name: QueueConsumer,
    from: Queue,
    invoke: (event: SQSEvent) => Promise<Outcome>,
  ): Promise<void> => {
    // As in Lambda, so that the SDK passes traces on.
    process.env['AWS_LAMBDA_FUNCTION_NAME'] ??= 'driver';
    const { messages, run } = receiveFor(name, from, queueSources[name].batchSize);
    if (messages.length === 0) return;
    const outcome = await run(() => invoke({ Records: messages.map((message) => sqsRecord(from.name, message)) }));
    if (outcome.kind === 'crashed') return;
    const ids = messages.map(({ id }) => id);
    const failed = failedItems(outcome.answer, ids);
    for (const { id, receipt = '' } of messages) if (!failed.includes(id)) from.remove(receipt);
  };

  return {
    ...queues,
    services,
    recordings,
    now: clock,
    advance,
    /** A new process of each function; `own` overrides its surroundings, such as its clock. */
    start: (faultFor: FaultInjector = () => 'pass', own: Partial<Surroundings> = {}) =>
      startInstance({ ...around, ...own }, faultFor),
    /** Replaces the text of the accounts’ secret. */
    putSecret: (text: string | undefined) => {
      secret = text;
    },
    /** Every event that the bus accepted, in order. */
    events: () => events,
    /** The same; the bus then forgets them. */
    takeEvents: () => events.splice(0),
    /** Delivers a tick that was sent now to the poller. */
    tick: (instance: Instance) =>
      instance.poll({ Records: [{ attributes: { SentTimestamp: String(nowMs) } }] } as SQSEvent),
    /** Each of these delivers the messages of one run. */
    recover: (instance: Instance) => deliver('recover-callbacks', parking, instance.recover),
    reconcile: (instance: Instance) => deliver('reconcile-calls', reconciliation, instance.reconcile),
    forward: (instance: Instance) => deliver('forward-deliveries', forwarding, instance.forward),
    archive: (instance: Instance) => deliver('archive-recordings', recordingQueue, instance.archive),
    /** Posts to the receiver. Undefined if there is no reply, so the sender does not know the outcome. */
    async post(instance: Instance, event: APIGatewayProxyEventV2): Promise<Reply | undefined> {
      const outcome = await instance.receive(event);
      if (outcome.kind === 'crashed') return undefined;
      const { statusCode, body } = Object(outcome.answer);
      return { statusCode: Number(statusCode), body: String(body) };
    },
  };
};

const shardsPerTable = 3;

const shardOf = (table: string, partition: string, { dynamodb }: StreamRecord): string => {
  const key = dynamodb?.Keys?.[partition];
  const sum = Buffer.from(key?.S ?? '').reduce((total, byte) => (total * 31 + byte) % 1_000_003, 7);
  return `${table} ${sum % shardsPerTable}`;
};

/**
 * The streams of tables as Lambda delivers them: ordered in each shard, and each partition key in one shard. Rows of
 * unpublished kinds are skipped, as by the deployed filter.
 */
const createStreams = (tables: Readonly<Record<string, Table>>) => {
  const shards = new Map<string, readonly DynamoDBRecord[]>();
  return {
    take(table: string, record: StreamRecord) {
      const { published = [], key } = tables[table] ?? {};
      if (!published.includes(record.dynamodb?.NewImage?.['kind']?.S ?? '')) return;
      const shard = shardOf(table, key?.partition ?? '', record);
      shards.set(shard, [...(shards.get(shard) ?? []), lambdaRecord(record, table)]);
    },
    /** The shards with undelivered records. */
    waiting: () => [...shards].filter(([, records]) => records.length > 0).map(([shard]) => shard),
    /** Delivers at most so many records of a shard. A record that fails, and all after it, are delivered again. */
    async deliver(shard: string, batchSize: number, invoke: (event: DynamoDBStreamEvent) => Promise<Outcome>) {
      const batch = (shards.get(shard) ?? []).slice(0, batchSize);
      if (batch.length === 0) return;
      const outcome = await invoke({ Records: batch });
      if (outcome.kind === 'crashed') return;
      const sequences = batch.map(({ dynamodb }) => dynamodb?.SequenceNumber ?? '');
      const failed = failedItems(outcome.answer, sequences).map((item) => sequences.indexOf(item));
      const handled = Math.min(batch.length, ...failed);
      shards.set(shard, (shards.get(shard) ?? []).slice(handled));
    },
  };
};

/** The types differ in binary values only, which our rows do not have. */
const rowIn = (image: Parameters<typeof lambdaImage>[0] | undefined): Row | undefined =>
  image && unmarshalled(lambdaImage(image) as Item);

/** What comes of the records of the tables' streams. */
const followedStreams = () => {
  const streams = createStreams(deployedTables);
  /** The second reader of the calls' stream. */
  const forwardStreams = createStreams({ calls: callsTable });
  const changes: RowChange[] = [];
  const take = (table: string, record: StreamRecord): void => {
    const { SequenceNumber: sequence = '', OldImage, NewImage } = record.dynamodb ?? {};
    changes.push({ sequence, before: rowIn(OldImage), after: rowIn(NewImage) });
    streams.take(table, record);
    forwardStreams.take(table, record);
  };
  return {
    take,
    followed: {
      streams,
      forwardStreams,
      /** Every change of a row so far, in order within a table. */
      changes: (): readonly RowChange[] => changes,
    },
  };
};

/** The functions as deployed, with all of AWS in memory. */
export const createMemoryWorld = (options: WorldOptions) => {
  const { take, followed } = followedStreams();
  const tables = memoryDynamodb(({ table, keys: Keys, before: OldImage, after: NewImage }) => {
    const SequenceNumber = String(followed.changes().length + 1).padStart(21, '0');
    const written = { Keys, SequenceNumber, ApproximateCreationDateTime: new Date(environment.now()) };
    take(table, { dynamodb: { ...written, ...(OldImage && { OldImage }), ...(NewImage && { NewImage }) } });
  });
  const environment = createEnvironment(tables.handle, options);
  return {
    ...environment,
    ...followed,
    nameOf: (table: DeployedTable): string => table,
    /** The streams in memory have each record at once. */
    caughtUp: async () => undefined,
    close: async (): Promise<void> => undefined,
    /** Deletes rows as time to live does. */
    expire: tables.expire,
    rows: (table: DeployedTable): readonly Row[] => tables.items(table).map(unmarshalled),
  };
};

export type MemoryWorld = ReturnType<typeof createMemoryWorld>;

/**
 * The functions as deployed over tables in DynamoDB Local, and their real streams. Where worlds share tables, each sees only
 * what it wrote itself: its name is its only account, with which the keys of all its streamed rows begin.
 */
export const createLocalWorld = (
  tables: LocalTables,
  { name, ...options }: WorldOptions & { readonly name?: string | undefined },
) => {
  const { take, followed } = followedStreams();
  const written = new Map<string, { readonly table: string; readonly keys: Item }>();
  const note = (table: string, item: Item): void => {
    const { key } = tables.declarations[table] ?? deployedTables.calls;
    const keys = keysIn(item, key);
    written.set(JSON.stringify([table, keys]), { table, keys });
  };
  const keysWritten = (table: DeployedTable): readonly Item[] =>
    [...written.values()].filter((each) => each.table === tables.nameOf(table)).map(({ keys }) => keys);
  let last: Promise<unknown> = Promise.resolve();
  /** Answers concurrent requests one after the other, so that a run can be repeated. */
  const dynamodb: Handle = (request) => {
    const operation = String(request.headers['x-amz-target']).split('.')[1] ?? '';
    for (const { table, item } of writesIn(operation, JSON.parse(request.body.toString()))) note(table, item);
    const answer = last.then(() => tables.handle(request));
    last = answer.catch(() => undefined);
    return answer;
  };

  return {
    ...createEnvironment(dynamodb, { ...options, env: { ...tables.env, ...options.env } }),
    ...followed,
    nameOf: tables.nameOf,
    /** Resolves once the streams have delivered all that was written before. */
    caughtUp: () => tables.caughtUp((table) => keysWritten(table).length > 0, name),
    close: tables.follow(take, name),
    /** The rows of a table, or those with certain keys. */
    rows: async (table: DeployedTable, includes: (keys: Item) => boolean = () => true): Promise<readonly Row[]> =>
      (await tables.items(table, keysWritten(table).filter(includes))).map(unmarshalled),
    async put(table: DeployedTable, row: Row) {
      note(tables.nameOf(table), marshalled(row));
      await tables.put(table, marshalled(row));
    },
  };
};

export type LocalWorld = ReturnType<typeof createLocalWorld>;
