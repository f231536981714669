import { CfnResource, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { EventBus } from 'aws-cdk-lib/aws-events';
import { AccountPrincipal, AnyPrincipal, Effect, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import type { Settings } from '../settings/settings.ts';
import { givenName } from './deployment-of.ts';
import type { Standards } from './standards.ts';

/** Who may use the bus. */
export interface OwnBusProps {
  readonly standards: Standards;
  readonly settings: Pick<Settings, 'subscriberAccounts' | 'leaveOut'>;
}

/** The bus that events go to, open to rules of subscribers' accounts and to nothing that is not encrypted on its way. */
export const ownBus = (scope: Construct, id: string, { standards, settings }: OwnBusProps): EventBus => {
  const { encryptionKey } = standards;
  const bus = new EventBus(scope, id, {
    ...nameFor(scope, id, standards),
    description: 'Calls and agents of the contact centre, as events.',
    ...(encryptionKey && { kmsKey: encryptionKey }),
  });
  // It holds no data, and its name is fixed: one that outlived the stack would stand in the way of the next.
  bus.applyRemovalPolicy(RemovalPolicy.DESTROY);
  if (settings.leaveOut.includes('bus-policy')) return bus;

  const overTls = addStatement(bus, overTlsOnly(bus));
  // One after the other: both change the one policy of the bus.
  if (settings.subscriberAccounts.length > 0)
    addStatement(bus, ownRulesOf(settings.subscriberAccounts, bus)).addResourceDependency(overTls);
  return bus;
};

/** As a plain resource: CDK's own class has deprecated properties, of which every check that reads them warns. */
const addStatement = (bus: EventBus, statement: PolicyStatement) =>
  new CfnResource(bus, statement.sid ?? '', {
    type: 'AWS::Events::EventBusPolicy',
    properties: {
      EventBusName: bus.eventBusName,
      StatementId: statement.sid,
      Statement: statement.toStatementJson(),
    },
  });

/**
 * CDK names a bus after its path. Two stacks of the same path that differ by a name given to them would then have buses of
 * one name, and only the first could be deployed.
 */
const nameFor = (scope: Construct, id: string, { deployment }: Standards) =>
  givenName(Stack.of(scope)) === undefined ? {} : { eventBusName: `${deployment}-${id}` };

const overTlsOnly = ({ eventBusArn }: EventBus) =>
  new PolicyStatement({
    sid: 'OverTlsOnly',
    effect: Effect.DENY,
    principals: [new AnyPrincipal()],
    actions: ['events:PutEvents'],
    resources: [eventBusArn],
    conditions: { Bool: { 'aws:SecureTransport': 'false' } },
  });

/** An account may make rules on the bus, and see and change its own; it may put no events. */
const ownRulesOf = (accounts: readonly string[], bus: EventBus) =>
  new PolicyStatement({
    sid: 'OwnRulesOfSubscribers',
    principals: accounts.map((account) => new AccountPrincipal(account)),
    actions: [
      'events:PutRule',
      'events:DeleteRule',
      'events:DescribeRule',
      'events:EnableRule',
      'events:DisableRule',
      'events:PutTargets',
      'events:RemoveTargets',
      'events:ListTargetsByRule',
      'events:TagResource',
      'events:UntagResource',
      'events:ListTagsForResource',
    ],
    resources: [
      Stack.of(bus).formatArn({ service: 'events', resource: 'rule', resourceName: `${bus.eventBusName}/*` }),
    ],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of IAM's.
    conditions: { StringEqualsIfExists: { 'events:creatorAccount': '${aws:PrincipalAccount}' } },
  });
