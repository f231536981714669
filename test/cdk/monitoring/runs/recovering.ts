import type { Context, SQSEvent } from 'aws-lambda';
import { createHandler } from '../../../../functions/recover-callbacks/handler.ts';
import type { CallStore } from '../../../../lib/ports.ts';
import { recoverParked } from '../../../../lib/recover-parked.ts';
import { createQueue } from '../../../../sandbox/queue/queue.ts';
import { sqsRecord } from '../../../../sandbox/queue/sqs-record.ts';
import { movedClock } from '../../../lib/support/polled-floor.ts';
import { down, memoryCallStore, memoryQuarantine } from '../../../lib/support/ports.ts';
import { deliveryFrom, summaryWith } from '../../../support/deliveries.ts';
import { inTime } from '../../../support/in-time.ts';
import type { Properties } from '../../resources.ts';
import { type Run, recorder } from '../datum.ts';

const minuteMs = 60_000;

/** One call waits in the parking queue, for so long that its table is down. */
export interface Recovering {
  readonly deployment: string;
  /** The queue as it was synthesised. */
  readonly queue: Properties;
  readonly downMinutes: number;
  readonly minutes: number;
}

/** Recovery as it is deployed, a minute at a time, over a queue with the deployed one's tries and times. */
export const recovering = async ({ deployment, queue, downMinutes, minutes }: Recovering): Promise<Run> => {
  const time = movedClock('2026-11-20T06:00:00.000Z');
  const { telemetryOf, aws, run } = recorder(time.clock, deployment);
  const telemetry = telemetryOf('recover-callbacks');
  const backAt = time.now() + downMinutes * minuteMs;
  const memory = memoryCallStore();
  const calls: CallStore = { record: (...args) => (time.now() < backAt ? down() : memory.record(...args)) };
  const recover = recoverParked({ telemetry, calls, quarantine: memoryQuarantine(), deadline: inTime });
  const handler = createHandler({ telemetry, recover });

  const deadLetters = createQueue({ name: 'dead-letters', visibilityMilliseconds: 30_000, now: time.now });
  const { VisibilityTimeout, RedrivePolicy } = queue;
  const { maxReceiveCount } = RedrivePolicy;
  const parking = createQueue({
    name: 'parking',
    visibilityMilliseconds: VisibilityTimeout * 1_000,
    redrive: { maxReceiveCount, to: deadLetters },
    now: time.now,
  });
  parking.send(JSON.stringify({ kind: 'delivery', ...deliveryFrom(summaryWith()) }), {}, 0);

  for (let minute = 0; minute < minutes; minute++) {
    const messages = parking.receive(10);
    const Records = messages.map((message) => sqsRecord(parking.name, message));
    const answer = Records.length > 0 ? await handler({ Records } as SQSEvent, {} as Context) : undefined;
    const failed = answer?.batchItemFailures.map(({ itemIdentifier }) => itemIdentifier) ?? [];
    for (const { id, receipt = '' } of messages) if (!failed.includes(id)) parking.remove(receipt);

    const waiting = { QueueName: 'ParkingQueue.QueueName' };
    const visible = parking.messages().filter(({ visibleAt }) => visibleAt <= time.now()).length;
    aws('AWS/SQS', 'ApproximateNumberOfMessagesVisible', waiting, visible);
    aws('AWS/SQS', 'ApproximateNumberOfMessagesNotVisible', waiting, parking.messages().length - visible);
    const set = { QueueName: 'ParkingDeadLetters.QueueName' };
    aws('AWS/SQS', 'ApproximateNumberOfMessagesVisible', set, deadLetters.messages().length);
    time.advance(minuteMs);
  }
  return run();
};
