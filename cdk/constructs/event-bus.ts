import { CfnResource, Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { Archive, EventBus, type IEventBus } from 'aws-cdk-lib/aws-events';
import { CfnRegistry, CfnSchema } from 'aws-cdk-lib/aws-eventschemas';
import { AccountPrincipal, AnyPrincipal, Effect, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import { eventSource } from '../../lib/contract/call-events.ts';
import { registrySchemas } from '../../lib/contract/events.ts';
import type { Settings } from '../settings/settings.ts';
import { givenName, type Standards } from './standards.ts';

/** Who may use the bus. */
export interface EventBusProps {
  readonly standards: Standards;
  readonly settings: Pick<Settings, 'subscriberAccounts' | 'leaveOut'>;
}

/** The bus that events go to, open to rules of subscribers' accounts and to nothing that is not encrypted on its way. */
export const eventBus = (scope: Construct, id: string, { standards, settings }: EventBusProps): EventBus => {
  const { encryptionKey } = standards;
  const bus = new EventBus(scope, id, {
    ...nameFor(scope, id, standards),
    description: 'Calls and agents of the contact centre, as events.',
    ...(encryptionKey && { kmsKey: encryptionKey }),
  });
  // It holds no data, and its name is fixed: one that outlived the stack would stand in the way of the next.
  bus.applyRemovalPolicy(RemovalPolicy.DESTROY);
  if (settings.leaveOut.includes('bus-policy')) return bus;

  const overTls = addStatement(bus, denyWithoutTls(bus));
  // One after the other: both change the one policy of the bus.
  if (settings.subscriberAccounts.length > 0)
    addStatement(bus, subscriberRules(settings.subscriberAccounts, bus)).addResourceDependency(overTls);
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

const denyWithoutTls = ({ eventBusArn }: EventBus) =>
  new PolicyStatement({
    sid: 'OverTlsOnly',
    effect: Effect.DENY,
    principals: [new AnyPrincipal()],
    actions: ['events:PutEvents'],
    resources: [eventBusArn],
    conditions: { Bool: { 'aws:SecureTransport': 'false' } },
  });

/** An account may make rules on the bus, and see and change its own; it may put no events. */
const subscriberRules = (accounts: readonly string[], bus: EventBus) =>
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

/** Whose events are kept, and for how long. */
export interface EventArchiveProps {
  readonly standards: Standards;
  readonly bus: IEventBus;
  readonly settings: Pick<Settings, 'eventArchiveDays'>;
}

/** Keeps every event of ours, so that a subscriber who was down, or is new, can have them replayed. */
export const eventArchive = (
  scope: Construct,
  id: string,
  { standards, bus, settings }: EventArchiveProps,
): Archive => {
  const { encryptionKey } = standards;
  const archive = new Archive(scope, id, {
    sourceEventBus: bus,
    description: 'Every event of Callfeed, to be replayed.',
    eventPattern: { source: [eventSource] },
    retention: Duration.days(settings.eventArchiveDays),
    ...(encryptionKey && { kmsKey: encryptionKey }),
  });
  // Its events can be replayed to this bus and to no other, and keep it from being deleted: it goes when the bus does.
  archive.applyRemovalPolicy(RemovalPolicy.DESTROY);

  return archive;
};

/** Which events they are the schemas of. */
export interface EventSchemasProps {
  readonly settings: Pick<Settings, 'personalFieldsInEvents'>;
}

/** The schemas of all events in a registry of their own, from which consoles and editors make types. */
export class EventSchemas extends Construct {
  readonly registry: CfnRegistry;

  constructor(scope: Construct, id: string, { settings }: EventSchemasProps) {
    super(scope, id);

    this.registry = new CfnRegistry(this, 'Registry', { description: 'Events of Callfeed.' });
    for (const [type, schema] of Object.entries(registrySchemas(settings.personalFieldsInEvents))) {
      const name = type.replaceAll(' ', '');
      new CfnSchema(this, name, {
        registryName: this.registry.attrRegistryName,
        // As the registry names what it discovers by itself.
        schemaName: `${eventSource}@${name}`,
        type: 'JSONSchemaDraft4',
        content: JSON.stringify(schema),
        description: `The event ${type}.`,
      });
    }
  }
}
