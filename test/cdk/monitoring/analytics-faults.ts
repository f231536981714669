import { composeTransform } from '../../../functions/transform-events/app.ts';
import { lambdaContext } from '../../../sandbox/lambda/runtime.ts';
import { everyEvent, firehoseEvent } from '../../support/every-event.ts';
import { type DeployedResources, type Fault, metricRecorder, type Run, type Scenario } from './scenario.ts';

interface Analytics {
  readonly events?: readonly unknown[];
  readonly crashes?: true;
  /** Runs that Lambda refuses. */
  readonly throttles?: number;
  /** Events that EventBridge has given up. */
  readonly undelivered?: number;
  /** What Firehose says of its streams. */
  readonly firehose?: Readonly<Record<string, number>>;
}

const streams = ['CallRevisions', 'AgentChanges'];

/** Made once: it takes a deployment and a floor of agents. */
let usual: Promise<readonly unknown[]> | undefined;
const usualEvents = (): Promise<readonly unknown[]> => {
  usual ??= everyEvent('keep').then((events) => events.map(({ type, detail }) => ({ 'detail-type': type, detail })));
  return usual;
};

/** Rows are made of some events by the function as deployed. Firehose and EventBridge are only what they would say. */
const analytics = async (deployed: DeployedResources, setting: Analytics): Promise<Run> => {
  const { events = await usualEvents(), crashes, throttles = 0, undelivered = 0, firehose = {} } = setting;
  let ms = Date.parse('2026-11-20T06:00:00Z');
  const recorder = metricRecorder(() => new Date(ms), deployed);
  const transform = composeTransform({ telemetry: recorder.telemetryOf('transform-events') });

  if (crashes) recorder.crashed('Analytics');
  else await transform(firehoseEvent(events), lambdaContext('transform-events', 60_000));
  recorder.aws('AWS/Lambda', 'Throttles', { FunctionName: 'AnalyticsServiceFunction.Ref' }, throttles);
  const healthyMetrics = {
    'ExecuteProcessing.Success': 1,
    'FailedConversion.Records': 0,
    PartitionCountExceeded: 0,
    'DeliveryToS3.DataFreshness': 900,
  };
  for (const stream of streams)
    for (const [metric, value] of Object.entries({ ...healthyMetrics, ...firehose }))
      recorder.aws('AWS/Firehose', metric, { DeliveryStreamName: `Analytics${stream}Stream.Ref` }, value);
  const queue = { QueueName: 'AnalyticsUndelivered.QueueName' };
  recorder.aws('AWS/SQS', 'ApproximateNumberOfMessagesVisible', queue, undelivered);
  ms += 5 * 60_000;
  return recorder.run();
};

/** A scenario in which events become rows. */
export const analysed = (what: string, setting: Analytics = {}): Scenario => ({
  what,
  cause: (deployed) => analytics(deployed, setting),
});

const ofStreams = (alarm: (stream: string) => string, fault: Scenario, near: Scenario): readonly Fault[] =>
  streams.map((stream) => ({ alarm: `Analytics${alarm(stream)}`, ...fault, near: [near] }));

const healthy = analysed('Events become rows and are written within half an hour.', {
  firehose: { 'DeliveryToS3.DataFreshness': 1_800 },
});

/** Faults between an event and a row in S3, with their alarms. */
export const analyticsFaults: readonly Fault[] = [
  {
    alarm: 'AnalyticsEventsUnreadable',
    ...analysed('An event has no detail.', { events: [{ 'detail-type': 'Call Summary Recorded' }] }),
    near: [analysed('Every kind of event comes, also those that make no row.')],
  },
  { alarm: 'AnalyticsCrashes', ...analysed('The function crashes.', { crashes: true }), near: [healthy] },
  { alarm: 'AnalyticsThrottled', ...analysed('Lambda throttles the function.', { throttles: 1 }), near: [healthy] },
  {
    alarm: 'AnalyticsUndelivered',
    ...analysed('Firehose rejects an event for a day.', { undelivered: 1 }),
    near: [healthy],
  },
  ...ofStreams(
    (stream) => `${stream}NotMade`,
    analysed('Firehose lost its right to run the function.', { firehose: { 'ExecuteProcessing.Success': 0 } }),
    healthy,
  ),
  ...ofStreams(
    (stream) => `${stream}Unconverted`,
    analysed('Firehose cannot convert a row.', { firehose: { 'FailedConversion.Records': 1 } }),
    healthy,
  ),
  ...ofStreams(
    (stream) => `${stream}OfTooManyDays`,
    analysed('A replay brings rows of more days than Firehose can write at once.', {
      firehose: { PartitionCountExceeded: 1 },
    }),
    healthy,
  ),
  ...ofStreams(
    (stream) => `${stream}Late`,
    analysed('Firehose cannot write for an hour.', { firehose: { 'DeliveryToS3.DataFreshness': 3_600 } }),
    healthy,
  ),
];
