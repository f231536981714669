import { type FunctionName, timeoutSeconds } from './limits.ts';
import { tickLifeSeconds } from './poll-agents/ticks.ts';

/** How Lambda reads a queue for its function, and what the queue does with messages. */
export interface QueueSource {
  /** How many messages a run gets at most. */
  readonly batchSize: number;
  /** For how long a received message is hidden. */
  readonly visibilitySeconds: number;
  /** How long a message is kept. By default 14 days, the longest that SQS allows. */
  readonly retentionSeconds?: number;
}

/**
 * Six times as long as its function may run, as AWS recommends.
 * https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-configure.html
 */
const visibilityFor = (consumer: FunctionName): number => timeoutSeconds[consumer] * 6;

/** Each function that reads a queue. The stack and the sandbox have these values from here. */
export const queueSources = {
  'recover-callbacks': { batchSize: 10, visibilitySeconds: visibilityFor('recover-callbacks') },
  // Hidden as shortly as Lambda accepts: the tick of a failed run may serve the next slot, if that is still free. A tick is
  // worthless once its slot is over, because a late poll would use up the rate limit of the next one.
  'poll-agents': { batchSize: 10, visibilitySeconds: timeoutSeconds['poll-agents'], retentionSeconds: tickLifeSeconds },
  // A message takes up to a minute.
  'reconcile-calls': { batchSize: 1, visibilitySeconds: visibilityFor('reconcile-calls') },
  // An address that hangs takes ten seconds of a run, and a batch would wait for all of them.
  'forward-deliveries': { batchSize: 1, visibilitySeconds: visibilityFor('forward-deliveries') },
  'archive-recordings': { batchSize: 1, visibilitySeconds: visibilityFor('archive-recordings') },
} as const satisfies Partial<Record<FunctionName, QueueSource>>;

export type QueueConsumer = keyof typeof queueSources;

/**
 * How often a parked call is received before it is a dead letter: a day of attempts, one every six minutes. With 5, an outage of half
 * an hour would make every call a dead letter, which somebody would have to redrive.
 */
export const maxParkedReceives = 240;

/** How Lambda reads the stream of a table for a function. */
export interface StreamSource {
  /** A change that could not be processed for so long is given up. By default it is tried until its stream drops it, after a day. */
  readonly maxRecordAgeSeconds?: number;
}

/** Each function that reads streams. */
export const streamSources: Readonly<Record<'publish-changes' | 'forward-deliveries', StreamSource>> = {
  // An outage of the bus delays events but loses none. The stream drops a record after 24 hours, and then Lambda can no longer
  // write it to the bucket. One hour less leaves time for that.
  'publish-changes': { maxRecordAgeSeconds: 23 * 3_600 },
  'forward-deliveries': {},
};

export type StreamConsumer = keyof typeof streamSources;

/** How many changes of a table a run gets at most. A batch whose run crashes is cut in halves until the change at fault is alone. */
export const streamBatchSize = 100;
