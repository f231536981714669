import type { APIGatewayProxyEventV2, SQSEvent } from 'aws-lambda';
import type { TelephonyService } from '../../../lib/agents/get-agent-logins.ts';
import { fail } from '../../../lib/core/result.ts';
import type { Envelope } from '../../../sandbox/bus/event-log.ts';
import { busEndpoint } from '../../../sandbox/bus/put-events.ts';
import type { Handle } from '../../../sandbox/http/serve.ts';
import { failedItems } from '../../../sandbox/lambda/runtime.ts';
import { createQueue, type Queue } from '../../../sandbox/queue/queue.ts';
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

/** The functions as deployed, with queues and bus in memory and a clock that only `advance` moves. The tables are given. */
export interface Environment {
  readonly now: () => Date;
  readonly advance: (milliseconds: number) => void;
  /** A new process of each function; `own` overrides its surroundings, such as its clock. */
  readonly start: (faultFor: FaultInjector, own?: Partial<InstanceOptions>) => Instance;
  readonly parking: Queue;
  readonly deadLetters: Queue;
  /** Every event that the bus accepted, in order. */
  readonly events: () => readonly Envelope[];
  /** The same; the bus then forgets them. */
  readonly takeEvents: () => readonly Envelope[];
  /** Delivers up to ten parked messages to recovery, as Lambda does: those that fail are delivered again. */
  readonly recover: (instance: Instance) => Promise<void>;
  /** Posts to the receiver. Undefined if there is no reply, so the sender does not know the outcome. */
  readonly post: (instance: Instance, event: APIGatewayProxyEventV2) => Promise<Reply | undefined>;
}

const noAnswer: TelephonyService = { post: async () => fail({ reason: 'connection' }) };

/** As deployed. */
export const visibilityMilliseconds = 360_000;
const maxReceiveCount = 5;
const recoveryBatch = 10;

const busName = 'callfeed';
const noFaults = { draw: () => 'none' as const, untilLifted: async () => undefined };

/** A new environment around tables named `calls`, `quarantine` and `agents`. */
export const createEnvironment = (dynamodb: Handle, options: WorldOptions): Environment => {
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
    start: (faultFor, own) => startInstance({ ...around, ...own }, faultFor),
    ...{ parking, deadLetters },
    events: () => events,
    takeEvents: () => events.splice(0),
    async recover(instance) {
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
    post: async (instance, event) => replyIn(await instance.receive(event)),
  };
};

const replyIn = (outcome: Outcome<unknown>): Reply | undefined => {
  if (outcome.kind === 'crashed') return undefined;
  const { statusCode, body } = Object(outcome.answer);
  return { statusCode: Number(statusCode), body: String(body) };
};
