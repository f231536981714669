import type { IEventBus } from 'aws-cdk-lib/aws-events';
import type { Construct } from 'constructs';
import { Subscribable } from './subscribable.ts';

/** Where the events are put. */
export interface CallfeedEventsProps {
  /** The bus of a deployment, by its name or ARN if it is in another stack; of another AWS account by its ARN. */
  readonly bus: IEventBus;
}

/**
 * The events of a Callfeed that is deployed elsewhere, for subscribers with a stack of their own: the rules are of that
 * stack, and nothing else is made.
 * @example
 * const bus = EventBus.fromEventBusArn(this, 'Bus', busArn); // the output BusArn
 * const callfeed = new CallfeedEvents(this, 'Callfeed', { bus });
 * callfeed.onCallRecorded(new SqsQueue(queue), { where: { call: { status: ['not-answered'] } } });
 */
export class CallfeedEvents extends Subscribable {
  readonly bus: IEventBus;

  constructor(scope: Construct, id: string, { bus }: CallfeedEventsProps) {
    super(scope, id);

    this.bus = bus;
  }
}
