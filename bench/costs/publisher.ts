import { isDeepStrictEqual } from 'node:util';
import type { DynamoDBRecord } from 'aws-lambda';
import { composePublisher } from '../../functions/publish-changes/compose.ts';
import { PublishChangesEnv } from '../../functions/publish-changes/env.ts';
import type { Clock } from '../../lib/ports.ts';
import { lambdaContext } from '../../sandbox/functions-host/lambda-context.ts';
import { lambdaRecord } from '../../sandbox/stream/lambda-record.ts';
import { countedBus } from './counted-bus.ts';
import type { Meter } from './meter.ts';
import type { RowWrite } from './write-units.ts';

/** How a table's stream is handed to the publisher. */
export interface Subscription {
  readonly batchSize: number;
  /** How many batches of a shard are handed over side by side. */
  readonly lanes: number;
}

/** The publisher. It is handed what the meter saw change, as the streams of the tables would hand it over. */
export const createPublisher = (meter: Meter, clock: Clock, { batchSize, lanes }: Subscription) => {
  const handler = composePublisher({
    env: PublishChangesEnv.parse({ BUS_NAME: 'callfeed' }),
    clock,
    telemetry: meter.telemetry('publish-changes'),
    eventbridge: countedBus(meter.add),
  });
  let sequence = 0;

  const recordOf = ({ before, after }: RowWrite): DynamoDBRecord => {
    sequence += 1;
    const images = { ...(before && { OldImage: before }), ...(after && { NewImage: after }) };
    return lambdaRecord({ dynamodb: { SequenceNumber: String(sequence).padStart(21, '0'), ...images } }, 'stream');
  };

  return async (): Promise<void> => {
    const records = meter.changes().filter(isPublished).map(recordOf);
    // The rows of one work are spread over the lanes, so that it takes the most runs it can.
    const perLane = Map.groupBy(records, (record) => records.indexOf(record) % lanes);
    for (const lane of perLane.values())
      for (let from = 0; from < lane.length; from += batchSize) {
        meter.add({ publisherRuns: 1 });
        await handler({ Records: lane.slice(from, from + batchSize) }, lambdaContext('publish-changes', 60_000));
      }
  };
};

/** A write that changes nothing is not in the stream, and one of another kind does not pass the deployed filter. */
const isPublished = ({ table, before, after }: RowWrite): boolean =>
  !isDeepStrictEqual(before, after) && table.published.includes(after?.['kind']?.S ?? '');
