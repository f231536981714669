import type { Context, SQSEvent } from 'aws-lambda';
import { createReceiveHandler } from '../../../functions/receive-callback/app.ts';
import { createRecoverHandler, recoverParked } from '../../../functions/recover-callbacks/app.ts';
import type { CallStore } from '../../../lib/calls/record-delivery.ts';
import { createQueue } from '../../../sandbox/queue/queue.ts';
import { sqsRecord } from '../../../sandbox/queue/queue-reader.ts';
import type { FailingPart } from '../../deployment/index.ts';
import { demoAccount, otherAccount } from '../../fixtures/accounts.ts';
import { formOf, httpApiEvent } from '../../support/local-servers.ts';
import {
  generousDeadline,
  manualClock,
  memoryCallStore,
  memoryQuarantine,
  unavailable,
} from '../../support/memory-ports.ts';
import { keyedDelivery, summaryWith } from '../../support/posted-records.ts';
import type { Properties } from '../support/template.ts';
import {
  type Cause,
  crash,
  crashing,
  type DeployedResources,
  type During,
  metricRecorder,
  type Run,
  recordedDeployment,
  scenariosOf,
} from './scenario.ts';

/**
 * Requests that the API answers with these statuses, a second apart: its log in the deployed format, counted with the
 * deployed filter.
 */
const logging = (deployed: DeployedResources, statuses: readonly number[]): Run => {
  const { accessLog } = deployed;
  const time = manualClock('2026-11-20T06:00:00.000Z');
  const { aws, run } = metricRecorder(time.clock, deployed);
  const [{ MetricNamespace, MetricName, MetricValue, Dimensions }] = accessLog.filter['MetricTransformations'];

  for (const status of statuses) {
    const line: Properties = JSON.parse(
      accessLog.format.replaceAll(/\$context\.\w+/g, (variable) => (variable.endsWith('.status') ? `${status}` : '-')),
    );
    const dimensions = Dimensions.map(({ Key, Value }: Properties) => [Key, line[Value.replace('$.', '')]]);
    if (matchesFilter(accessLog.filter['FilterPattern'], line))
      aws(MetricNamespace, MetricName, Object.fromEntries(dimensions), Number(MetricValue));
    time.advance(1_000);
  }
  return run();
};

/** Matches the CloudWatch Logs patterns that the stack uses: a field equal to text or to a number. */
export const matchesFilter = (pattern: string, line: Readonly<Record<string, unknown>>): boolean => {
  const [, field = '', value] = /^\{ \$\.(\w+) = ("[^"]*"|\d+) \}$/.exec(pattern) ?? [];
  if (value === undefined) throw new Error(`Unknown pattern: ${pattern}`);

  return line[field] === JSON.parse(value);
};

/** How posts arrive. */
interface Posting {
  readonly posts: readonly unknown[];
  readonly everyMs?: number;
  /** The callback secret, if the posts come to the address that holds it. */
  readonly secret?: string;
  /** What happens while they arrive. */
  readonly during?: During;
}

const api = { ApiId: 'ApiHttpApi.Ref' };

/** How long the driver takes for a post itself. */
const driverMs = 1_000;

/** Posts to the receiver one after the other, and records the metrics. */
export const receiving = async (
  deployed: DeployedResources,
  { posts, everyMs = 1_000, secret, during = (_d, post) => post() }: Posting,
): Promise<Run> => {
  const toSecret = secret === undefined ? {} : { secret };
  const { d, aws, run } = await recordedDeployment(deployed, {
    accounts: [demoAccount, otherAccount],
    startedAt: '2026-11-20T06:00:00.000Z',
    ...toSecret,
  });
  const nowMs = () => Date.parse(d.now());

  await during(d, async () => {
    for (const post of posts) {
      const before = nowMs();
      const reply = await d.post(post, toSecret);
      d.advance(-driverMs);
      // The API records each reply when it ends.
      aws('AWS/ApiGateway', '5xx', api, (reply?.status ?? 500) >= 500 ? 1 : 0);
      aws('AWS/ApiGateway', 'Latency', api, nowMs() - before);
      d.advance(everyMs);
    }
  });
  return run();
};

const minuteMs = 60_000;

interface Recovering {
  readonly downMinutes?: number;
  readonly minutes: number;
  readonly recoverBy?: typeof recoverParked;
}

/**
 * One call waits in the parking queue while its table is down. Runs the deployed recovery minute by minute, over a queue
 * with the deployed retries and times.
 */
const recovering = async (
  deployed: DeployedResources,
  { downMinutes = 0, minutes, recoverBy = recoverParked }: Recovering,
): Promise<Run> => {
  const time = manualClock('2026-11-20T06:00:00.000Z');
  const { telemetryOf, aws, crashed, run } = metricRecorder(time.clock, deployed);
  const telemetry = telemetryOf('recover-callbacks');
  const backAt = time.now() + downMinutes * minuteMs;
  const memory = memoryCallStore();
  const calls: CallStore = { record: (...args) => (time.now() < backAt ? unavailable() : memory.record(...args)) };
  const recover = recoverBy({ telemetry, calls, quarantine: memoryQuarantine(), deadline: generousDeadline });
  const handler = createRecoverHandler({ telemetry, recover });

  const deadLetters = createQueue({ name: 'dead-letters', visibilityMilliseconds: 30_000, now: time.now });
  const { VisibilityTimeout, RedrivePolicy } = deployed.queue;
  const { maxReceiveCount } = RedrivePolicy;
  const parking = createQueue({
    name: 'parking',
    visibilityMilliseconds: VisibilityTimeout * 1_000,
    redrive: { maxReceiveCount, to: deadLetters },
    now: time.now,
  });
  parking.send(JSON.stringify({ kind: 'delivery', ...keyedDelivery(summaryWith()) }), {}, 0);

  for (let minute = 0; minute < minutes; minute++) {
    const messages = parking.receive(10);
    const Records = messages.map((message) => sqsRecord(parking.name, message));
    const running = Records.length > 0 ? handler({ Records } as SQSEvent, {} as Context) : undefined;
    const answer = await running?.catch(() => crashed('RecoverCallbacks'));
    const failed =
      answer === undefined
        ? messages.map(({ id }) => id)
        : answer.batchItemFailures.map(({ itemIdentifier }) => itemIdentifier);
    for (const { id, receipt = '' } of messages) if (!failed.includes(id)) parking.remove(receipt);

    const waiting = { QueueName: 'ParkingQueue.QueueName' };
    const visible = parking.messages().filter(({ visibleAt }) => visibleAt <= time.now()).length;
    aws('AWS/SQS', 'ApproximateNumberOfMessagesVisible', waiting, visible);
    aws('AWS/SQS', 'ApproximateNumberOfMessagesNotVisible', waiting, parking.messages().length - visible);
    const dead = { QueueName: 'ParkingDeadLetters.QueueName' };
    aws('AWS/SQS', 'ApproximateNumberOfMessagesVisible', dead, deadLetters.messages().length);
    time.advance(minuteMs);
  }
  return run();
};

/** Scenarios in which posts arrive, in which a call is parked, and in which the API answers requests with these statuses. */
export const posted = scenariosOf(receiving);
export const parked = scenariosOf(recovering);
export const answered = scenariosOf(async (deployed, statuses: readonly number[]) => logging(deployed, statuses));

/** A call with its own id. */
export const call = (id: number, fields: object = {}) => summaryWith({ monitorUCID: String(id), ...fields });

/** Several calls. */
export const calls = (count: number, fields?: object) =>
  Array.from({ length: count }, (_, index) => call(index + 1, fields));

/** Posts besides calls, which the service sends if they are switched on. */
export const screenPops = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ event: 'screenpop', ucid: index, Apikey: 'demo-key' }));

/** These parts are down. */
export const down =
  (...parts: readonly FailingPart[]): During =>
  (d, post) =>
    d.fail(parts).during(post);

/** The receiver crashes. */
export const receiverCrash = crashing(
  async ({ telemetryOf }) => {
    const parts = { telemetry: telemetryOf('receive-callback'), secretSha256: undefined };
    const event: unknown = httpApiEvent({ body: formOf(call(1)) });
    return createReceiveHandler({ ...parts, receive: crash })(event as never, {} as Context);
  },
  ({ crashed, aws }) => {
    crashed('ReceiveCallback');
    aws('AWS/ApiGateway', '5xx', api, 1);
  },
);

/** A post for which no code runs, as too many runs are under way. */
export const lambdaThrottle: Cause = async (deployed) => {
  const time = manualClock('2026-11-20T06:00:00.000Z');
  const { aws, run } = metricRecorder(time.clock, deployed);
  aws('AWS/ApiGateway', '5xx', api, 1);
  time.advance(1_000);
  return run();
};
