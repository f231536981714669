import { Stack, Token, TokenComparison } from 'aws-cdk-lib';
import { CfnRule, type IEventBus, type IRuleTarget, Rule } from 'aws-cdk-lib/aws-events';
import { Construct } from 'constructs';
import { eventSource } from '../../lib/contract/envelope.ts';
import type { EventType } from '../../lib/contract/event-schemas.ts';
import { emptyIn } from './empty-in.ts';
import type { Where } from './where.ts';

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
export const subscription = (construct: Construct, { bus, type, target, id, where }: SubscriptionProps): Rule => {
  const name = id ?? (type ?? 'Any Event').replaceAll(' ', '');
  const scope = placeIn(construct);
  if (scope.node.tryFindChild(name))
    throw new Error(
      `${construct.node.path} has a subscription ${name} already: give the other an id of its own, as in { id: 'Missed' }.`,
    );
  const empty = emptyIn(where, 'where');
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
  nameBusOf(rule, bus);

  return rule;
};

/** Keeps the ids of subscriptions apart from all others; it makes no resource, so that ids beside it stay. */
const placeIn = (construct: Construct): Construct => {
  const id = 'Subscriptions';
  const found = construct.node.tryFindChild(id);

  return found instanceof Construct ? found : new Construct(construct, id);
};

/** The bus of another AWS account goes by its ARN: CDK would look for its name in ours. */
const nameBusOf = ({ node }: Rule, bus: IEventBus): void => {
  const compared = Token.compareStrings(bus.env.account, Stack.of(bus).account);
  const isOurs = compared === TokenComparison.SAME || compared === TokenComparison.BOTH_UNRESOLVED;
  if (!isOurs && node.defaultChild instanceof CfnRule) node.defaultChild.eventBusName = bus.eventBusArn;
};
