import { DynamoDBStreamsClient } from '@aws-sdk/client-dynamodb-streams';
import { type QueueConsumer, queueSources, type StreamConsumer, streamSources } from '../../functions/event-sources.ts';
import type { Store } from '../dynamodb/start-store.ts';
import { fileIn } from '../frame/data-folder.ts';
import { type FaultBoard, withFaults } from '../frame/faults.ts';
import { type Closers, within } from '../frame/lifecycle.ts';
import { busName, localClient } from '../frame/local-aws.ts';
import { serve } from '../frame/serve.ts';
import type { Variables } from '../functions/function-environment.ts';
import type { Functions } from '../functions/functions.ts';
import { messageJournal } from '../queue/message-journal.ts';
import { createQueue, type Queue, type QueueOptions } from '../queue/queue.ts';
import { startQueueReader } from '../queue/queue-reader.ts';
import { queueAddress, sqsEndpoint, sqsFaults } from '../queue/sqs-endpoint.ts';
import type { PlayedRows } from '../stream/played-rows.ts';
import { createCheckpoints, filterChanges, startStreamReader } from '../stream/stream-reader.ts';
import type { AccountsSecret } from './accounts.ts';
import type { ConsoleLog } from './console-log.ts';
import type { Counters } from './counters.ts';
import { busEndpoint, createEventLog, type DeliveredEvent, type EventLog } from './event-bus.ts';
import type { SandboxOptions } from './sandbox-options.ts';

export interface AwsParts {
  readonly options: SandboxOptions;
  readonly functions: Pick<Functions, 'use'>;
  readonly store: Store;
  readonly secret: Pick<AccountsSecret, 'accounts'>;
  readonly board: FaultBoard;
  readonly consoleLog: ConsoleLog;
  readonly counters: Counters;
  readonly closers: Closers;
  /** Rows whose events are published already. Only a demonstration writes such rows. */
  readonly played: Pick<PlayedRows, 'has'>;
}

type Queues = Awaited<ReturnType<typeof startQueues>>;
export type LocalAws = AwsParts & Queues & { readonly log: EventLog } & ReturnType<typeof createReaders>;

export type SandboxFeature = (aws: LocalAws) => Added | Promise<Added>;

export interface Added {
  readonly addresses?: Readonly<Record<string, string>>;
  readonly state?: { readonly recordingsBucket: string };
  readonly variables?: (simulatorUrl: string | undefined) => Variables;
  readonly published?: readonly string[];
}

/** A failed message is retried after this time. In AWS it is six minutes; here users can watch the recovery. */
export const visibilityMilliseconds = 2_000;

export const startQueues = async ({ options, board, closers }: Pick<AwsParts, 'options' | 'board' | 'closers'>) => {
  const queues: Queue[] = [];
  const served = await serve(withFaults(board, 'queue', sqsFaults, sqsEndpoint(queues)));
  closers.add(served.close);

  return {
    sqsUrl: served.url,
    addressOf: ({ name }: Queue): string => queueAddress(served.url, name),
    /** Without a file its messages are gone when the sandbox stops. */
    addQueue(name: string, file: string | undefined, others: Partial<QueueOptions> = {}): Queue {
      const path = file === undefined ? undefined : fileIn(options.data, file);
      const stored = path === undefined ? {} : messageJournal(path);
      const queue = createQueue({ name, visibilityMilliseconds, ...others, ...stored });
      queues.push(queue);
      return queue;
    },
  };
};

export const startBus = async ({ options, board, consoleLog, counters, closers }: AwsParts) => {
  const log = createEventLog(fileIn(options.data, 'events.ndjson'), { byTime: options.demo === true });
  closers.add(consoleLog.flush);
  const onEvents = (events: readonly DeliveredEvent[]): void => {
    log.append(events);
    counters.add('events', events.length);
    // A week of a demonstration would push everything else out of the terminal.
    consoleLog.events(options.demo === true ? events.filter(isPresent) : events);
  };
  const served = await serve(busEndpoint({ name: busName, onEvents }, board));
  closers.add(served.close);
  return { url: served.url, log };
};

const presentMilliseconds = 60_000;
const isPresent = ({ time }: DeliveredEvent): boolean => Date.now() - Date.parse(time) < presentMilliseconds;

const stepMilliseconds = 2_000;
const drainMilliseconds = 2_000;

export const createReaders = ({ options, functions, store, consoleLog, counters, closers, played }: AwsParts) => {
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
      name: StreamConsumer,
      onFailure: (records: number) => void = () => undefined,
    ): void {
      const { maxRecordAgeSeconds: maxAgeSeconds } = streamSources[name];
      const onGivenUp = (changes: number): void =>
        consoleLog.line('streams', `${changes} changes of rows are too old for ${name}, and are given up`);
      const invoke = filterChanges({ kinds, maxAgeSeconds, onGivenUp, played }, functions.use(name));
      streams.push(() => {
        const stream = startStreamReader({
          stream: { client, arn },
          checkpoints: createCheckpoints(fileIn(options.data, checkpoints)),
          invoke,
          onFailure,
        });
        closers.add(() => stream.stop(leftToDrain));
      });
    },
    readQueue(
      queue: Queue,
      name: QueueConsumer,
      counted: { readonly succeeded: string; readonly retried: string },
      onBatch: (failed: number) => void = () => undefined,
    ): void {
      const invoke = functions.use(name);
      counters.add(counted.succeeded, 0);
      counters.add(counted.retried, 0);
      queues.push(() => {
        const onDone = (succeeded: number, failed: number): void => {
          counters.add(counted.succeeded, succeeded);
          counters.add(counted.retried, failed);
          onBatch(failed);
        };
        const stop = startQueueReader(queue, { name, invoke }, onDone, queueSources[name].batchSize);
        closers.add(() => within(stepMilliseconds, stop()).then(() => undefined));
      });
    },
    /** Queues are stopped before the streams, so that what their functions wrote is published. */
    startReading() {
      for (const start of [...streams, ...queues]) start();
    },
  };
};
