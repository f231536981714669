import type {
  APIGatewayProxyEventV2,
  Context,
  DynamoDBStreamEvent,
  FirehoseTransformationEvent,
  SQSEvent,
} from 'aws-lambda';
import { readEnv } from '../../functions/adapters/env.ts';
import { jsonTelemetry } from '../../functions/adapters/json-telemetry.ts';
import { composeArchiving } from '../../functions/archive-recordings/app.ts';
import { archiveRecordingsEnv } from '../../functions/archive-recordings/environment.ts';
import { composeForwarding } from '../../functions/forward-deliveries/app.ts';
import { forwardDeliveriesEnv } from '../../functions/forward-deliveries/environment.ts';
import type { ForwardPorts } from '../../functions/forward-deliveries/forward-delivery.ts';
import { composePoller } from '../../functions/poll-agents/app.ts';
import { pollAgentsEnv } from '../../functions/poll-agents/environment.ts';
import { composePublisher } from '../../functions/publish-changes/app.ts';
import { publishChangesEnv } from '../../functions/publish-changes/environment.ts';
import { composeReceiver } from '../../functions/receive-callback/app.ts';
import { receiveCallbackEnv } from '../../functions/receive-callback/environment.ts';
import { composeReconciliation } from '../../functions/reconcile-calls/app.ts';
import { reconcileCallsEnv } from '../../functions/reconcile-calls/environment.ts';
import { composeRecovery } from '../../functions/recover-callbacks/app.ts';
import { recoverCallbacksEnv } from '../../functions/recover-callbacks/environment.ts';
import type { FunctionName } from '../../functions/timeouts.ts';
import { composeTransform } from '../../functions/transform-events/app.ts';
import { fail } from '../../lib/core/result.ts';
import type { Clock } from '../../lib/core/time.ts';
import type { ReportService, TelephonyService } from '../../lib/service/service.ts';
import { sentinelToken } from '../fixtures/accounts.ts';
import { decompressed } from '../support/posted-records.ts';
import { awsClients, faultyBucket, type RecordingStore } from './aws-clients.ts';
import {
  createFaultyProcess,
  type FaultInjector,
  faultyCarry,
  faultyReport,
  faultyTelephony,
  inRun,
  type Services,
} from './fault.ts';

export interface InstanceOptions {
  readonly clock: Clock;
  readonly services: Services;
  readonly telephony: TelephonyService;
  /** By default the service has no call report. */
  readonly report?: ReportService | undefined;
  /** The receivers to which deliveries are forwarded. By default they accept everything. */
  readonly receiver?: ForwardPorts['post'] | undefined;
  /** The bucket of recordings, and their host. */
  readonly recordings: RecordingStore;
  readonly env: Readonly<Record<string, string>>;
  /** Awaited before each call takes effect. */
  readonly turn?: (() => Promise<void>) | undefined;
  readonly pause?: ((milliseconds: number) => Promise<void>) | undefined;
  /** The deadline of the tables in real time. By default it is long, as a busy machine must not exceed it. */
  readonly storeDeadlineMs?: number | undefined;
  readonly onLine?: ((line: string) => void) | undefined;
  /** The name of the deployment in metrics. */
  readonly monitored?: { readonly deployment: string } | undefined;
}

const noReport: ReportService = { get: async () => fail({ reason: 'connection' }) };

/** The outcome of an invocation. After a crash there is no answer, and the caller tries again. */
export type Outcome<Of> = { readonly kind: 'answered'; readonly answer: Of } | { readonly kind: 'crashed' };

/** The time limit of stores in real time. It is long, as a busy machine must not exceed it. */
const storeMs = 120_000;

/** One process of each function, cold until its first invocation, composed as deployed. */
export const startInstance = (around: InstanceOptions, faultFor: FaultInjector) => {
  const faulty = createFaultyProcess(faultFor, around.turn ?? (async () => undefined), around.clock);
  const clients = awsClients(faultyCarry(faulty, around.services));
  const parts = (name: FunctionName) => ({
    ...clients,
    clock: around.clock,
    // A process that has crashed logs nothing.
    telemetry: jsonTelemetry({ function: name, deployment: 'faults', ...around.monitored }, (line) => {
      if (!faulty.hasCrashed()) around.onLine?.(line);
    }),
    storeDeadlineMs: around.storeDeadlineMs ?? storeMs,
  });
  const { env } = around;
  const cold = {
    'receive-callback': () =>
      composeReceiver({
        ...parts('receive-callback'),
        env: readEnv(receiveCallbackEnv, env),
        sqs: () => clients.sqs,
      }),
    'recover-callbacks': () =>
      composeRecovery({ ...parts('recover-callbacks'), env: readEnv(recoverCallbacksEnv, env) }),
    'publish-changes': () => composePublisher({ ...parts('publish-changes'), env: readEnv(publishChangesEnv, env) }),
    'poll-agents': () =>
      composePoller({
        ...parts('poll-agents'),
        env: readEnv(pollAgentsEnv, env),
        service: faultyTelephony(faulty, around.telephony),
        pause: around.pause ?? (async () => undefined),
      }),
    'reconcile-calls': () =>
      composeReconciliation({
        ...parts('reconcile-calls'),
        env: readEnv(reconcileCallsEnv, env),
        service: faultyTelephony(faulty, around.telephony),
        report: faultyReport(faulty, around.report ?? noReport),
      }),
    'forward-deliveries': () =>
      composeForwarding({
        ...parts('forward-deliveries'),
        env: readEnv(forwardDeliveriesEnv, env),
        post: around.receiver ?? (async () => undefined),
      }),
    'archive-recordings': () =>
      composeArchiving({
        ...parts('archive-recordings'),
        env: readEnv(archiveRecordingsEnv, env),
        bucket: faultyBucket(faulty, around.recordings),
      }),
    'transform-events': () => composeTransform(parts('transform-events')),
  };

  const warm = new Map<FunctionName, (event: never, context: Context) => Promise<unknown>>();
  const invoke =
    <Event>(name: FunctionName) =>
    async (event: Event): Promise<Outcome<unknown>> => {
      const handler = warm.get(name) ?? (cold[name]() as (event: never, context: Context) => Promise<unknown>);
      warm.set(name, handler);
      try {
        const answer = await inRun(name, around.clock, (context) => handler(event as never, context));
        return faulty.hasCrashed() ? { kind: 'crashed' } : { kind: 'answered', answer };
      } catch (error) {
        if (faulty.hasCrashed()) return { kind: 'crashed' };
        throw error;
      }
    };

  return {
    receive: invoke<APIGatewayProxyEventV2>('receive-callback'),
    recover: invoke<SQSEvent>('recover-callbacks'),
    publish: invoke<DynamoDBStreamEvent>('publish-changes'),
    poll: invoke<SQSEvent>('poll-agents'),
    reconcile: invoke<SQSEvent>('reconcile-calls'),
    forward: invoke<DynamoDBStreamEvent | SQSEvent>('forward-deliveries'),
    archive: invoke<SQSEvent>('archive-recordings'),
    transform: invoke<FirehoseTransformationEvent>('transform-events'),
    hasCrashed: faulty.hasCrashed,
  };
};

export type Instance = ReturnType<typeof startInstance>;

/** A line of a function's log, parsed. */
export type LogLine = Readonly<Record<string, unknown>>;

interface Directive {
  readonly Metrics: readonly { readonly Name: string }[];
}

const metricNames = ({ _aws }: LogLine): readonly string[] => {
  const directives: readonly Directive[] = Object(_aws).CloudWatchMetrics ?? [];
  return directives.flatMap(({ Metrics }) => Metrics.map(({ Name }) => Name));
};

/** The values of each metric in these lines, in order, as CloudWatch reads them. */
export const metricValues = (lines: readonly LogLine[]): Readonly<Record<string, readonly number[]>> => {
  const values: Record<string, number[]> = {};
  for (const line of lines)
    for (const name of metricNames(line)) values[name] = [...(values[name] ?? []), ...[line[name]].flat().map(Number)];
  return values;
};

/** The sums of the counters in these lines; the last value of a metric of another unit. */
export const metricTotals = (lines: readonly LogLine[]): Readonly<Record<string, number>> =>
  Object.fromEntries(
    Object.entries(metricValues(lines)).map(([name, values]) => [
      name,
      name.endsWith('Seconds') ? (values.at(-1) ?? 0) : values.reduce((sum, value) => sum + value, 0),
    ]),
  );

/** Fictitious people in fixtures, and the host of their recordings. No log may name them. */
const personal = /09000000\d|Asha|Ravi Nair|Meera|recordings\.example\.com/;

const keysOf = (account: unknown): readonly string[] => [Object(account).apiKeys ?? []].flat();

/** Notes keys where they must not be, and personal data in logs. `check` throws if there were any. */
export const leakCheck = (accounts: readonly unknown[]) => {
  const secrets = [...accounts.flatMap(keysOf), sentinelToken];
  const found: string[] = [];
  const note = (where: string, text: string): void => {
    const readable = decompressed(text);
    const secret = secrets.find((each) => readable.includes(each));
    if (secret !== undefined) found.push(`${where} holds ${secret}: ${readable.slice(0, 500)}`);
  };

  return {
    inRequest: (body: string) => note('A request to AWS', body),
    inReply: (body: string) => note('A reply', body),
    inLog(line: string) {
      note('A log line', line);
      if (personal.test(line)) found.push(`A log line names a person: ${line}`);
    },
    check() {
      if (found.length > 0) throw new Error(found.join('\n'));
    },
  };
};
