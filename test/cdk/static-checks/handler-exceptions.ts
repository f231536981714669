import { outside } from './deployed-arns.ts';

/**
 * Permissions that a type's handlers list for what this stack does not have. Of the properties at the end, which would
 * need them, no resource of the type has one: a test checks that.
 */
export const leftOut: readonly (readonly [type: string, actions: RegExp, why: string, ...unless: readonly string[]])[] =
  [
    [
      'AWS::DynamoDB::GlobalTable',
      /^application-autoscaling:(Delete|Deregister|Put|Register)/,
      'Tables are billed per request, so nothing scales them.',
      'WriteProvisionedThroughputSettings',
    ],
    [
      'AWS::DynamoDB::GlobalTable',
      /^(iam:CreateServiceLinkedRole|dynamodb:DisassociateTableReplica)$/,
      'For replicas in other regions and for scaling; the tables have neither.',
    ],
    [
      'AWS::DynamoDB::GlobalTable',
      /^dynamodb:Describe(Backup|Endpoints|Export|GlobalTable|Import|Limits|ReservedCapacity)/,
      'Describe* covers them, but they do not describe a table.',
    ],
    ['AWS::DynamoDB::GlobalTable', /^kinesis:/, 'No table feeds Kinesis.', 'KinesisStreamSpecification'],
    ['AWS::DynamoDB::GlobalTable', /^kms:ListAliases$/, 'The key is given by its ARN.'],
    [
      'AWS::Lambda::Function',
      /^(ec2|elasticfilesystem|s3files):/,
      'The functions are in no VPC.',
      'VpcConfig',
      'FileSystemConfigs',
    ],
    ['AWS::Lambda::Function', /^lambda:GetLayerVersion$/, 'The functions have no layers.', 'Layers'],
    ['AWS::Lambda::Function', /^lambda:GetCodeSigningConfig$/, 'No code is signed.', 'CodeSigningConfigArn'],
    ['AWS::Lambda::Function', /^lambda:PassCapacityProvider$/, 'AWS runs them.', 'CapacityProviderConfig'],
    ['AWS::Lambda::Function', /^lambda:AssociateRuntimeAlias$/, 'IAM knows no such action.'],
    ['AWS::S3::Bucket', /^iam:PassRole$/, 'No bucket is replicated.', 'ReplicationConfiguration'],
    [
      'AWS::S3::Bucket',
      /^s3tables:/,
      'No bucket keeps tables of its metadata.',
      'MetadataConfiguration',
      'MetadataTableConfiguration',
    ],
    [
      'AWS::S3::Bucket',
      /^s3:(DeleteBucket(Analytics|Metrics)Configuration|DeleteBucket(Cors|Encryption|Lifecycle|Replication))$/,
      'Names of requests. IAM knows no such actions; those that it checks are listed beside them.',
    ],
    ['AWS::S3::Bucket', /^s3:(PutBucketReplication|PutObjectLockConfiguration)$/, 'Likewise.'],
    [
      'AWS::Logs::LogGroup',
      /^(firehose:TagDeliveryStream|s3:REST\.PUT\.OBJECT)$/,
      'For reports about personal data in logs, which go to Firehose or S3.',
      'DataProtectionPolicy',
    ],
    ['AWS::Logs::LogGroup', /^logs:(Delete|Put)IndexPolicy$/, 'No field of the logs is indexed.', 'FieldIndexPolicies'],
    ['AWS::Logs::LogGroup', /^logs:DeleteResourcePolicy$/, 'No log group has a policy.', 'ResourcePolicyDocument'],
    [
      'AWS::ApiGatewayV2::Stage',
      /:(Tag|Untag)Resource$/,
      'IAM knows no such actions: tags are PUT and DELETE on /tags.',
    ],
    ['AWS::ApiGatewayV2::Integration', /^iam:PassRole$/, 'The API may invoke the function.', 'CredentialsArn'],
    ['AWS::SNS::Topic', /^iam:PassRole$/, 'The topic does not log its deliveries.', 'DeliveryStatusLogging'],
    ['AWS::SNS::Subscription', /^iam:PassRole$/, 'Alarms go to mail.', 'SubscriptionRoleArn'],
    ['AWS::IAM::Policy', /^iam:\w+(Group|User)Policy$/, 'Policies belong to roles only.', 'Groups', 'Users'],
    [
      'AWS::IAM::Role',
      /:(Attach|Detach)RolePolicy$/,
      'Who may attach others can grant everything.',
      'ManagedPolicyArns',
    ],
    ['AWS::Events::EventBus', /^kms:ReEncrypt$/, 'IAM knows no such action: it has ReEncryptFrom and ReEncryptTo.'],
    ['AWS::IAM::Role', /DeleteRolePermissionsBoundary$/, 'A boundary binds who may not remove it.'],
    ['AWS::Glue::Database', /^glue:\w+Connection$/, 'No database is another’s.', 'FederatedDatabase'],
    [
      'AWS::Glue::Table',
      /^(glue:PassConnection|iam:PassRole|s3:PutObject)$/,
      'No table is Iceberg’s.',
      'OpenTableFormatInput',
    ],
    ['AWS::Glue::Table', /^glue:GetSchemaVersion$/, 'The columns are in the template.', 'SchemaReference'],
    [
      'AWS::Glue::Table',
      /^lakeformation:(GetDataAccess|CreateTable)$/,
      'For locations that Lake Formation governs, and a name that IAM does not know.',
    ],
    [
      'AWS::Athena::WorkGroup',
      /^iam:(PassRole|CreateServiceLinkedRole)$/,
      'For notebooks and the users of an identity centre.',
      'ExecutionRole',
      'WorkingConfiguration',
    ],
    [
      'AWS::Athena::WorkGroup',
      /^s3:(AbortMultipartUpload|ListMultipartUploadParts|PutObject)$/,
      'Answers are written to the stack’s own bucket, with which the policy allows everything.',
    ],
    ['AWS::SecretsManager::Secret', /:GetRandomPassword$/, 'The secret’s text is given.', 'GenerateSecretString'],
  ];

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
