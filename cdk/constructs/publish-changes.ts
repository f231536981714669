import { Duration } from 'aws-cdk-lib';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { EventBus } from 'aws-cdk-lib/aws-events';
import { FilterCriteria, FilterRule, StartingPosition } from 'aws-cdk-lib/aws-lambda';
import { SqsDlq } from 'aws-cdk-lib/aws-lambda-event-sources';
import { Construct } from 'constructs';
import type { PublishChangesEnv } from '../../functions/publish-changes/env.ts';
import { privateQueue } from './private-queue.ts';
import { ServiceFunction } from './service-function.ts';

/** A table, and the kinds of its rows whose changes become events. */
export interface PublishedTable {
  readonly table: TableV2;
  readonly kinds: readonly string[];
}

/** The tables, each under the id of its subscription, and the bus that their events go to. */
export interface PublishChangesProps {
  readonly tables: Readonly<Record<string, PublishedTable>>;
  readonly bus: EventBus;
}

const streamOf = ({ tableStreamArn, node }: TableV2): string => {
  if (tableStreamArn === undefined) throw new Error(`${node.path} has no stream to publish from`);

  return tableStreamArn;
};

/** Rows of other kinds, and rows that go, are no events: the function is not run for them. */
const ofKinds = (kinds: readonly string[]) =>
  FilterCriteria.filter({ dynamodb: { NewImage: { kind: { S: FilterRule.or(...kinds) } } } });

/** Turns the tables' changes into events; alone in having the right to. */
export class PublishChanges extends Construct {
  constructor(scope: Construct, id: string, { tables, bus }: PublishChangesProps) {
    super(scope, id);

    const publisher = new ServiceFunction(this, 'Service', {
      name: 'publish-changes',
      description: 'Publishes an event for every change of a row.',
      environment: { BUS_NAME: bus.eventBusName } satisfies PublishChangesEnv,
    });
    publisher.allow(bus.eventBusArn, 'events:PutEvents');
    // Listing streams is not a right on a single stream: Lambda asks for it on all of them.
    publisher.allow('*', 'dynamodb:ListStreams');

    const onFailure = new SqsDlq(privateQueue(this, 'DeadLetters'));
    for (const [name, { table, kinds }] of Object.entries(tables)) {
      const eventSourceArn = streamOf(table);
      publisher.allow(eventSourceArn, 'dynamodb:DescribeStream', 'dynamodb:GetRecords', 'dynamodb:GetShardIterator');
      publisher.function.addEventSourceMapping(name, {
        eventSourceArn,
        filters: [ofKinds(kinds)],
        startingPosition: StartingPosition.TRIM_HORIZON,
        batchSize: 100,
        reportBatchItemFailures: true,
        bisectBatchOnError: true,
        // Order is promised per call and per agent, and the rows of one key stay in one lane. Four lanes a shard keep
        // pace with a busy floor, and leave most of a small account's concurrency to the receiver.
        parallelizationFactor: 4,
        // An outage of the bus costs delay, not events. The stream drops a record after 24 hours, and what has been
        // dropped cannot be set aside any more, hence the hour less.
        maxRecordAge: Duration.hours(23),
        onFailure,
      });
    }
  }
}
