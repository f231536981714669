import { Annotations, Arn, ArnFormat, Stack, Token, TokenComparison } from 'aws-cdk-lib';
import { CfnRule, type EventPattern, type IEventBus, type IRuleTarget, Rule } from 'aws-cdk-lib/aws-events';
import { EventBus as EventBusTarget } from 'aws-cdk-lib/aws-events-targets';
import type { Construct } from 'constructs';

/**
 * An EventBridge pattern over an event's `detail`. Every named field must match one entry of its list. A list in the event
 * matches if one of its entries does. Fields and words are typed by the contract, so a misspelt one does not compile.
 * @example
 * { account: ['acme'], call: { status: ['not-answered'], customerNumber: [{ prefix: '+44' }] } }
 */
export type Where<Detail> = { readonly [Field in keyof Detail]?: Condition<Detail[Field] | Unnamed<Field>> };

/** A field that the contract does not name may be absent. */
type Unnamed<Field> = string extends Field ? undefined : never;

/** The conditions on a field. Only a field that may be absent accepts `exists`. */
type Condition<Value> = [Exclude<Value, undefined>] extends [readonly (infer Item)[]]
  ? ConditionOn<Item, undefined extends Value ? { readonly exists: boolean } : never>
  : ConditionOn<Exclude<Value, undefined>, undefined extends Value ? { readonly exists: boolean } : never>;

type ConditionOn<Value, Presence> = [Value] extends [object] ? Where<Value> : readonly (Matcher<Value> | Presence)[];

type Matcher<Value> =
  | Value
  | { readonly 'anything-but': Value | readonly Value[] }
  | ([Value] extends [number] ? (number extends Value ? NumberMatcher : never) : never)
  | ([Value] extends [string] ? (string extends Value ? TextMatcher : never) : never);

interface NumberMatcher {
  readonly numeric:
    | readonly [operator: '>' | '>=' | '<' | '<=' | '=', bound: number]
    | readonly [operator: '>' | '>=', lower: number, operator: '<' | '<=', upper: number];
}

type AnyCase = { readonly 'equals-ignore-case': string };

type PartOfText =
  | AnyCase
  | { readonly prefix: string | AnyCase }
  | { readonly suffix: string | AnyCase }
  | { readonly wildcard: string };

/** Matches a part of free text. Words of a closed vocabulary can only be named in full. */
type TextMatcher = PartOfText | { readonly 'anything-but': PartOfText };

/** The path of an empty list or object in a pattern, which EventBridge rejects; undefined if there is none. */
export const emptyField = (pattern: unknown, path: string): string | undefined => {
  if (typeof pattern !== 'object' || pattern === null) return undefined;

  const fields = Object.entries(pattern).filter(([, value]) => value !== undefined);
  if (fields.length === 0) return path;
  if (Array.isArray(pattern)) return undefined;

  return fields.map(([field, value]) => emptyField(value, `${path}.${field}`)).find((found) => found !== undefined);
};

interface BusRuleProps {
  readonly bus: IEventBus;
  readonly description: string;
  readonly eventPattern: EventPattern;
  readonly target: IRuleTarget;
}

/** On a bus of another AWS account, refuses at once any target but a bus of its own; EventBridge would say less, and later. */
export class BusRule extends Rule {
  readonly #isForeign: boolean;
  readonly #isUnknown: boolean;

  constructor(scope: Construct, id: string, { bus, description, eventPattern, target }: BusRuleProps) {
    super(scope, id, { eventBus: bus, description, eventPattern });

    const stack = Stack.of(this);
    const compared = Token.compareStrings(bus.env.account, stack.account);
    this.#isForeign = compared === TokenComparison.DIFFERENT;
    this.#isUnknown = compared === TokenComparison.ONE_UNRESOLVED;
    const isOurs = compared === TokenComparison.SAME || bus.env.account === stack.account;
    // CDK would name the bus, which would mean a bus of the rule's own account. An ARN is right for either.
    if (!isOurs && this.node.defaultChild instanceof CfnRule) this.node.defaultChild.eventBusName = bus.eventBusArn;
    this.addTarget(target);
  }

  override addTarget(target?: IRuleTarget): void {
    if (target !== undefined && this.#isUnknown && !(target instanceof EventBusTarget))
      Annotations.of(this).addWarningV2(
        'callfeed:unknown-account',
        'It is unknown whether the bus is in the AWS account of this stack. If it is in another one, this rule can only send ' +
          'to an event bus, and the deployment fails. Give the stack an env with its account, or use CallfeedEvents.fromStage.',
      );
    super.addTarget(target && this.#isForeign ? onlyBus(target) : target);
  }
}

/** A target that throws when a rule binds it, unless it is an event bus that is not known to be in another AWS account. */
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
