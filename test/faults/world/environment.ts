import type { APIGatewayProxyEventV2, SQSEvent } from 'aws-lambda';
import { fail } from '../../../lib/core/result.ts';
import type { TelephonyService } from '../../../lib/telephony/service/service.ts';
import type { Envelope } from '../../../sandbox/bus/event-log.ts';
import { busEndpoint } from '../../../sandbox/bus/put-events.ts';
import type { Handle } from '../../../sandbox/http/serve.ts';
import { failedItems } from '../../../sandbox/lambda/runtime.ts';
import { createQueue } from '../../../sandbox/queue/queue.ts';
import { sqsRecord } from '../../../sandbox/queue/queue-reader.ts';
import { queueUrl, sqsEndpoint } from '../../../sandbox/queue/sqs-endpoint.ts';
import type { FaultInjector } from './fault.ts';
import { type Instance, type InstanceOptions, type Outcome, startInstance } from './instance.ts';

export interface Reply {
  readonly statusCode: number;
  readonly body: string;
}

export interface WorldOptions {
  readonly startedAt: string;
  /** The accounts of the deployment, as the secret has them. */
  readonly accounts: readonly unknown[];
  readonly telephony?: TelephonyService;
  readonly turn?: () => Promise<void>;
  readonly env?: Readonly<Record<string, string>>;
  readonly onLine?: (line: string) => void;
}

const noAnswer: TelephonyService = { post: async () => fail({ reason: 'connection' }) };

/** As deployed. */
export const visibilityMilliseconds = 360_000;
const maxReceiveCount = 5;
const recoveryBatch = 10;

const busName = 'callfeed';
const noFaults = { draw: () => 'none' as const, untilLifted: async () => undefined };

/** A new environment around tables named `calls`, `quarantine` and `agents`. */
export const createEnvironment = (dynamodb: Handle, options: WorldOptions) => {
  let nowMs = Date.parse(options.startedAt);
  const now = () => nowMs;
  const events: Envelope[] = [];
  const deadLetters = createQueue({ name: 'dead-letters', visibilityMilliseconds, now });
  const parking = createQueue({
    name: 'parking',
    visibilityMilliseconds,
    redrive: { maxReceiveCount, to: deadLetters },
    now,
  });
  const host = 'http://queues.invalid';
  const services = {
    dynamodb,
    sqs: sqsEndpoint([parking, deadLetters], () => host),
    eventbridge: busEndpoint({ name: busName, onEvents: (accepted) => events.push(...accepted) }, noFaults),
  };
  const env = {
    CALLS_TABLE: 'calls',
    QUARANTINE_TABLE: 'quarantine',
    AGENTS_TABLE: 'agents',
    PARKING_QUEUE_URL: queueUrl(host, parking.name),
    BUS_NAME: busName,
    CALLFEED_ACCOUNTS: JSON.stringify(options.accounts),
    ...options.env,
  };
  const advance = (milliseconds: number): void => {
    nowMs += milliseconds;
  };
  const { telephony = noAnswer, turn, onLine } = options;
  const around = {
    clock: () => new Date(nowMs),
    pause: async (milliseconds: number) => advance(milliseconds),
    ...{ services, telephony, turn, env, onLine },
  };

  return {
    now: around.clock,
    advance,
    /** A new process of each function; `own` overrides its surroundings, such as its clock. */
    start: (faultFor: FaultInjector, own?: Partial<InstanceOptions>) => startInstance({ ...around, ...own }, faultFor),
    ...{ parking, deadLetters },
    /** Every event that the bus accepted, in order. */
    events: () => events,
    /** The same; the bus then forgets them. */
    takeEvents: () => events.splice(0),
    /** Delivers up to ten parked messages to recovery, as Lambda does: those that fail are delivered again. */
    async recover(instance: Instance) {
      const messages = parking.receive(recoveryBatch);
      if (messages.length === 0) return;
      const Records = messages.map((message) => sqsRecord(parking.name, message));
      const event: SQSEvent = { Records };
      const outcome = await instance.recover(event);
      if (outcome.kind === 'crashed') return;
      const failed = failedItems(
        outcome.answer,
        messages.map(({ id }) => id),
      );
      for (const { id, receipt = '' } of messages) if (!failed.includes(id)) parking.remove(receipt);
    },
    /** Posts to the receiver. Undefined if there is no reply, so the sender does not know the outcome. */
    post: async (instance: Instance, event: APIGatewayProxyEventV2) => replyIn(await instance.receive(event)),
  };
};

/** The functions as deployed, with queues and bus in memory and a clock that only `advance` moves. The tables are given. */
export type Environment = ReturnType<typeof createEnvironment>;

const replyIn = (outcome: Outcome<unknown>): Reply | undefined => {
  if (outcome.kind === 'crashed') return undefined;
  const { statusCode, body } = Object(outcome.answer);
  return { statusCode: Number(statusCode), body: String(body) };
};
