import { outside } from './deployed-arns.ts';

/** Permissions that handlers list for what this stack does not have. */
interface LeftOut {
  readonly types: readonly string[];
  readonly actions: RegExp;
  /** The properties that would need them. A test checks that no resource of the types has one. */
  readonly unless?: readonly string[];
  readonly why: string;
}

const tables = ['AWS::DynamoDB::GlobalTable'];
const functions = ['AWS::Lambda::Function'];
const buckets = ['AWS::S3::Bucket'];
const logGroups = ['AWS::Logs::LogGroup'];
const roles = ['AWS::IAM::Role'];

export const leftOut: readonly LeftOut[] = [
  {
    types: tables,
    actions: /^application-autoscaling:(Delete|Deregister|Put|Register)/,
    unless: ['WriteProvisionedThroughputSettings'],
    why: 'Tables are billed per request, so nothing scales them.',
  },
  { types: tables, actions: /^kinesis:/, unless: ['KinesisStreamSpecification'], why: 'No table feeds Kinesis.' },
  {
    types: tables,
    actions: /^(iam:CreateServiceLinkedRole|dynamodb:DisassociateTableReplica)$/,
    why: 'For replicas in other regions and for scaling; the tables have neither.',
  },
  { types: tables, actions: /^kms:ListAliases$/, why: 'The key is given by its ARN.' },
  {
    types: tables,
    actions: /^dynamodb:Describe(Backup|Endpoints|Export|GlobalTable|Import|Limits|ReservedCapacity)/,
    why: 'Describe* covers them, but they do not describe a table.',
  },
  {
    types: functions,
    actions: /^(ec2|elasticfilesystem|s3files):/,
    unless: ['VpcConfig', 'FileSystemConfigs'],
    why: 'The functions are in no VPC.',
  },
  {
    types: functions,
    actions: /^lambda:(AssociateRuntimeAlias|GetCodeSigningConfig|GetLayerVersion|PassCapacityProvider)$/,
    unless: ['CapacityProviderConfig', 'CodeSigningConfigArn', 'Layers'],
    why: 'The functions have no layers, no code signing and no capacity provider, and take the runtime that is current.',
  },
  { types: buckets, actions: /^iam:PassRole$/, unless: ['ReplicationConfiguration'], why: 'No bucket is replicated.' },
  {
    types: buckets,
    actions: /^s3tables:/,
    unless: ['MetadataConfiguration', 'MetadataTableConfiguration'],
    why: 'No bucket keeps tables of its metadata.',
  },
  {
    types: buckets,
    actions:
      /^s3:(DeleteBucket(AnalyticsConfiguration|Cors|Encryption|Lifecycle|MetricsConfiguration|Replication)|PutBucketReplication|PutObjectLockConfiguration)$/,
    why: 'Names of requests. IAM knows no such actions; those that it checks for them are listed beside them.',
  },
  {
    types: logGroups,
    actions: /^(firehose:TagDeliveryStream|s3:REST\.PUT\.OBJECT)$/,
    unless: ['DataProtectionPolicy'],
    why: 'For reports about personal data in logs, which go to Firehose or S3.',
  },
  {
    types: logGroups,
    actions: /^logs:(Delete|Put)IndexPolicy$/,
    unless: ['FieldIndexPolicies'],
    why: 'No field of the logs is indexed.',
  },
  {
    types: logGroups,
    actions: /^logs:DeleteResourcePolicy$/,
    unless: ['ResourcePolicyDocument'],
    why: 'No log group has a policy of its own.',
  },
  {
    types: ['AWS::ApiGatewayV2::Stage'],
    actions: /^apigateway:(Tag|Untag)Resource$/,
    why: 'IAM knows no such actions: tags are PUT and DELETE on /tags.',
  },
  {
    types: ['AWS::ApiGatewayV2::Integration', 'AWS::SNS::Subscription', 'AWS::SNS::Topic'],
    actions: /^iam:PassRole$/,
    unless: ['CredentialsArn', 'DeliveryStatusLogging', 'SubscriptionRoleArn'],
    why: 'Neither the API nor the topic is given a role.',
  },
  {
    types: ['AWS::IAM::Policy'],
    actions: /^iam:\w+(Group|User)Policy$/,
    unless: ['Groups', 'Users'],
    why: 'Policies belong to roles only.',
  },
  {
    types: roles,
    actions: /^iam:(Attach|Detach)RolePolicy$/,
    unless: ['ManagedPolicyArns'],
    why: 'Roles have policies of their own only. Who may attach others can grant everything.',
  },
  {
    types: roles,
    actions: /^iam:\w+RolePermissionsBoundary$/,
    unless: ['PermissionsBoundary'],
    why: 'Who may remove a boundary is not bound by it.',
  },
  {
    types: ['AWS::SecretsManager::Secret'],
    actions: /^secretsmanager:GetRandomPassword$/,
    unless: ['GenerateSecretString'],
    why: 'The secret’s text is given.',
  },
];

/** The service that gets the roles of a type. */
export const passedTo: Readonly<Record<string, string>> = {
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
