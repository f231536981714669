import { EventBus, type IEventBus } from 'aws-cdk-lib/aws-events';
import { EventBus as EventBusTarget } from 'aws-cdk-lib/aws-events-targets';
import type { Construct } from 'constructs';
import { CallfeedEvents, Subscribable } from './subscriptions.ts';

/** The bus of another AWS account. */
export interface ForwardedEventsProps {
  /** The ARN of the bus of a deployment in another AWS account: its output `BusArn`. */
  readonly busArn: string;
  /** Receives the events instead of a new bus. It must be in the stack's account. */
  readonly bus?: IEventBus;
}

/**
 * The events of a Callfeed in another AWS account, on a bus of the subscriber's own. Its owner has to name your account in the
 * setting `subscriberAccounts`. One rule on that bus forwards every event of Callfeed through a role of your account.
 * Subscriptions are rules on your own bus, so they can have any target.
 * @example
 * const callfeed = new ForwardedEvents(this, 'Callfeed', { busArn });
 * callfeed.onCallRecorded(new SqsQueue(queue), { where: { call: missedCalls } });
 */
export class ForwardedEvents extends Subscribable {
  readonly bus: IEventBus;

  constructor(scope: Construct, id: string, { busArn, bus }: ForwardedEventsProps) {
    super(scope, id);

    this.bus = bus ?? new EventBus(this, 'Bus', { description: 'Events of Callfeed from another AWS account.' });
    const source = EventBus.fromEventBusArn(this, 'Source', busArn);
    new CallfeedEvents(this, 'Forward', { bus: source }).onAnyEvent(new EventBusTarget(this.bus));
  }
}
