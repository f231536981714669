import { marshall } from '@aws-sdk/util-dynamodb';
import type { Context, DynamoDBStreamEvent } from 'aws-lambda';
import { createHandler } from '../../../../functions/publish-changes/handler.ts';
import type { EventBus } from '../../../../lib/ports.ts';
import { publishChanges } from '../../../../lib/publish-changes.ts';
import { newCall } from '../../../lib/support/change-of.ts';
import { movedClock } from '../../../lib/support/polled-floor.ts';
import { recordingBus } from '../../../lib/support/ports.ts';
import { type Run, recorder } from '../datum.ts';
import type { Deployed } from '../fault.ts';

const minuteMs = 60_000;
const publisher = { FunctionName: 'PublishChangesServiceFunction.Ref' };

/** The change of a row waits in the stream, for so long that the bus takes no events. */
export interface Publishing {
  readonly deployment: string;
  /** The subscriptions to the streams, as they were synthesised. */
  readonly subscriptions: Deployed['subscriptions'];
  /** The table of the row. */
  readonly table?: 'Calls' | 'Agents';
  /** Whether Lambda may not write to the bucket for what is set aside. */
  readonly isBucketShut?: boolean;
  readonly downMinutes?: number;
  readonly minutes?: number;
  /** What the bus does while it is not well. */
  readonly ill?: EventBus['publish'];
  /** The new row. */
  readonly row?: Readonly<Record<string, unknown>> | undefined;
}

/** The publisher as it is deployed, a minute at a time, over a stream that repeats what failed for as long as deployed. */
export const publishing = async (publishing: Publishing): Promise<Run> => {
  const {
    deployment,
    subscriptions,
    table = 'Calls',
    downMinutes = 0,
    minutes = 1,
    row = newCall(1).after,
  } = publishing;
  const { ill = async (events) => events.map(() => false) } = publishing;
  const time = movedClock('2026-11-20T06:00:02.000Z');
  const { telemetryOf, aws, run } = recorder(time.clock, deployment);
  const telemetry = telemetryOf('publish-changes');
  const [writtenAt, backAt] = [time.now(), time.now() + downMinutes * minuteMs];
  const bus = recordingBus();
  const publish: EventBus['publish'] = (events) => (time.now() < backAt ? ill(events) : bus.publish(events));
  const handler = createHandler({
    telemetry,
    publish: publishChanges({ bus: { publish }, telemetry, clock: time.clock }),
  });

  const record = { dynamodb: { SequenceNumber: '1', NewImage: marshall(row) } };
  let isWaiting = true;
  for (let minute = 0; minute < minutes; minute++) {
    const ageMs = time.now() - writtenAt;
    if (isWaiting && ageMs > subscriptions[table]['MaximumRecordAgeInSeconds'] * 1_000) {
      const mapping = { EventSourceMappingUUID: `PublishChangesServiceFunction${table}.Ref` };
      if (publishing.isBucketShut) aws('AWS/Lambda', 'DestinationDeliveryFailures', publisher, 1);
      else aws('AWS/Lambda', 'OnFailureDestinationDeliveredEventCount', mapping, 1);
      isWaiting = false;
    }
    if (isWaiting) {
      const { batchItemFailures } = await handler({ Records: [record] } as DynamoDBStreamEvent, {} as Context);
      aws('AWS/Lambda', 'IteratorAge', publisher, ageMs);
      isWaiting = batchItemFailures.length > 0;
    }
    time.advance(minuteMs);
  }
  return run();
};
