import type { APIGatewayProxyEventV2, SQSEvent } from 'aws-lambda';
import * as z from 'zod';
import { maxRecordingReceives } from '../../functions/archive-recordings/archive-recordings.ts';
import { maxForwardAttempts } from '../../functions/forward-deliveries/forward-delivery.ts';
import type { FunctionName } from '../../functions/timeouts.ts';
import { fail } from '../../lib/core/result.ts';
import type { ReportService, TelephonyService } from '../../lib/service/service.ts';
import type { Envelope } from '../../sandbox/bus/event-log.ts';
import { busEndpoint } from '../../sandbox/bus/put-events.ts';
import { type AwsJson, awsJson, operation, result } from '../../sandbox/http/aws-json.ts';
import type { Handle } from '../../sandbox/http/serve.ts';
import { failedItems } from '../../sandbox/lambda/runtime.ts';
import { createQueue, type Queue } from '../../sandbox/queue/queue.ts';
import { receiveFor, sqsRecord } from '../../sandbox/queue/queue-reader.ts';
import { queueUrl, sqsEndpoint } from '../../sandbox/queue/sqs-endpoint.ts';
import type { FaultInjector } from './fault.ts';
import { type Instance, type InstanceOptions, type Outcome, startInstance } from './instance.ts';
import { type RecordingHost, recordingStore } from './recordings.ts';

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
