import { marshall } from '@aws-sdk/util-dynamodb';
import type { Context, DynamoDBStreamEvent } from 'aws-lambda';
import { createPublishHandler } from '../../../functions/publish-changes/app.ts';
import { publishChanges } from '../../../functions/publish-changes/publish-changes.ts';
import type { EventBus } from '../../../lib/publish/events-of-change.ts';
import { manualClock, recordingBus } from '../../support/memory-ports.ts';
import { newCall } from '../../support/posted-records.ts';
import { calls, receiving } from './callback-scenarios.ts';
import { combinedRuns, crash, type DeployedResources, metricRecorder, type Run, scenariosOf } from './scenario.ts';

const stepMs = 60_000;
const publisher = { FunctionName: 'PublishChangesServiceFunction.Ref' };

/** The change of a row waits in the stream while the bus accepts no events. */
interface Publishing {
  /** The table of the row. */
  readonly table?: 'Calls' | 'Agents';
  /** Whether Lambda lacks access to the failed-changes bucket. */
  readonly isBucketClosed?: boolean;
  readonly isCrashing?: boolean;
  readonly downMinutes?: number;
  readonly minutes?: number;
  /** What the bus does while it is down. */
  readonly publishWhileDown?: EventBus['publish'];
  /** The new row. */
  readonly row?: Readonly<Record<string, unknown>> | undefined;
}

/** Runs the deployed publisher minute by minute, over a stream that repeats failures for as long as deployed. */
const publishing = async (deployed: DeployedResources, publishing: Publishing = {}): Promise<Run> => {
  const { table = 'Calls', downMinutes = 0, minutes = 1, row = newCall(1).after } = publishing;
  const { publishWhileDown = async (events) => events.map(() => false) } = publishing;
  const time = manualClock('2026-11-20T06:00:02.000Z');
  const { telemetryOf, aws, crashed, run } = metricRecorder(time.clock, deployed);
  const telemetry = telemetryOf('publish-changes');
  const writtenAt = time.now();
  const backAt = time.now() + downMinutes * stepMs;
  const bus = recordingBus();
  const publish: EventBus['publish'] = (events) =>
    time.now() < backAt ? publishWhileDown(events) : bus.publish(events);
  const handler = createPublishHandler({
    telemetry,
    publish: publishing.isCrashing ? crash : publishChanges({ bus: { publish }, telemetry }),
  });

  const record = { dynamodb: { SequenceNumber: '1', NewImage: marshall(row) } };
  let isWaiting = true;
  for (let minute = 0; minute < minutes; minute++) {
    const ageMs = time.now() - writtenAt;
    if (isWaiting && ageMs > deployed.subscriptions[table]['MaximumRecordAgeInSeconds'] * 1_000) {
      const mapping = { EventSourceMappingUUID: `PublishChangesServiceFunction${table}.Ref` };
      if (publishing.isBucketClosed) aws('AWS/Lambda', 'DestinationDeliveryFailures', publisher, 1);
      else aws('AWS/Lambda', 'OnFailureDestinationDeliveredEventCount', mapping, 1);
      isWaiting = false;
    }
    if (isWaiting) {
      const running = handler({ Records: [record] } as DynamoDBStreamEvent, {} as Context);
      const answer = await running.catch(() => crashed('PublishChanges'));
      aws('AWS/Lambda', 'IteratorAge', publisher, ageMs);
      isWaiting = answer === undefined || answer.batchItemFailures.length > 0;
    }
    time.advance(stepMs);
  }
  return run();
};

/** Scenarios in which a change waits to be published. */
export const published = scenariosOf(publishing);

interface Unpublished {
  readonly everyMinutes?: number;
  readonly isFirstPublished?: boolean;
}

/** Scenarios in which calls are stored for 40 minutes, and nothing publishes them but the first change, if it is said. */
export const unpublished = scenariosOf(
  async (deployed, { everyMinutes = 2.5, isFirstPublished = false }: Unpublished) => {
    const posts = calls(40 / everyMinutes);
    const run = await receiving(deployed, { posts, everyMs: everyMinutes * 60_000 });
    return isFirstPublished ? combinedRuns(run, await publishing(deployed)) : run;
  },
);

/** What EventBridge does with events that it accepted while it may not use the key of the bus, as AWS documents it. */
const keyTrouble = async (deployed: DeployedResources, minutes: number): Promise<Run> => {
  const time = manualClock('2026-11-20T06:00:02.000Z');
  const { busDeadLetters } = deployed;
  const { aws, run } = metricRecorder(time.clock, deployed);
  const { Principal, Action } = busDeadLetters.sender ?? {};
  const isAllowed = Object(Principal).Service === 'events.amazonaws.com' && Action === 'sqs:SendMessage';
  for (let minute = 0; minute < 10; minute++) {
    const undelivered = isAllowed ? Math.min(minute, minutes) : 0;
    aws('AWS/SQS', 'ApproximateNumberOfMessagesVisible', { QueueName: busDeadLetters.name }, undelivered);
    time.advance(stepMs);
  }
  return run();
};

/** Scenarios in which the key of the bus is disabled for a number of minutes. */
export const keyDisabled = scenariosOf(keyTrouble);
