import { Annotations, Arn, ArnFormat, Stack, Token, TokenComparison } from 'aws-cdk-lib';
import { CfnRule, type EventPattern, type IEventBus, type IRuleTarget, Rule } from 'aws-cdk-lib/aws-events';
import { EventBus as EventBusTarget } from 'aws-cdk-lib/aws-events-targets';
import type { Construct } from 'constructs';

interface BusRuleProps {
  readonly bus: IEventBus;
  readonly description: string;
  readonly eventPattern: EventPattern;
  readonly target: IRuleTarget;
}

/**
 * A rule on a bus. On a bus of another AWS account EventBridge accepts no target but an event bus: this refuses any other one at
 * synthesis.
 */
export class BusRule extends Rule {
  readonly #busAccount: BusAccount;

  constructor(scope: Construct, id: string, { bus, description, eventPattern, target }: BusRuleProps) {
    super(scope, id, { eventBus: bus, description, eventPattern });

    this.#busAccount = busAccountOf(bus, Stack.of(this));
    // CDK would name the bus, which would mean a bus of the rule's own account. An ARN is right for either.
    if (this.#busAccount !== 'own' && this.node.defaultChild instanceof CfnRule)
      this.node.defaultChild.eventBusName = bus.eventBusArn;
    this.addTarget(target);
  }

  override addTarget(target?: IRuleTarget): void {
    if (target !== undefined && this.#busAccount === 'unknown' && !(target instanceof EventBusTarget))
      Annotations.of(this).addWarningV2(
        'callfeed:unknown-account',
        'It is unknown whether the bus is in the AWS account of this stack. If it is in another one, this rule can only send ' +
          'to an event bus, and the deployment fails. Give the stack an env with its account, or use CallfeedEvents.fromStage.',
      );
    super.addTarget(target && this.#busAccount === 'foreign' ? onlyBus(target) : target);
  }
}

/** `both-unknown`: both accounts are known only when the stack is deployed, and nothing says that they are one. */
type BusAccount = 'own' | 'foreign' | 'unknown' | 'both-unknown';

const busAccountOf = (bus: IEventBus, stack: Stack): BusAccount => {
  // The same placeholder twice is the same account, though nobody knows yet which.
  if (bus.env.account === stack.account) return 'own';
  switch (Token.compareStrings(bus.env.account, stack.account)) {
    case TokenComparison.SAME:
      return 'own';
    case TokenComparison.DIFFERENT:
      return 'foreign';
    case TokenComparison.ONE_UNRESOLVED:
      return 'unknown';
    default:
      return 'both-unknown';
  }
};

/** The target; it throws when a rule binds it to anything but an event bus of the rule's own account. */
const onlyBus = (target: IRuleTarget): IRuleTarget => ({
  bind(rule, id) {
    const config = target.bind(rule, id);
    const isBus = target instanceof EventBusTarget || config.arn.includes(':event-bus/');
    if (isBus && (Token.isUnresolved(config.arn) || accountIn(config.arn) === rule.env.account)) return config;

    throw new Error(
      `${rule.node.path}: a rule on the bus of another AWS account can only send to an event bus of your own account. ` +
        'Create ForwardedEvents, which receives the events on such a bus, and subscribe this target there.',
    );
  },
});

const accountIn = (arn: string): string | undefined => Arn.split(arn, ArnFormat.SLASH_RESOURCE_NAME).account;
