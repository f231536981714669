import { Stack, Token, TokenComparison } from 'aws-cdk-lib';
import { CfnRule, type IEventBus, type IRuleTarget, Rule } from 'aws-cdk-lib/aws-events';
import { Construct } from 'constructs';
import type {
  AgentDetailsChanged,
  AgentFeedInterrupted,
  AgentFeedRestored,
  AgentLoggedIn,
  AgentLoggedOut,
  AgentStateChanged,
} from '../lib/contract/agent-events.ts';
import {
  type CallParticipantRecorded,
  type CallSummaryRecorded,
  type CallSummaryRevised,
  eventSource,
} from '../lib/contract/call-events.ts';
import type { EventType } from '../lib/contract/events.ts';
import { emptyField, type Where } from './event-pattern.ts';

/** What may be said of a subscription to events with such a `detail`. */
export interface SubscriptionOptions<Detail> {
  /** Names the rule in its stack; a second subscription to the same events needs one. Renaming it makes a new rule. */
  readonly id?: string;
  /**
   * Which of the events are wanted; all of them unless told. Where a deployment leaves personal fields out of events, they
   * cannot be told by those.
   */
  readonly where?: Where<Detail>;
}

/** What is subscribed to, and who gets it. */
interface SubscriptionProps extends SubscriptionOptions<unknown> {
  readonly bus: IEventBus;
  /** Events of any type unless told. */
  readonly type?: EventType;
  readonly target: IRuleTarget;
}

/** A rule below a construct that sends the events of a bus which are wanted to a target. Throws at an id taken before. */
const subscriptionRule = (construct: Construct, { bus, type, target, id, where }: SubscriptionProps): Rule => {
  const name = id ?? (type ?? 'Any Event').replaceAll(' ', '');
  const scope = subscriptionScope(construct);
  if (scope.node.tryFindChild(name))
    throw new Error(
      `${construct.node.path} has a subscription ${name} already: give the other an id of its own, as in { id: 'Missed' }.`,
    );
  const empty = emptyField(where, 'where');
  if (empty) throw new Error(`${empty} of subscription ${name} is empty, and would match nothing: leave it out.`);

  const rule = new Rule(scope, name, {
    eventBus: bus,
    description: `Callfeed: ${type ?? 'every event'}${where ? ', some of them' : ''}.`,
    eventPattern: {
      source: [eventSource],
      ...(type && { detailType: [type] }),
      ...(where && { detail: where }),
    },
    targets: [target],
  });
  setBusArn(rule, bus);

  return rule;
};

/** Keeps the ids of subscriptions apart from all others; it makes no resource, so that ids beside it stay. */
const subscriptionScope = (construct: Construct): Construct => {
  const id = 'Subscriptions';
  const found = construct.node.tryFindChild(id);

  return found instanceof Construct ? found : new Construct(construct, id);
};

/** The bus of another AWS account goes by its ARN: CDK would look for its name in ours. */
const setBusArn = ({ node }: Rule, bus: IEventBus): void => {
  const compared = Token.compareStrings(bus.env.account, Stack.of(bus).account);
  const isOurs = compared === TokenComparison.SAME || compared === TokenComparison.BOTH_UNRESOLVED;
  if (!isOurs && node.defaultChild instanceof CfnRule) node.defaultChild.eventBusName = bus.eventBusArn;
};

/** What every event's `detail` has. */
export type AnyDetail = Pick<
  CallSummaryRecorded,
  'schemaVersion' | 'id' | 'account' | 'occurredAt' | 'recordedAt' | 'replayedAt' | 'shortenedFields'
>;

/** A construct that knows the bus of Callfeed, and so makes rules on it. Each method answers the rule that it made. */
export abstract class Subscribable extends Construct {
  /** The bus that the events are put on. */
  abstract readonly bus: IEventBus;

  /**
   * Sends the first event of each call, or leg of one, to a target.
   * @example
   * callfeed.onCallRecorded(new SqsQueue(unanswered), { where: { call: { status: ['not-answered'] } } });
   */
  onCallRecorded(target: IRuleTarget, options?: SubscriptionOptions<CallSummaryRecorded>): Rule {
    return subscriptionRule(this, { ...options, bus: this.bus, type: 'Call Summary Recorded', target });
  }

  /**
   * Sends the later events of calls to a target: what became known after the first.
   * @example
   * callfeed.onCallRevised(new SqsQueue(outcomes), { where: { changedFields: ['dispositions'] } });
   */
  onCallRevised(target: IRuleTarget, options?: SubscriptionOptions<CallSummaryRevised>): Rule {
    return subscriptionRule(this, { ...options, bus: this.bus, type: 'Call Summary Revised', target });
  }

  /**
   * Sends the events of participants to a target, those that tell of a change (`revision` above 1) among them.
   * @example
   * callfeed.onParticipantRecorded(new SqsQueue(legs), { where: { revision: [1] } });
   */
  onParticipantRecorded(target: IRuleTarget, options?: SubscriptionOptions<CallParticipantRecorded>): Rule {
    return subscriptionRule(this, { ...options, bus: this.bus, type: 'Call Participant Recorded', target });
  }

  /**
   * Sends log-ins of agents to a target.
   * @example
   * callfeed.onAgentLoggedIn(new LambdaFunction(greet), { where: { current: { skills: ['Sales'] } } });
   */
  onAgentLoggedIn(target: IRuleTarget, options?: SubscriptionOptions<AgentLoggedIn>): Rule {
    return subscriptionRule(this, { ...options, bus: this.bus, type: 'Agent Logged In', target });
  }

  /**
   * Sends changes of agents' states to a target.
   * @example
   * callfeed.onAgentStateChanged(new SqsQueue(long), {
   *   where: { previous: { state: ['pause'] }, secondsInPreviousState: [{ numeric: ['>', 900] }] },
   * });
   */
  onAgentStateChanged(target: IRuleTarget, options?: SubscriptionOptions<AgentStateChanged>): Rule {
    return subscriptionRule(this, { ...options, bus: this.bus, type: 'Agent State Changed', target });
  }

  /**
   * Sends changes of agents' names, numbers and skills to a target.
   * @example
   * callfeed.onAgentDetailsChanged(new SqsQueue(skills), { where: { changedFields: ['skills'] } });
   */
  onAgentDetailsChanged(target: IRuleTarget, options?: SubscriptionOptions<AgentDetailsChanged>): Rule {
    return subscriptionRule(this, { ...options, bus: this.bus, type: 'Agent Details Changed', target });
  }

  /**
   * Sends log-outs of agents to a target.
   * @example
   * callfeed.onAgentLoggedOut(new SqsQueue(shifts), { where: { agentId: [{ 'anything-but': ['test-agent'] }] } });
   */
  onAgentLoggedOut(target: IRuleTarget, options?: SubscriptionOptions<AgentLoggedOut>): Rule {
    return subscriptionRule(this, { ...options, bus: this.bus, type: 'Agent Logged Out', target });
  }

  /**
   * Tells a target when the picture of agents becomes stale.
   * @example
   * callfeed.onFeedInterrupted(new SnsTopic(supervisors), { where: { account: ['acme'] } });
   */
  onFeedInterrupted(target: IRuleTarget, options?: SubscriptionOptions<AgentFeedInterrupted>): Rule {
    return subscriptionRule(this, { ...options, bus: this.bus, type: 'Agent Feed Interrupted', target });
  }

  /**
   * Tells a target when the picture of agents is kept up again.
   * @example
   * callfeed.onFeedRestored(new SnsTopic(supervisors), { where: { secondsInterrupted: [{ numeric: ['>=', 60] }] } });
   */
  onFeedRestored(target: IRuleTarget, options?: SubscriptionOptions<AgentFeedRestored>): Rule {
    return subscriptionRule(this, { ...options, bus: this.bus, type: 'Agent Feed Restored', target });
  }

  /**
   * Sends every event to a target, of those to come in later versions too.
   * @example
   * callfeed.onAnyEvent(new KinesisStream(lake), { where: { replayedAt: [{ exists: false }] } });
   */
  onAnyEvent(target: IRuleTarget, options?: SubscriptionOptions<AnyDetail>): Rule {
    return subscriptionRule(this, { ...options, bus: this.bus, target });
  }
}

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
