import { EventBus, type IEventBus, type IRuleTarget, type Rule } from 'aws-cdk-lib/aws-events';
import { EventBus as EventBusTarget } from 'aws-cdk-lib/aws-events-targets';
import { Construct } from 'constructs';
import type {
  AgentDetailsChanged,
  AgentFeedInterrupted,
  AgentFeedRestored,
  AgentLoggedIn,
  AgentLoggedOut,
  AgentStateChanged,
} from '../lib/contract/agent-events.ts';
import type { CallParticipantRecorded, CallSummaryRecorded, CallSummaryRevised } from '../lib/contract/call-events.ts';
import type { DetailOf, EventType } from '../lib/contract/events.ts';
import type { CallRecordingArchived } from '../lib/contract/features.ts';
import { eventSource } from '../lib/storage/event.ts';
import { BusRule, emptyField, type Where } from './bus-rule.ts';
import { nameIn, type OfStage, readStageParameter } from './tables.ts';

export interface SubscriptionOptions<Detail> {
  /** The id of the rule in its stack. A second subscription to the same events needs one. Changing it replaces the rule. */
  readonly id?: string;
  /**
   * Which of the events to send; by default all. With the setting `personalFieldsInEvents=leave-out`, events have no personal
   * fields, so a condition on one of them never matches.
   */
  readonly where?: Where<Detail>;
}

/** The fields that every event's `detail` has. */
export type AnyDetail = Pick<
  CallSummaryRecorded,
  'schemaVersion' | 'id' | 'account' | 'occurredAt' | 'recordedAt' | 'replayedAt' | 'shortenedFields'
>;

/** A construct that creates rules on the bus of Callfeed. Each method returns the rule that it created. */
export abstract class Subscribable extends Construct {
  abstract readonly bus: IEventBus;

  /**
   * Sends the events of a type to a target, as the methods for the single types do.
   * @example
   * callfeed.onEvent('Agent Logged Out', new SqsQueue(shifts), { where: { account: ['acme'] } });
   */
  onEvent<Type extends EventType>(
    type: Type,
    target: IRuleTarget,
    options?: SubscriptionOptions<DetailOf<Type>>,
  ): Rule {
    return subscriptionRule(this, type, target, options);
  }

  /**
   * Sends the first event of each call to a target.
   * @example
   * callfeed.onCallRecorded(new SqsQueue(unanswered), { where: { call: missedCalls } });
   */
  onCallRecorded(target: IRuleTarget, options?: SubscriptionOptions<CallSummaryRecorded>): Rule {
    return this.onEvent('Call Summary Recorded', target, options);
  }

  /**
   * Sends the later events of calls to a target: what changed after the first event.
   * @example
   * callfeed.onCallRevised(new SqsQueue(outcomes), { where: { changedFields: ['dispositions'] } });
   */
  onCallRevised(target: IRuleTarget, options?: SubscriptionOptions<CallSummaryRevised>): Rule {
    return this.onEvent('Call Summary Revised', target, options);
  }

  /**
   * Sends the events of participants to a target, including changes (`revision` above 1).
   * @example
   * callfeed.onParticipantRecorded(new SqsQueue(legs), { where: { revision: [1] } });
   */
  onParticipantRecorded(target: IRuleTarget, options?: SubscriptionOptions<CallParticipantRecorded>): Rule {
    return this.onEvent('Call Participant Recorded', target, options);
  }

  /**
   * Sends a recording's event to a target when its object is whole in the bucket. It needs `recordings=archive`.
   * @example
   * callfeed.onRecordingArchived(new SqsQueue(transcribe), { where: { account: ['acme'] } });
   */
  onRecordingArchived(target: IRuleTarget, options?: SubscriptionOptions<CallRecordingArchived>): Rule {
    return this.onEvent('Call Recording Archived', target, options);
  }

  /**
   * Sends log-ins of agents to a target.
   * @example
   * callfeed.onAgentLoggedIn(new LambdaFunction(greet), { where: { current: { skills: ['Sales'] } } });
   */
  onAgentLoggedIn(target: IRuleTarget, options?: SubscriptionOptions<AgentLoggedIn>): Rule {
    return this.onEvent('Agent Logged In', target, options);
  }

  /**
   * Sends changes of agents' states to a target.
   * @example
   * callfeed.onAgentStateChanged(new SqsQueue(long), {
   *   where: { previous: { state: ['pause'] }, secondsInPreviousState: [{ numeric: ['>', 900] }] },
   * });
   */
  onAgentStateChanged(target: IRuleTarget, options?: SubscriptionOptions<AgentStateChanged>): Rule {
    return this.onEvent('Agent State Changed', target, options);
  }

  /**
   * Sends changes of agents' names, numbers and skills to a target.
   * @example
   * callfeed.onAgentDetailsChanged(new SqsQueue(skills), { where: { changedFields: ['skills'] } });
   */
  onAgentDetailsChanged(target: IRuleTarget, options?: SubscriptionOptions<AgentDetailsChanged>): Rule {
    return this.onEvent('Agent Details Changed', target, options);
  }

  /**
   * Sends log-outs of agents to a target.
   * @example
   * callfeed.onAgentLoggedOut(new SqsQueue(shifts), { where: { agentId: [{ 'anything-but': ['test-agent'] }] } });
   */
  onAgentLoggedOut(target: IRuleTarget, options?: SubscriptionOptions<AgentLoggedOut>): Rule {
    return this.onEvent('Agent Logged Out', target, options);
  }

  /**
   * Notifies a target when an account's agents become stale.
   * @example
   * callfeed.onFeedInterrupted(new SnsTopic(supervisors), { where: { account: ['acme'] } });
   */
  onFeedInterrupted(target: IRuleTarget, options?: SubscriptionOptions<AgentFeedInterrupted>): Rule {
    return this.onEvent('Agent Feed Interrupted', target, options);
  }

  /**
   * Notifies a target when an account's agents are live again.
   * @example
   * callfeed.onFeedRestored(new SnsTopic(supervisors), { where: { secondsInterrupted: [{ numeric: ['>=', 60] }] } });
   */
  onFeedRestored(target: IRuleTarget, options?: SubscriptionOptions<AgentFeedRestored>): Rule {
    return this.onEvent('Agent Feed Restored', target, options);
  }

  /**
   * Sends every event to a target, including types that later versions add.
   * @example
   * callfeed.onAnyEvent(new KinesisStream(lake), { where: { replayedAt: [{ exists: false }] } });
   */
  onAnyEvent(target: IRuleTarget, options?: SubscriptionOptions<AnyDetail>): Rule {
    return subscriptionRule(this, undefined, target, options);
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

const subscriptionRule = (
  construct: Subscribable,
  type: EventType | undefined,
  target: IRuleTarget,
  { id, where }: SubscriptionOptions<unknown> = {},
): Rule => {
  const name = id ?? (type ?? 'Any Event').replaceAll(' ', '');
  // It separates the ids of subscriptions from all others, and creates no resource.
  const scope = construct.node.tryFindChild('Subscriptions') ?? new Construct(construct, 'Subscriptions');
  if (scope.node.tryFindChild(name))
    throw new Error(
      `${construct.node.path} already has a subscription ${name}: give this one another id, as in { id: 'Missed' }.`,
    );
  const empty = emptyField(where, 'where');
  if (empty) throw new Error(`${empty} of subscription ${name} is empty and would match no event: leave it out.`);

  const description = `Callfeed: ${type ?? 'every event'}${where ? ', some of them' : ''}.`;
  const eventPattern = { source: [eventSource], ...(type && { detailType: [type] }), ...(where && { detail: where }) };
  return new BusRule(scope, name, { bus: construct.bus, description, eventPattern, target });
};
