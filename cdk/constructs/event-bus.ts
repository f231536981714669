import { Annotations, CfnResource, Duration, RemovalPolicy, Stack, Token, Validations } from 'aws-cdk-lib';
import { Archive, EventBus, type IEventBus } from 'aws-cdk-lib/aws-events';
import { CfnRegistry, CfnSchema } from 'aws-cdk-lib/aws-eventschemas';
import { AccountPrincipal, AnyPrincipal, Effect, PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { eventTypes, guideOf, registrySchemas } from '../../lib/contract/events.ts';
import { eventSource } from '../../lib/storage/event.ts';
import type { Settings } from '../settings/settings.ts';
import { type Core, type DeploymentContext, givenName } from './deployment-context.ts';
import { privateQueue } from './event-sources.ts';
import { type Alarms, waitingIn } from './monitoring.ts';

/** Dead letters are events that it accepted and could not encrypt or decrypt: only a key of the customer’s fails like that. */
export const eventBus = (
  scope: Construct,
  id: string,
  deploymentContext: DeploymentContext,
  { leaveOut, subscriberAccounts }: Settings,
): { readonly bus: IEventBus; readonly deadLetters: Queue | undefined; readonly alarms: Alarms } => {
  const { encryptionKey, deployment } = deploymentContext;
  const reason = 'EventBridge uses it as a dead-letter queue. cdk-nag knows only dead-letter queues of queues.';
  const deadLetters = encryptionKey && eventDeadLetters(scope, `${id}DeadLetters`, deploymentContext, reason);
  const bus = new EventBus(scope, id, {
    // CDK names a bus after its path. Two stacks of the same path that differ only in `stackName` would have buses of the same
    // name, and only the first could be deployed. Such a stack gets a name of its own here.
    ...(givenName(Stack.of(scope)) !== undefined && { eventBusName: `${deployment}-${id}` }),
    description: 'Calls and agents of the contact centre, as events.',
    ...(encryptionKey && { kmsKey: encryptionKey }),
    ...(deadLetters && { deadLetterQueue: deadLetters }),
  });
  if (deadLetters) allowDeadLetters(deadLetters, bus.eventBusArn);
  // The bus holds no data and has a fixed name. If it outlived the stack, the next deployment could not create its own.
  bus.applyRemovalPolicy(RemovalPolicy.DESTROY);
  if (!leaveOut.includes('bus-policy')) {
    const overTls = addStatement(bus, denyWithoutTls(bus));
    // Deployed one after the other, because both change the same policy of the bus.
    if (subscriberAccounts.length > 0)
      addStatement(bus, subscriberRules(subscriberAccounts, bus)).addResourceDependency(overTls);
  }
  if (!deadLetters) return { bus, deadLetters, alarms: {} };

  const impact =
    'The event bus cannot use your key. Subscribers miss the events that are in its dead-letter queue; the tables are correct.';
  // EventBridge reports a key that fails only here: it has accepted the events before.
  return { bus, deadLetters, alarms: { BusDeadLettered: { impact, metric: waitingIn(deadLetters) } } };
};

/** With SQS's own key: the customer's would fail together with the bus, and its policy does not let EventBridge use it here. */
export const eventDeadLetters = (
  scope: Construct,
  id: string,
  deploymentContext: DeploymentContext,
  reason: string,
): Queue => {
  const queue = privateQueue(scope, id, { ...deploymentContext, encryptionKey: undefined });
  Validations.of(queue).acknowledge({ id: 'AwsSolutions-SQS3', reason });

  return queue;
};

export const allowDeadLetters = (queue: Queue, sourceArn: string): void => {
  queue.addToResourcePolicy(
    new PolicyStatement({
      principals: [new ServicePrincipal('events.amazonaws.com')],
      actions: ['sqs:SendMessage'],
      resources: [queue.queueArn],
      conditions: { ArnEquals: { 'aws:SourceArn': sourceArn } },
    }),
  );
};

/** A plain CloudFormation resource, because CDK's class has deprecated properties that cause warnings. */
const addStatement = (bus: EventBus, statement: PolicyStatement) =>
  new CfnResource(bus, statement.sid ?? '', {
    type: 'AWS::Events::EventBusPolicy',
    properties: {
      EventBusName: bus.eventBusName,
      StatementId: statement.sid,
      Statement: statement.toStatementJson(),
    },
  });

const denyWithoutTls = ({ eventBusArn }: EventBus) =>
  new PolicyStatement({
    sid: 'OverTlsOnly',
    effect: Effect.DENY,
    principals: [new AnyPrincipal()],
    actions: ['events:PutEvents'],
    resources: [eventBusArn],
    conditions: { Bool: { 'aws:SecureTransport': 'false' } },
  });

const ownRuleActions = [
  ...['PutRule', 'DeleteRule', 'DescribeRule', 'EnableRule', 'DisableRule', 'PutTargets', 'RemoveTargets'],
  ...['ListTargetsByRule', 'TagResource', 'UntagResource', 'ListTagsForResource'],
];

/** Each account may create rules on the bus and manage its own rules. It may not put events. */
const subscriberRules = (accounts: readonly string[], bus: EventBus) =>
  new PolicyStatement({
    sid: 'OwnRulesOfSubscribers',
    principals: accounts.map((account) => new AccountPrincipal(account)),
    actions: ownRuleActions.map((action) => `events:${action}`),
    resources: [Stack.of(bus).formatArn({ service: 'events', resource: `rule/${bus.eventBusName}/*` })],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: IAM replaces this variable.
    conditions: { StringEqualsIfExists: { 'events:creatorAccount': '${aws:PrincipalAccount}' } },
  });

export const eventArchive = (
  scope: Construct,
  id: string,
  { deploymentContext: { encryptionKey }, bus, settings }: Core,
): Archive => {
  const archive = new Archive(scope, id, {
    sourceEventBus: bus,
    description: 'Every event of Callfeed, for replays.',
    eventPattern: { source: [eventSource] },
    retention: Duration.days(settings.eventArchiveDays),
    ...(encryptionKey && { kmsKey: encryptionKey }),
  });
  // An archive can replay only to its own bus and prevents its deletion, so it is deleted with the bus.
  archive.applyRemovalPolicy(RemovalPolicy.DESTROY);

  return archive;
};

/** Regions in which CloudFormation has no schema registry, and rejects a template with one: cfn-lint's schemas, 2026-11. */
const regionsWithoutSchemas =
  'ap-east-2 ap-south-2 ap-southeast-4 ap-southeast-5 ap-southeast-6 ap-southeast-7 ca-west-1 il-central-1 mx-central-1';

/** Consoles and editors generate types from them. Where neither stack nor credentials name a region, a registry is assumed. */
export const publishedSchemas = (
  scope: Construct,
  id: string,
  { personalFieldsInEvents, recordings }: Settings,
): void => {
  const { region } = Stack.of(scope);
  const deployedTo = Token.isUnresolved(region) ? process.env['CDK_DEFAULT_REGION'] : region;
  if (deployedTo !== undefined && regionsWithoutSchemas.includes(deployedTo)) {
    Annotations.of(scope).addInfo(`The region ${deployedTo} has no schema registry: schemas of events are left out.`);
    return;
  }

  const schemas = new Construct(scope, id);
  const registry = new CfnRegistry(schemas, 'Registry', { description: 'Events of Callfeed.' });
  const published = registrySchemas(personalFieldsInEvents);
  for (const type of eventTypes) {
    if (guideOf(type).feature === 'recordings' && recordings === 'off') continue;
    const name = type.replaceAll(' ', '');
    new CfnSchema(schemas, name, {
      registryName: registry.attrRegistryName,
      // The name that schema discovery would give it.
      schemaName: `${eventSource}@${name}`,
      type: 'JSONSchemaDraft4',
      content: JSON.stringify(published[type]),
      description: `The event ${type}.`,
    });
  }
};
