import { composeTransform } from '../../../functions/transform-events/app.ts';
import { fail, ok } from '../../../lib/core/result.ts';
import type { RecordingProblem } from '../../../lib/recordings/schema.ts';
import type { ServiceRequest } from '../../../lib/service/service.ts';
import { lambdaContext } from '../../../sandbox/functions/load-function.ts';
import { call, type Delivered, noAnswer, reportOf, type ServiceAnswer } from '../../deployment/index.ts';
import { kolkataAccount } from '../../fixtures/accounts.ts';
import { everyEvent, firehoseEvent } from '../../support/every-event.ts';
import { generousDeadline } from '../../support/memory-ports.ts';
import { keyedDelivery } from '../../support/posted-records.ts';
import { calls } from './callback-scenarios.ts';
import {
  crash,
  type DeployedResources,
  metricRecorder,
  type Recorder,
  type Run,
  recordedDeployment,
  scenariosOf,
} from './scenario.ts';

interface Reconciling {
  /** How often the schedule begins, once an hour. Before the second time, the calls below are made. */
  readonly hours?: number;
  /** Calls whose callbacks are posted, and calls that are only in the report. */
  readonly posted?: number;
  readonly lost?: number;
  /** Whether the lost calls were made before the first reading of the report. */
  readonly isFirstUse?: boolean;
  /** How many messages of an hour arrive before one gets lost. */
  readonly messages?: number;
  /** In which hours the service answers. */
  readonly isUp?: (hour: number) => boolean;
}

const hourMs = 3_600_000;

/** Stores calls that are posted, and reconciles them by the hour as it is deployed, with tables in memory and a scripted report. */
const reconciling = async (deployed: DeployedResources, setting: Reconciling): Promise<Run> => {
  const { hours = 2, posted = 0, lost = 0, isFirstUse = false, messages, isUp = () => true } = setting;
  const reported = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ CallID: `${index + 1}`, Status: 'Answered', Disposition: 'Late' }));
  const answer = (request: ServiceRequest): ServiceAnswer => {
    const hour = Math.floor(sinceStart() / hourMs);
    if (!isUp(hour)) return noAnswer('connection');
    return reportOf({ '2026-11-20': hour > 0 || isFirstUse ? reported(posted + lost) : [] })(request);
  };
  const { d, run } = await recordedDeployment(deployed, {
    accounts: [kolkataAccount],
    startedAt: '2026-11-20T05:17:00.000Z',
    service: { report: [answer] },
  });
  const from = Date.parse(d.startedAt);
  const sinceStart = () => Date.parse(d.now()) - from;
  const reconcile = async () => {
    if (messages === undefined) await d.reconcile();
    else {
      d.reconciliation.send({ kind: 'all' });
      for (let step = 0; step < messages; step++) await d.reconciliation.step();
      d.reconciliation.lose();
    }
    d.advance(hourMs - (sinceStart() % hourMs));
  };
  await reconcile();
  const { calls: store } = d.stores();
  for (const { key, delivery } of calls(posted).map((call) => keyedDelivery(call)))
    await store.record(key, delivery, generousDeadline());
  for (let hour = 1; hour < hours; hour++) await reconcile();
  return run();
};

/** Scenarios in which calls are reconciled. */
export const reconciled = scenariosOf(reconciling, 'reconciliation');

const stepMinutes = 5;

interface Forwarding {
  readonly minutes: number;
  /** From when to when the receiver accepts nothing, in minutes. */
  readonly down?: Minutes;
  /** From when to when forwarding cannot read the table. */
  readonly unreadable?: Minutes;
  /** From when to when nothing is taken from the queue. */
  readonly disabled?: Minutes;
  /** How many calls are posted in each step, for so many minutes. */
  readonly calls?: readonly [count: number, minutes: number];
  /** How many messages at most are taken from the queue in a step. */
  readonly sentPerStep?: number;
  /** Whether the first call is posted once more, with a disposition, after five minutes. */
  readonly isRevised?: boolean;
  /** After how many minutes the account has no address any more. */
  readonly removedAfter?: number;
  /** For how many minutes the queue accepts nothing, or the run ends when it sends. */
  readonly queueDownMinutes?: number;
  readonly isCrashing?: boolean;
  /** Twenty calls are posted in each step, and the first attempt for one of them fails. */
  readonly isBusy?: boolean;
}

type Minutes = readonly [from: number, to: number];

/** A message that pauses is not visible, and one that is due is taken at once, if anything takes it. */
const queueMetrics = (aws: Recorder['aws'], feature: string, { due, delivered }: Delivered, dead: number): void => {
  const queue = { QueueName: `${feature}Queue.QueueName` };
  aws('AWS/SQS', 'ApproximateNumberOfMessagesVisible', queue, due);
  aws('AWS/SQS', 'NumberOfMessagesReceived', queue, delivered);
  aws('AWS/SQS', 'ApproximateNumberOfMessagesVisible', { QueueName: `${feature}DeadLetters.QueueName` }, dead);
};

/** Calls whose deliveries are forwarded, as deployed, with an outside receiver and a queue that may fail. */
const forwarding = async (deployed: DeployedResources, setting: Forwarding): Promise<Run> => {
  const { minutes, down, unreadable, disabled, queueDownMinutes = 0, removedAfter, isBusy = false } = setting;
  const { calls: [callsPerStep, callMinutes] = [0, 0], sentPerStep, isRevised = false, isCrashing = false } = setting;
  let minute = 0;
  let posts = 0;
  const isIn = ([from, to]: Minutes = [0, 0]) => minute >= from && minute < to;
  const { d, aws, run } = await recordedDeployment(deployed, {
    accounts: [{ ...kolkataAccount, forwardTo: ['https://old.example/callDetails'] }],
    receiver: async () => (isIn(down) || (isBusy && posts++ % 21 === 0) ? 'status 500' : undefined),
  });
  const forward = () => {
    const taken = () => d.forward(undefined, isIn(disabled) ? 0 : sentPerStep);
    if (minute < queueDownMinutes) return d.fail('sqs', { kind: isCrashing ? 'crash-before' : 'fail' }).during(taken);
    return isIn(unreadable) ? d.fail('dynamodb', { operation: 'Query' }).during(taken) : taken();
  };
  const posted = call().byKey(kolkataAccount.apiKeys[0] ?? '');

  await d.post(posted);
  await d.settled();
  for (; minute < minutes; minute += stepMinutes) {
    if (minute === removedAfter) d.putAccounts([kolkataAccount]);
    for (let other = 0; isBusy && other < 20; other++) await d.post(posted.with({ monitorUCID: `${minute}${other}` }));
    for (let other = 0; minute < callMinutes && other < callsPerStep; other++)
      await d.post(posted.with({ monitorUCID: `${minute}0${other}` }));
    if (isRevised && minute === stepMinutes) await d.post(posted.withDisposition('Sale'));
    await d.publish();
    queueMetrics(aws, 'ForwardDeliveries', await forward(), d.forwarding().dead);
    d.advance(stepMinutes * 60_000);
  }
  return run();
};

/** Scenarios in which deliveries are forwarded. */
export const forwarded = scenariosOf(forwarding);

interface Archiving {
  readonly minutes: number;
  readonly calls: number;
  /** Why the host does not serve a recording at a minute; undefined if it does. */
  readonly problemAt?: (minute: number, url: string) => RecordingProblem | undefined;
  /** Whether the bucket takes nothing. */
  readonly isBucketOut?: boolean;
  /** How many messages at most are taken from the queue in the step that begins with a minute. */
  readonly takenAt?: (minute: number) => number;
}

/** Calls whose recordings are archived, as deployed, from a host that may fail. One more call comes every half hour. */
const archiving = async (
  deployed: DeployedResources,
  { minutes, calls, problemAt = () => undefined, isBucketOut = false, takenAt = () => Infinity }: Archiving,
): Promise<Run> => {
  let minute = 0;
  const { d, aws, run } = await recordedDeployment(deployed, {
    accounts: [kolkataAccount],
    recordingHost(url) {
      const problem = problemAt(minute, url);
      return problem === undefined ? ok('audio') : fail(problem);
    },
  });
  const post = (id: number) =>
    d.post(
      call({ monitorUCID: String(id) })
        .byKey(kolkataAccount.apiKeys[0] ?? '')
        .withRecording(`https://recordings.example.com/${id}`),
    );

  for (let id = 1; id <= calls; id++) await post(id);
  for (; minute < minutes; minute += stepMinutes) {
    if (minute % 30 === 0 && minute > 0) await post(1_000 + minute);
    await d.settled();
    const archive = () => d.archive(undefined, takenAt(minute));
    const delivered = await d.fail('s3', isBucketOut ? {} : { times: 0 }).during(archive);
    queueMetrics(aws, 'ArchiveRecordings', delivered, d.recordings().letters.length);
    d.advance(stepMinutes * 60_000);
  }
  return run();
};

/** Scenarios in which recordings are archived. */
export const archived = scenariosOf(archiving);

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
