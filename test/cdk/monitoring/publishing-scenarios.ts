import { marshall } from '@aws-sdk/util-dynamodb';
import type { Context, DynamoDBStreamEvent } from 'aws-lambda';
import { createPublishHandler } from '../../../functions/publish-changes/app.ts';
import { publishChanges } from '../../../functions/publish-changes/publish-changes.ts';
import type { EventBus } from '../../../lib/publish/events-of-change.ts';
import { manualClock, recordingBus, unavailable } from '../../support/memory-ports.ts';
import { newCall } from '../../support/posted-records.ts';
import { calls, receiving } from './callback-scenarios.ts';
import {
  combinedRuns,
  crash,
  type DeployedResources,
  type Fault,
  metricRecorder,
  type Run,
  type Scenario,
} from './scenario.ts';

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
  const [writtenAt, backAt] = [time.now(), time.now() + downMinutes * stepMs];
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

export const published = (what: string, setting: Publishing): Scenario => ({
  what,
  cause: (deployed) => publishing(deployed, setting),
});

const minuteMs = 60_000;
const hours = 60;

/** Calls are stored for 40 minutes, and nothing publishes them. */
const stored = (deployed: DeployedResources, everyMs = 2.5 * minuteMs) =>
  receiving(deployed, calls((40 * minuteMs) / everyMs), { everyMs });

const downForADay = { downMinutes: 24 * hours, minutes: 24 * hours };

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

/** Faults between a row and its event, with their alarms. */
export const publishingFaults: readonly Fault[] = [
  {
    alarm: 'EventsLate',
    ...published('The bus cannot be reached for six minutes.', {
      downMinutes: 6,
      minutes: 10,
      publishWhileDown: unavailable,
    }),
    near: [
      published('The bus is back after four minutes.', { downMinutes: 4, minutes: 10, publishWhileDown: unavailable }),
    ],
  },
  { alarm: 'EventsLate', ...published('The publisher crashes.', { isCrashing: true, minutes: 10 }) },
  {
    alarm: 'EventsLate',
    ...published('Lambda may not write to the failed-changes bucket.', { ...downForADay, isBucketClosed: true }),
    also: ['EventsMissing'],
  },
  {
    alarm: 'EventsMissing',
    what: 'The event source mapping is disabled: calls are stored, and the publisher does not run.',
    cause: stored,
    near: [
      {
        what: 'It is disabled after the first event, and for less than half an hour.',
        cause: async (deployed) => combinedRuns(await stored(deployed), await publishing(deployed)),
      },
      {
        what: 'Only three deliveries arrive in a quarter of an hour, which may change nothing.',
        cause: (deployed) => stored(deployed, 5 * minuteMs),
      },
    ],
  },
  {
    alarm: 'EventsMissing',
    ...published('Somebody else writes a row of a published kind.', { row: { kind: 'call', pk: 'x', sk: 'y' } }),
    near: [published('Callfeed writes a row.', { row: newCall(7).after })],
  },
  {
    alarm: 'CallEventsFailed',
    ...published('The bus rejects events of calls for a day.', downForADay),
    also: ['EventsLate', 'EventsMissing'],
    near: [
      {
        ...published('The bus accepts them again after 22 hours.', { downMinutes: 22 * hours, minutes: 24 * hours }),
        also: ['EventsLate', 'EventsMissing'],
      },
    ],
  },
  {
    alarm: 'AgentEventsFailed',
    ...published('The bus rejects events of agents for a day.', { ...downForADay, table: 'Agents' }),
    also: ['EventsLate', 'EventsMissing'],
  },
  {
    alarm: 'BusDeadLettered',
    what: 'The key of the bus is disabled for a minute, and an event waits in the dead-letter queue.',
    cause: (deployed) => keyTrouble(deployed, 1),
    near: [{ what: 'The key is never disabled.', cause: (deployed) => keyTrouble(deployed, 0) }],
  },
];
