import type { EventSourceMapping } from 'aws-cdk-lib/aws-lambda';
import type { CallbackApi } from '../callback-api.ts';
import type { ParkingQueue } from '../parking-queue.ts';
import type { PublishedTables } from '../publish-changes.ts';
import type { ServiceFunction } from '../service-function.ts';

/** The parts of a deployment that are watched. */
export interface Watched {
  readonly deployment: string;
  readonly api: CallbackApi;
  readonly parking: ParkingQueue;
  readonly receiver: ServiceFunction;
  readonly recovery: ServiceFunction;
  readonly publisher: ServiceFunction;
  /** Of the publisher to the tables. */
  readonly subscriptions: PublishedTables<EventSourceMapping>;
  /** None where agents are not polled. */
  readonly poller: ServiceFunction | undefined;
}
