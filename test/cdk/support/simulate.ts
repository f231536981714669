import { runSimulation } from '@cloud-copilot/iam-simulate';
import type { Template } from 'aws-cdk-lib/assertions';
import type { Properties } from './template.ts';

/** A request as IAM sees it, and the policies that decide on it. */
export interface Request {
  /** The ARN of a role, or the name of a service. */
  readonly principal: string;
  readonly action: string;
  readonly resource: string;
  readonly context?: Readonly<Record<string, string>>;
  readonly identityPolicy?: unknown;
  readonly resourcePolicy?: unknown;
}

/**
 * IAM's reference lists the keys of encryption contexts only as a pattern, and the simulation leaves such keys out. So another
 * key stands in for the context of a bus, which no policy of ours uses beside it.
 */
const withoutContexts = (request: Request): Request =>
  JSON.parse(JSON.stringify(request).replaceAll(busContext, 'aws:SourceArn'));

/** The encryption context of a bus, as a condition. */
export const busContext = 'kms:EncryptionContext:aws:events:event-bus:arn';

/** Whether IAM would allow a request. Throws if it could not be made, such as for an action that the resource does not have. */
export const isAllowed = async (request: Request): Promise<boolean> => {
  const { principal, action, resource, context = {}, identityPolicy, resourcePolicy } = withoutContexts(request);
  const result = await runSimulation(
    {
      request: {
        principal,
        action,
        contextVariables: { ...context },
        // An object’s ARN has no account: those here are of the reader’s.
        resource: { resource, accountId: resource.split(':')[4] || principal.split(':')[4] || '' },
      },
      identityPolicies: identityPolicy === undefined ? [] : [{ name: 'policy', policy: identityPolicy }],
      serviceControlPolicies: [],
      resourceControlPolicies: [],
      resourcePolicy,
    },
    {},
  );
  if (result.resultType === 'error') throw new Error(JSON.stringify(result.errors));

  return result.overallResult === 'Allowed';
};

/** The account and region of everything that a template refers to. */
export interface Environment {
  readonly account: string;
  readonly region: string;
  /** Values of SSM parameters, by name. */
  readonly parameters?: Readonly<Record<string, unknown>>;
  /** The name of a resource by its logical id, which is the name by default. */
  readonly nameOf?: (id: string) => string;
}

/** The service in an ARN of each type of resource, and what is before and after the name. */
const arnsByType = {
  'AWS::DynamoDB::GlobalTable': ['dynamodb', 'table/'],
  'AWS::Events::EventBus': ['events', 'event-bus/'],
  'AWS::Events::Rule': ['events', 'rule/'],
  'AWS::KMS::Key': ['kms', 'key/'],
  'AWS::KinesisFirehose::DeliveryStream': ['firehose', 'deliverystream/'],
  'AWS::Lambda::Function': ['lambda', 'function:'],
  'AWS::Logs::LogGroup': ['logs', 'log-group:', ':*'],
  'AWS::S3::Bucket': ['s3', ''],
  'AWS::SNS::Topic': ['sns', ''],
  'AWS::SQS::Queue': ['sqs', ''],
  'AWS::SecretsManager::Secret': ['secretsmanager', 'secret:'],
} as const;

/** Of these a reference is the ARN, of others the name. */
const referredByArn = ['AWS::SNS::Topic', 'AWS::SecretsManager::Secret'];

/** Part of a template as CloudFormation would deploy it. */
export const deployed = (template: Template, environment: Environment, part: unknown): unknown => {
  const { Resources, Parameters = {} } = template.toJSON();
  const { account, region, parameters = {}, nameOf = (id) => id } = environment;
  const pseudo: Properties = { 'AWS::AccountId': account, 'AWS::Region': region, 'AWS::Partition': 'aws' };
  const arnOf = (id: string, attribute = 'Arn'): string => {
    const type: keyof typeof arnsByType = Resources[id].Type;
    const [service, before, after = ''] = arnsByType[type];
    // The name of a bucket is unique over all accounts and regions.
    const place = service === 's3' ? ':' : `${region}:${account}`;
    return `arn:aws:${service}:${place}:${before}${nameOf(id)}${attribute === 'StreamArn' ? '/stream/2026' : after}`;
  };
  // biome-ignore lint/suspicious/noExplicitAny: the arguments of CloudFormation’s functions have no type.
  const intrinsics: Readonly<Record<string, (argument: any) => unknown>> = {
    Ref: (id) =>
      pseudo[String(id)] ??
      parameters[Parameters[String(id)]?.Default] ??
      (referredByArn.includes(Resources[id]?.Type) ? arnOf(id) : id),
    'Fn::GetAtt': ([id, attribute]) => arnOf(id, attribute),
    'Fn::Join': ([separator, parts]) => parts.map(literal).join(separator),
    'Fn::Split': ([separator, text]) => String(literal(text)).split(separator),
    'Fn::Select': ([index, list]) => Object(literal(list))[index],
  };
  const literal = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(literal);
    if (typeof value !== 'object' || value === null) return value;
    const [[name = '', argument] = []] = Object.entries(value);
    return (
      intrinsics[name]?.(argument) ??
      Object.fromEntries(Object.entries(value).map(([inner, each]) => [inner, literal(each)]))
    );
  };

  return literal(part);
};
