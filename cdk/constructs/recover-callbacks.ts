import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import { Construct } from 'constructs';
import { allowStoring, type CallStore, storeEnvironment } from './call-store.ts';
import type { ParkingQueue } from './parking-queue.ts';
import { ServiceFunction } from './service-function.ts';

/** Where parked callbacks wait, and where they belong. */
export interface RecoverCallbacksProps extends CallStore {
  readonly parking: ParkingQueue;
}

/** Brings parked callbacks into the tables once those are back. */
export class RecoverCallbacks extends Construct {
  constructor(scope: Construct, id: string, props: RecoverCallbacksProps) {
    super(scope, id);

    const recovery = new ServiceFunction(this, 'Service', {
      name: 'recover-callbacks',
      description: 'Stores the callbacks that were parked while a table was unavailable.',
      environment: storeEnvironment(props),
    });
    allowStoring(recovery, props);

    recovery.function.addEventSource(
      new SqsEventSource(props.parking.queue, {
        batchSize: 10,
        reportBatchItemFailures: true,
        // A backlog of hours must not push over the table that has just come back, nor crowd out the receiver.
        maxConcurrency: 10,
      }),
    );
  }
}
