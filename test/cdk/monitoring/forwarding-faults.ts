import { call, deployment } from '../../deployment/index.ts';
import { kolkataAccount } from '../../fixtures/accounts.ts';
import {
  type DeployedResources,
  type Fault,
  type MetricDatum,
  metricDataIn,
  type Run,
  type Scenario,
} from './scenario.ts';

interface Forwarding {
  readonly minutes: number;
  /** From when to when the receiver accepts nothing, in minutes. */
  readonly down?: readonly [from: number, to: number];
  /** After how many minutes the account has no address any more. */
  readonly removedAfter?: number;
  /** For how many minutes the queue accepts nothing. */
  readonly queueDownMinutes?: number;
}

const stepMinutes = 5;

/** A call whose delivery is forwarded, as deployed, with an outside receiver and a queue that may fail. */
const forwarding = async (deployed: DeployedResources, setting: Forwarding): Promise<Run> => {
  const { minutes, down: [from, to] = [0, 0], queueDownMinutes = 0, removedAfter } = setting;
  const data: MetricDatum[] = [];
  let minute = 0;
  const d = await deployment({
    accounts: [{ ...kolkataAccount, forwardTo: ['https://old.example/callDetails'] }],
    receiver: async () => (minute >= from && minute < to ? 'status 500' : undefined),
    monitored: deployed,
    onLine: (line, at) => data.push(...metricDataIn(line, at.getTime())),
  });
  const startMs = Date.parse(d.now());
  const nowMs = () => Date.parse(d.now());
  const aws = (namespace: string, metric: string, dimensions: MetricDatum['dimensions'], value: number) =>
    data.push({ at: nowMs(), namespace, metric, dimensions, values: [value] });

  await d.post(call().byKey(kolkataAccount.apiKeys[0] ?? ''));
  await d.settled();
  for (; minute < minutes; minute += stepMinutes) {
    if (minute === removedAfter) d.putAccounts([kolkataAccount]);
    const isQueueDown = minute < queueDownMinutes;
    if (isQueueDown) await d.fail('sqs').during(() => d.forward());
    else await d.forward();
    const ageMs = isQueueDown ? nowMs() - startMs : 0;
    aws('AWS/Lambda', 'IteratorAge', { FunctionName: 'ForwardDeliveriesServiceFunction.Ref' }, ageMs);
    const dead = { QueueName: 'ForwardDeliveriesDeadLetters.QueueName' };
    aws('AWS/SQS', 'ApproximateNumberOfMessagesVisible', dead, d.forwarding().dead);
    d.advance(stepMinutes * 60_000);
  }
  return { from: startMs, to: nowMs(), data };
};

/** A scenario in which deliveries are forwarded. */
export const forwarded = (what: string, setting: Forwarding): Scenario => ({
  what,
  cause: (deployed) => forwarding(deployed, setting),
});

/** Faults between a row and another receiver, with their alarms. */
export const forwardingFaults: readonly Fault[] = [
  {
    alarm: 'ForwardingFails',
    ...forwarded('The old receiver answers 500 for an hour.', { minutes: 60, down: [0, 60] }),
    near: [
      forwarded('The old receiver answers 500 for ten minutes.', { minutes: 60, down: [0, 10] }),
      forwarded('The old receiver is gone, and so is its address.', { minutes: 60, down: [0, 60], removedAfter: 10 }),
    ],
  },
  {
    alarm: 'ForwardingLate',
    ...forwarded('The forwarding queue accepts nothing for ten minutes.', { minutes: 20, queueDownMinutes: 15 }),
    near: [forwarded('The forwarding queue accepts nothing for a moment.', { minutes: 20, queueDownMinutes: 1 })],
  },
  {
    alarm: 'ForwardingDeadLettered',
    ...forwarded('The old receiver is gone for more than a day.', { minutes: 26 * 60, down: [0, 26 * 60] }),
    near: [forwarded('The old receiver is gone for most of a day.', { minutes: 23 * 60, down: [0, 22 * 60] })],
  },
];
