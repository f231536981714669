import { EventBus, type IEventBus, type IRuleTarget, type Rule } from 'aws-cdk-lib/aws-events';
import { EventBus as EventBusTarget } from 'aws-cdk-lib/aws-events-targets';
import { Construct } from 'constructs';
import type { DetailOf, EventType } from '../lib/contract/events.ts';
import { type Envelope, eventSource } from '../lib/storage/event.ts';
import { BusRule } from './constructs/bus-rule.ts';
import { pathOfEmptyField, type Where } from './constructs/event-pattern.ts';
import { nameIn, type OfStage, readStageParameter } from './stage-parameters.ts';

export interface SubscriptionOptions<Detail> {
  /**
   * The id of the rule in its stack, by default the kind of event. A further subscription to the same kind gets a number, in the
   * order of your code. Give each an id of its own, and moving or removing one changes no other. Changing an id replaces the rule.
   */
  readonly id?: string;
  /**
   * Which of the events to send; by default all. With the setting `personalFieldsInEvents=leave-out`, events have no personal
   * fields, so a condition on one of them never matches.
   */
  readonly where?: Where<Detail>;
}

type Options<Type extends EventType> = SubscriptionOptions<DetailOf<Type>>;

/** The fields that every event's `detail` has. */
export type AnyDetail = Pick<DetailOf<'Call Summary Recorded'>, keyof typeof Envelope>;

/** A construct that creates rules on the bus of Callfeed. Each method returns the rule that it created. */
export abstract class Subscribable extends Construct {
  abstract readonly bus: IEventBus;

  /**
   * Sends the events of one kind to a target. The methods for single kinds are short forms of it; a new kind needs none.
   * @example
   * callfeed.onEvent('Agent Logged Out', new SqsQueue(shifts), { where: { account: ['acme'] } });
   */
  onEvent<Type extends EventType>(type: Type, target: IRuleTarget, options?: Options<Type>): Rule {
    return subscriptionRule(this, type, target, options);
  }

  /** Every event, of later versions too, such as `{ where: { replayedAt: [{ exists: false }] } }`. */
  onAnyEvent(target: IRuleTarget, options?: SubscriptionOptions<AnyDetail>): Rule {
    return subscriptionRule(this, undefined, target, options);
  }

  /** The first event of each call, such as `{ where: { call: missedCalls } }`. */
  onCallRecorded(target: IRuleTarget, options?: Options<'Call Summary Recorded'>): Rule {
    return this.onEvent('Call Summary Recorded', target, options);
  }

  /** What changed in a call after its first event, such as `{ where: { changedFields: ['dispositions'] } }`. */
  onCallRevised(target: IRuleTarget, options?: Options<'Call Summary Revised'>): Rule {
    return this.onEvent('Call Summary Revised', target, options);
  }

  /** New participants, `{ where: { revision: [1] } }`, and changed ones. */
  onParticipantRecorded(target: IRuleTarget, options?: Options<'Call Participant Recorded'>): Rule {
    return this.onEvent('Call Participant Recorded', target, options);
  }

  /** Recordings whose object is whole in the bucket. It needs `recordings=archive`. */
  onRecordingArchived(target: IRuleTarget, options?: Options<'Call Recording Archived'>): Rule {
    return this.onEvent('Call Recording Archived', target, options);
  }

  /** Log-ins, such as `{ where: { current: { skills: ['Sales'] } } }`. */
  onAgentLoggedIn(target: IRuleTarget, options?: Options<'Agent Logged In'>): Rule {
    return this.onEvent('Agent Logged In', target, options);
  }

  /** Changes of states, such as `{ where: { secondsInPreviousState: [{ numeric: ['>', 900] }] } }`. */
  onAgentStateChanged(target: IRuleTarget, options?: Options<'Agent State Changed'>): Rule {
    return this.onEvent('Agent State Changed', target, options);
  }

  /** Other names, numbers and skills of agents, such as `{ where: { changedFields: ['skills'] } }`. */
  onAgentDetailsChanged(target: IRuleTarget, options?: Options<'Agent Details Changed'>): Rule {
    return this.onEvent('Agent Details Changed', target, options);
  }

  /** Log-outs, such as `{ where: { agentId: [{ 'anything-but': ['test-agent'] }] } }`. */
  onAgentLoggedOut(target: IRuleTarget, options?: Options<'Agent Logged Out'>): Rule {
    return this.onEvent('Agent Logged Out', target, options);
  }

  /** An account's agents become stale. */
  onFeedInterrupted(target: IRuleTarget, options?: Options<'Agent Feed Interrupted'>): Rule {
    return this.onEvent('Agent Feed Interrupted', target, options);
  }

  /** An account's agents are live again, such as `{ where: { secondsInterrupted: [{ numeric: ['>=', 60] }] } }`. */
  onFeedRestored(target: IRuleTarget, options?: Options<'Agent Feed Restored'>): Rule {
    return this.onEvent('Agent Feed Restored', target, options);
  }
}

/** The bus of the deployment to subscribe to. */
export interface CallfeedEventsProps {
  /**
   * The bus of a deployment in another stack, by name or ARN. For one in another AWS account create `ForwardedEvents` instead:
   * rules on this bus itself would have to send to an event bus.
   */
  readonly bus: IEventBus;
}

/**
 * The events of a Callfeed in another stack, for subscribers with their own stack. It creates rules in the subscriber's stack
 * and nothing else.
 *
 * A rule on a bus of another AWS account can only send to an event bus, and any other target throws. If the stack does not
 * name its account, it cannot be compared with the one in the bus's ARN. The rule is then made, and synthesis warns. Give the
 * stack an `env`, or use `fromStage`, whose bus always is in the stack's own account.
 * @example
 * const callfeed = CallfeedEvents.fromStage(this, 'Callfeed', { stage: 'prod' });
 * callfeed.onCallRecorded(new SqsQueue(queue), { where: { call: missedCalls } });
 */
export class CallfeedEvents extends Subscribable {
  readonly bus: IEventBus;

  constructor(scope: Construct, id: string, { bus }: CallfeedEventsProps) {
    super(scope, id);

    this.bus = bus;
  }

  /** The events of a deployment in the same AWS account and region, found by SSM parameters when the stack is deployed. */
  static fromStage(scope: Construct, id: string, { stage }: OfStage): CallfeedEvents {
    const name = nameIn(readStageParameter(scope, stage, 'bus-arn'), scope);

    return new CallfeedEvents(scope, id, { bus: EventBus.fromEventBusName(scope, `${id}Bus`, name) });
  }
}

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

/** The id, or, where it is taken, the id with the first free number from 2 on. The first keeps what is deployed. */
const freeId = (scope: Construct, id: string): string => {
  let free = id;
  for (let number = 2; scope.node.tryFindChild(free); number++) free = `${id}${number}`;
  return free;
};

const subscriptionRule = (
  construct: Subscribable,
  type: EventType | undefined,
  target: IRuleTarget,
  { id, where }: SubscriptionOptions<unknown> = {},
): Rule => {
  // This scope separates the ids of subscriptions from all others, and creates no resource.
  const scope = construct.node.tryFindChild('Subscriptions') ?? new Construct(construct, 'Subscriptions');
  const name = id ?? freeId(scope, (type ?? 'Any Event').replaceAll(' ', ''));
  if (scope.node.tryFindChild(name))
    throw new Error(`${construct.node.path} already has a subscription ${name}: give this one another id.`);
  const empty = pathOfEmptyField(where, 'where');
  if (empty) throw new Error(`${empty} of subscription ${name} is empty and would match no event: leave it out.`);

  const description = `Callfeed: ${type ?? 'every event'}${where ? ', some of them' : ''}.`;
  const eventPattern = { source: [eventSource], ...(type && { detailType: [type] }), ...(where && { detail: where }) };
  return new BusRule(scope, name, { bus: construct.bus, description, eventPattern, target });
};
