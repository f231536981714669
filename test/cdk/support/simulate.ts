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
        ...{ principal, action, contextVariables: { ...context } },
        // An object’s ARN has no account: those here are of the reader’s.
        resource: { resource, accountId: resource.split(':')[4] || principal.split(':')[4] || '' },
      },
      identityPolicies: identityPolicy === undefined ? [] : [{ name: 'policy', policy: identityPolicy }],
      ...{ serviceControlPolicies: [], resourceControlPolicies: [], resourcePolicy },
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
}

const arnsByType = {
  'AWS::DynamoDB::GlobalTable': 'dynamodb table/',
  'AWS::Events::EventBus': 'events event-bus/',
  'AWS::Events::Rule': 'events rule/',
  'AWS::KMS::Key': 'kms key/',
  'AWS::KinesisFirehose::DeliveryStream': 'firehose deliverystream/',
  'AWS::Lambda::Function': 'lambda function:',
  'AWS::Logs::LogGroup': 'logs log-group:',
  'AWS::S3::Bucket': 's3 ',
  'AWS::SQS::Queue': 'sqs ',
};

/** Part of a template as CloudFormation would deploy it. The ARN of a resource ends with its logical id. */
export const deployed = (template: Template, environment: Environment, part: unknown): unknown => {
  const { Resources, Parameters = {} } = template.toJSON();
  const { account, region, parameters = {} } = environment;
  const pseudo: Properties = { 'AWS::AccountId': account, 'AWS::Region': region, 'AWS::Partition': 'aws' };
  // biome-ignore lint/suspicious/noExplicitAny: the arguments of CloudFormation’s functions have no type.
  const intrinsics: Readonly<Record<string, (argument: any) => unknown>> = {
    Ref: (id) => pseudo[String(id)] ?? parameters[Parameters[String(id)]?.Default] ?? id,
    'Fn::GetAtt': ([id]) => {
      const type: keyof typeof arnsByType = Resources[id].Type;
      const [service, resource] = arnsByType[type].split(' ');
      // Names of buckets are those of all accounts and regions.
      const place = service === 's3' ? ':' : `${region}:${account}`;
      return `arn:aws:${service}:${place}:${resource}${id}`;
    },
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
