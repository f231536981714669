import { composeTransform } from '../../../functions/transform-events/app.ts';
import { lambdaContext } from '../../../sandbox/functions.ts';
import { everyEvent, firehoseEvent } from '../../support/every-event.ts';
import { crash, type DeployedResources, metricRecorder, type Run, scenariosOf } from './scenario.ts';

interface Analytics {
  /** Whether the function fails for the events of a table, or may not be run. */
  readonly failing?: (typeof streams)[number];
  /** Events that EventBridge has given up. */
  readonly undelivered?: number;
}

const streams = ['CallRevisions', 'AgentChanges'] as const;

/** Made once: it takes a deployment and a floor of agents. */
let usual: Promise<readonly unknown[]> | undefined;
const usualEvents = (): Promise<readonly unknown[]> => {
  usual ??= everyEvent('keep').then((events) => events.map(({ type, detail }) => ({ 'detail-type': type, detail })));
  return usual;
};

/** Firehose runs the function as deployed, and counts whether it ran. */
const analytics = async (deployed: DeployedResources, { failing, undelivered = 0 }: Analytics): Promise<Run> => {
  let ms = Date.parse('2026-11-20T06:00:00Z');
  const recorder = metricRecorder(() => new Date(ms), deployed);
  const transform = composeTransform({ telemetry: recorder.telemetryOf('transform-events') });

  for (const stream of streams) {
    const running =
      stream === failing
        ? Promise.resolve().then(crash)
        : transform(firehoseEvent(await usualEvents()), lambdaContext('transform-events', 60_000));
    const succeeded = await running.then(
      () => 1,
      () => 0,
    );
    const dimensions = { DeliveryStreamName: `Analytics${stream}Stream.Ref` };
    recorder.aws('AWS/Firehose', 'ExecuteProcessing.Success', dimensions, succeeded);
  }
  const queue = { QueueName: 'AnalyticsUndelivered.QueueName' };
  recorder.aws('AWS/SQS', 'ApproximateNumberOfMessagesVisible', queue, undelivered);
  ms += 5 * 60_000;
  return recorder.run();
};

/** Scenarios in which events become rows. */
export const analysed = scenariosOf(analytics);
