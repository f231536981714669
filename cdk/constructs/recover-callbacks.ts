import { Construct } from 'constructs';
import { allowStoring, type CallStore, storeEnvironment } from './call-store.ts';
import type { DeploymentContext } from './deployment-context.ts';
import type { ParkingQueue } from './parking-queue.ts';
import { ServiceFunction, serveQueue } from './service-function.ts';

/** The queue of parked callbacks, and the tables that they belong in. */
export interface RecoverCallbacksProps extends CallStore {
  readonly deploymentContext: DeploymentContext;
  readonly parking: ParkingQueue;
}

/** Stores parked callbacks once the tables are available again. */
export class RecoverCallbacks extends Construct {
  readonly service: ServiceFunction;

  constructor(scope: Construct, id: string, props: RecoverCallbacksProps) {
    super(scope, id);

    this.service = new ServiceFunction(this, 'Service', {
      deploymentContext: props.deploymentContext,
      name: 'recover-callbacks',
      encryptedIn: ['dynamodb', 'sqs'],
      description: 'Stores the callbacks that were parked while a table was unavailable.',
      environment: storeEnvironment(props),
    });
    allowStoring(this.service, props);
    // A backlog of hours must not overload the table that has just recovered, nor take the receiver's concurrency.
    serveQueue(this.service, { queue: props.parking.queue, maxConcurrency: 10 });
  }
}
