import type { IEventBus, IRuleTarget, Rule } from 'aws-cdk-lib/aws-events';
import { Construct } from 'constructs';
import type {
  AgentDetailsChanged,
  AgentFeedInterrupted,
  AgentFeedRestored,
  AgentLoggedIn,
  AgentLoggedOut,
  AgentStateChanged,
} from '../../lib/contract/agent-events.ts';
import type {
  CallParticipantRecorded,
  CallSummaryRecorded,
  CallSummaryRevised,
} from '../../lib/contract/call-events.ts';
import { type SubscriptionOptions, subscription } from './subscription.ts';

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
    return subscription(this, { ...options, bus: this.bus, type: 'Call Summary Recorded', target });
  }

  /**
   * Sends the later events of calls to a target: what became known after the first.
   * @example
   * callfeed.onCallRevised(new SqsQueue(outcomes), { where: { changedFields: ['dispositions'] } });
   */
  onCallRevised(target: IRuleTarget, options?: SubscriptionOptions<CallSummaryRevised>): Rule {
    return subscription(this, { ...options, bus: this.bus, type: 'Call Summary Revised', target });
  }

  /**
   * Sends the events of participants to a target, those that tell of a change (`revision` above 1) among them.
   * @example
   * callfeed.onParticipantRecorded(new SqsQueue(legs), { where: { revision: [1] } });
   */
  onParticipantRecorded(target: IRuleTarget, options?: SubscriptionOptions<CallParticipantRecorded>): Rule {
    return subscription(this, { ...options, bus: this.bus, type: 'Call Participant Recorded', target });
  }

  /**
   * Sends log-ins of agents to a target.
   * @example
   * callfeed.onAgentLoggedIn(new LambdaFunction(greet), { where: { current: { skills: ['Sales'] } } });
   */
  onAgentLoggedIn(target: IRuleTarget, options?: SubscriptionOptions<AgentLoggedIn>): Rule {
    return subscription(this, { ...options, bus: this.bus, type: 'Agent Logged In', target });
  }

  /**
   * Sends changes of agents' states to a target.
   * @example
   * callfeed.onAgentStateChanged(new SqsQueue(long), {
   *   where: { previous: { state: ['pause'] }, secondsInPreviousState: [{ numeric: ['>', 900] }] },
   * });
   */
  onAgentStateChanged(target: IRuleTarget, options?: SubscriptionOptions<AgentStateChanged>): Rule {
    return subscription(this, { ...options, bus: this.bus, type: 'Agent State Changed', target });
  }

  /**
   * Sends changes of agents' names, numbers and skills to a target.
   * @example
   * callfeed.onAgentDetailsChanged(new SqsQueue(skills), { where: { changedFields: ['skills'] } });
   */
  onAgentDetailsChanged(target: IRuleTarget, options?: SubscriptionOptions<AgentDetailsChanged>): Rule {
    return subscription(this, { ...options, bus: this.bus, type: 'Agent Details Changed', target });
  }

  /**
   * Sends log-outs of agents to a target.
   * @example
   * callfeed.onAgentLoggedOut(new SqsQueue(shifts), { where: { agentId: [{ 'anything-but': ['test-agent'] }] } });
   */
  onAgentLoggedOut(target: IRuleTarget, options?: SubscriptionOptions<AgentLoggedOut>): Rule {
    return subscription(this, { ...options, bus: this.bus, type: 'Agent Logged Out', target });
  }

  /**
   * Tells a target when the picture of agents becomes stale.
   * @example
   * callfeed.onFeedInterrupted(new SnsTopic(supervisors), { where: { account: ['acme'] } });
   */
  onFeedInterrupted(target: IRuleTarget, options?: SubscriptionOptions<AgentFeedInterrupted>): Rule {
    return subscription(this, { ...options, bus: this.bus, type: 'Agent Feed Interrupted', target });
  }

  /**
   * Tells a target when the picture of agents is kept up again.
   * @example
   * callfeed.onFeedRestored(new SnsTopic(supervisors), { where: { secondsInterrupted: [{ numeric: ['>=', 60] }] } });
   */
  onFeedRestored(target: IRuleTarget, options?: SubscriptionOptions<AgentFeedRestored>): Rule {
    return subscription(this, { ...options, bus: this.bus, type: 'Agent Feed Restored', target });
  }

  /**
   * Sends every event to a target, of those to come in later versions too.
   * @example
   * callfeed.onAnyEvent(new KinesisStream(lake), { where: { replayedAt: [{ exists: false }] } });
   */
  onAnyEvent(target: IRuleTarget, options?: SubscriptionOptions<AnyDetail>): Rule {
    return subscription(this, { ...options, bus: this.bus, target });
  }
}
