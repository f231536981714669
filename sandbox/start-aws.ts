import { DynamoDBStreamsClient } from '@aws-sdk/client-dynamodb-streams';
import { tickLifeSeconds } from '../functions/poll-agents/ticks.ts';
import { type FunctionName, timeoutSeconds } from '../functions/timeouts.ts';
import { agentsTable, callsTable } from '../lib/storage/tables.ts';
import type { AccountsSecret } from './accounts-secret.ts';
import { createEventLog, type Envelope } from './bus/event-log.ts';
import { busEndpoint } from './bus/put-events.ts';
import { within } from './clock.ts';
import type { Closers } from './closers.ts';
import type { ConsoleLog, Counters } from './console-log.ts';
import { fileIn } from './data-folder.ts';
import type { Store } from './dynamodb/start-store.ts';
import { type FaultBoard, withFaults } from './faults.ts';
import { serve } from './http/serve.ts';
import type { Variables } from './lambda/function-environment.ts';
import type { Functions, Invoke } from './lambda/runtime.ts';
import { busName, localClient } from './local-aws.ts';
import { messageJournal } from './queue/message.ts';
import { createQueue, type Queue, type QueueOptions } from './queue/queue.ts';
import { startQueueReader } from './queue/queue-reader.ts';
import { queueUrl, sqsEndpoint, sqsFaults } from './queue/sqs-endpoint.ts';
import { startS3 } from './s3/s3-endpoint.ts';
import { deployedDeadLetterSeconds, type SandboxOptions } from './sandbox-options.ts';
import { createCheckpoints, filterPublished, startStreamReader } from './stream/stream-reader.ts';

export interface AwsParts {
  readonly options: SandboxOptions;
  readonly functions: Pick<Functions, 'use'>;
  readonly store: Store;
  readonly secret: Pick<AccountsSecret, 'accounts'>;
  readonly board: FaultBoard;
  readonly consoleLog: ConsoleLog;
  readonly counters: Counters;
  readonly closers: Closers;
}

type Queues = Awaited<ReturnType<typeof startQueues>>;
type Bus = Awaited<ReturnType<typeof startBus>>;
type Readers = ReturnType<typeof createReaders>;

/** An optional feature of a deployment. It adds its queues, and what invokes its function. */
export type Feature = (aws: AwsParts & Queues & Pick<Bus, 'log'> & Readers) => Added | Promise<Added>;

/** What a feature adds to the addresses and the state that `GET /_sandbox` shows, and to the functions' environment. */
export interface Added {
  readonly addresses?: Readonly<Record<string, string>>;
  readonly state?: { readonly recordingsBucket: string };
  readonly variables?: (simulatorUrl: string | undefined) => Variables;
  /** Kinds of rows of the calls' table whose changes are published as well. */
  readonly published?: readonly string[];
}

/**
 * Starts the emulated AWS, in which changes of both tables are published, parked callbacks recovered and ticks polled, and
 * the features have what they add.
 */
export const startAws = async (parts: AwsParts, features: readonly Feature[]) => {
  const { options, store, consoleLog, counters, closers } = parts;
  const queues = await startQueues(parts);
  const s3 = await startS3(fileIn(options.data, 'recordings'), closers);
  const bus = await startBus(parts);
  const readers = createReaders(parts);
  const added: Added[] = [];
  for (const feature of features) added.push(await feature({ ...parts, ...queues, log: bus.log, ...readers }));

  const { deadLetters, parking, ticks } = addOwnQueues({ ...parts, ...queues, ...readers });

  const onFailure = (records: number): void => {
    counters.add('publishRetries', 1);
    consoleLog.publishRetry(records);
  };
  const ofCalls = [...callsTable.published, ...added.flatMap(({ published = [] }) => published)];
  readers.readStream(store.streamArns.calls, ofCalls, 'stream-checkpoints.json', 'publish-changes', onFailure);
  readers.readStream(
    store.streamArns.agents,
    agentsTable.published,
    'agents-stream-checkpoints.json',
    'publish-changes',
    onFailure,
  );
  readers.startReading();

  return {
    ...{ log: bus.log, parking, deadLetters, ticks },
    urls: { sqs: queues.sqsUrl, s3: s3.url, eventbridge: bus.url },
    addresses: Object.assign(
      {
        parkingQueue: queues.addressOf(parking),
        deadLettersQueue: queues.addressOf(deadLetters),
        tickQueue: queues.addressOf(ticks),
      },
      joined(added.map(({ addresses }) => addresses)),
    ),
    state: joined(added.map(({ state }) => state)),
    variables: (simulatorUrl: string | undefined): Variables =>
      joined(added.map(({ variables }) => variables?.(simulatorUrl))),
  };
};

const joined = <Value>(records: readonly (Readonly<Record<string, Value>> | undefined)[]) =>
  Object.fromEntries(records.flatMap((record = {}) => Object.entries(record)));

export type RunningAws = Awaited<ReturnType<typeof startAws>>;

/** Parked callbacks and ticks, which every deployment has. */
export const addOwnQueues = ({
  options,
  consoleLog,
  counters,
  addQueue,
  readQueue,
}: Pick<AwsParts, 'options' | 'consoleLog' | 'counters'> & Pick<Queues, 'addQueue'> & Pick<Readers, 'readQueue'>) => {
  const deadLetters = addQueue('callfeed-parking-dead-letters', 'dead-letters.json');
  const accept: Queue['accept'] = (message) => {
    deadLetters.accept(message);
    counters.add('deadLetters', 1);
    consoleLog.deadLetter(deadLetters.messages().length);
  };
  const { deadLetterSeconds = deployedDeadLetterSeconds } = options;
  const maxReceiveCount = Math.ceil((deadLetterSeconds * 1_000) / visibilityMilliseconds);
  const parking = addQueue('callfeed-parking', 'parking.json', {
    redrive: { maxReceiveCount, to: { name: deadLetters.name, accept } },
    sentCounter: 'parked',
  });
  readQueue(parking, 'recover-callbacks', ['recovered', 'recoveryRetries'], {
    onBatch: (failed) => consoleLog.recovered(failed, parking.messages().length),
  });
  // Ticks are not stored between runs, as those of an earlier run are stale. A failed tick stays hidden until its poll has
  // certainly ended.
  const ticks = addQueue('callfeed-ticks', undefined, {
    visibilityMilliseconds: timeoutSeconds['poll-agents'] * 1_000,
    retentionMilliseconds: tickLifeSeconds * 1_000,
    sentCounter: 'ticks',
  });
  readQueue(ticks, 'poll-agents', ['ticksProcessed', 'ticksRetried'], {
    onBatch: consoleLog.outage('agents', 'polls fail; each is retried', 'polls work again'),
  });
  return { deadLetters, parking, ticks };
};

/** A failed message is retried after this time. In AWS it is six minutes; here users can watch the recovery. */
const visibilityMilliseconds = 2_000;

export const startQueues = async ({
  options,
  board,
  counters,
  closers,
}: Pick<AwsParts, 'options' | 'board' | 'counters' | 'closers'>) => {
  const queues: Queue[] = [];
  const sentCounters = new Map<Queue, string>();
  const endpoint = sqsEndpoint(queues, (to, count) => {
    const counter = sentCounters.get(to);
    if (counter !== undefined) counters.add(counter, count);
  });
  const served = await serve(withFaults(board, 'queue', sqsFaults, endpoint));
  closers.add(served.close);

  return {
    sqsUrl: served.url,
    addressOf: ({ name }: Queue): string => queueUrl(served.url, name),
    /** Adds a queue. With a file it has its messages again after a restart. */
    addQueue(
      name: string,
      file: string | undefined,
      { sentCounter, ...others }: Partial<QueueOptions> & { readonly sentCounter?: string } = {},
    ): Queue {
      const path = file === undefined ? undefined : fileIn(options.data, file);
      const queue = createQueue({
        ...{ name, visibilityMilliseconds, ...others },
        ...(path !== undefined && messageJournal(path)),
      });
      queues.push(queue);
      if (sentCounter !== undefined) sentCounters.set(queue, sentCounter);
      return queue;
    },
  };
};

const startBus = async ({ options, board, consoleLog, counters, closers }: AwsParts) => {
  const log = createEventLog(fileIn(options.data, 'events.ndjson'));
  closers.add(consoleLog.flush);
  const onEvents = (events: readonly Envelope[]): void => {
    log.append(events);
    counters.add('events', events.length);
    consoleLog.events(events);
  };
  const served = await serve(busEndpoint({ name: busName, onEvents }, board));
  closers.add(served.close);
  return { url: served.url, log };
};

interface QueueReading {
  /** Called after each batch with the number of messages that failed. */
  readonly onBatch?: (failed: number) => void;
  readonly batchSize?: number;
}

/** How long a running batch of a queue, and the last changes in a stream, may take when the sandbox stops. */
const stepMilliseconds = 2_000;
const drainMilliseconds = 2_000;

/** The emulated event source mappings of Lambda. */
const createReaders = ({ options, functions, store, counters, closers }: AwsParts) => {
  const client = new DynamoDBStreamsClient(localClient(store.url));
  closers.add(() => client.destroy());
  // Once DynamoDB Local is gone, nothing can be drained.
  let leftToDrain = drainMilliseconds;
  store.ended.then(() => {
    leftToDrain = 0;
  });
  const streams: (() => void)[] = [];
  const queues: (() => void)[] = [];

  return {
    readStream(
      arn: string,
      kinds: readonly string[],
      checkpoints: string,
      name: FunctionName,
      onFailure: (records: number) => void = () => undefined,
    ): void {
      const invoke = filterPublished(kinds, functions.use(name));
      streams.push(() => {
        const stream = startStreamReader({
          stream: { client, arn },
          checkpoints: createCheckpoints(fileIn(options.data, checkpoints)),
          ...{ invoke, onFailure },
        });
        closers.add(() => stream.stop(leftToDrain));
      });
    },
    /** Counts the messages that succeeded and those that are retried. */
    readQueue(
      queue: Queue,
      name: FunctionName,
      [succeededCounter, retriedCounter]: readonly [string, string],
      { onBatch, batchSize }: QueueReading,
    ): void {
      const invoke: Invoke = functions.use(name);
      counters.add(succeededCounter, 0);
      counters.add(retriedCounter, 0);
      queues.push(() => {
        const { stop } = startQueueReader(
          queue,
          { name, invoke },
          ({ succeeded, failed }) => {
            counters.add(succeededCounter, succeeded);
            counters.add(retriedCounter, failed);
            onBatch?.(failed);
          },
          batchSize,
        );
        closers.add(async () => {
          await within(stepMilliseconds, stop());
        });
      });
    },
    /** Queues are stopped before the streams, so that what their functions wrote is published. */
    startReading() {
      for (const start of [...streams, ...queues]) start();
    },
  };
};
