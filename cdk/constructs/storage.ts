import { CfnResource, Duration, RemovalPolicy, SecretValue, Stack, Validations } from 'aws-cdk-lib';
import { AttributeType, Billing, ProjectionType, StreamViewType, TableClass, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { AccountPrincipal, PolicyDocument, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { BlockPublicAccess, Bucket, BucketEncryption, ObjectOwnership } from 'aws-cdk-lib/aws-s3';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
import { accountsPlaceholder } from '../../lib/accounts/accounts.ts';
import type { Index, Key, Table } from '../../lib/storage/tables.ts';
import type { Settings } from '../settings/settings.ts';
import type { DeploymentContext } from './deployment-context.ts';

/** What readers may do with a table and its indexes. None of them reads a whole table. */
export const readActions = ['dynamodb:GetItem', 'dynamodb:BatchGetItem', 'dynamodb:Query'] as const;

export const dynamoTable = (
  scope: Construct,
  id: string,
  { encryptionKey, isProtected }: DeploymentContext,
  declaration: Table,
  { readerAccounts = [], tableClass }: { readerAccounts?: readonly string[]; tableClass?: TableClass } = {},
): TableV2 => {
  const table = new TableV2(scope, id, {
    ...keyOf(declaration.key),
    billing: Billing.onDemand(),
    globalSecondaryIndexes: declaration.indexes.map(indexFrom),
    timeToLiveAttribute: declaration.timeToLive,
    ...(declaration.published.length > 0 && { dynamoStream: StreamViewType.NEW_AND_OLD_IMAGES }),
    pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
    deletionProtection: isProtected,
    // Not `dataRemovalPolicy`: CloudFormation cannot delete a protected table after a failed first deployment either.
    removalPolicy: isProtected ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    // CloudFormation passes a stack's own tags to every resource that has tags, except to the replicas of a table.
    tags: Object.entries(Stack.of(scope).tags.tagValues()).map(([key, value]) => ({ key, value })),
    ...(tableClass !== undefined && { tableClass }),
    ...(readerAccounts.length > 0 && { resourcePolicy: readableBy(readerAccounts) }),
  });
  if (encryptionKey) encrypt(table, encryptionKey);

  return table;
};

/** Infrequent access costs less from here on without readers: storage -60 %, requests +25 % (docs/performance.md; tested). */
export const infrequentFromDays = 180;

/** The class of the Calls table. AWS lets a table change it twice in 30 days, in place. */
export const callsTableClass = ({ callRetentionDays }: Settings): TableClass =>
  callRetentionDays >= infrequentFromDays ? TableClass.STANDARD_INFREQUENT_ACCESS : TableClass.STANDARD;

/** In the policy of a table, `*` is that table and its indexes. CloudFormation chooses its name, so nothing else can name it. */
const readableBy = (accounts: readonly string[]): PolicyDocument => {
  const principals = accounts.map((account) => new AccountPrincipal(account));
  const read = { sid: 'ReaderAccounts', principals, actions: [...readActions], resources: ['*'] };
  return new PolicyDocument({ statements: [new PolicyStatement(read)] });
};

const type = AttributeType.STRING;

const keyOf = ({ partition, sort }: Key) => ({
  partitionKey: { name: partition, type },
  ...(sort !== undefined && { sortKey: { name: sort, type } }),
});

const indexFrom = ({ name, key, projection }: Index) => ({
  indexName: name,
  ...keyOf(key),
  projectionType: ProjectionType.INCLUDE,
  nonKeyAttributes: [...projection],
});

/** CDK's own `encryption` property fails for a stack whose region is unknown at synthesis, so the template is overridden. */
const encrypt = ({ node: { defaultChild } }: TableV2, { keyArn }: IKey): void => {
  if (!CfnResource.isCfnResource(defaultChild)) throw new Error('A table has no CloudFormation resource to encrypt');

  defaultChild.addPropertyOverride('SSESpecification', { SSEEnabled: true, SSEType: 'KMS' });
  defaultChild.addPropertyOverride('Replicas.0.SSESpecification', { KMSMasterKeyId: keyArn });
};

/** Data of a protected deployment outlives the stack. After a failed first deployment there is none, and the resource goes. */
export const dataRemovalPolicy = ({ isProtected }: DeploymentContext): RemovalPolicy =>
  isProtected ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY;

/** The secret with the list of accounts. Until somebody fills it in, callbacks get 503 and no account is polled. */
export const accountsSecret = (scope: Construct, id: string, deploymentContext: DeploymentContext): Secret => {
  const { encryptionKey } = deploymentContext;
  const secret = new Secret(scope, id, {
    description: 'Callfeed: JSON list of contact-centre accounts with their keys.',
    secretStringValue: SecretValue.unsafePlainText(accountsPlaceholder),
    removalPolicy: dataRemovalPolicy(deploymentContext),
    ...(encryptionKey && { encryptionKey }),
  });
  Validations.of(secret).acknowledge({
    id: 'AwsSolutions-SMG4',
    reason: 'The telephony service issues and rotates the keys. The secret accepts several live keys of an account.',
  });

  return secret;
};

interface PrivateBucketProps {
  readonly retention: readonly { readonly days: number; readonly prefix?: string }[];
  readonly whyNoAccessLogs: string;
}

/** An encrypted bucket for data, over TLS only. Its objects have no versions, so what is deleted is gone. */
export const privateBucket = (
  scope: Construct,
  id: string,
  deploymentContext: DeploymentContext,
  { retention, whyNoAccessLogs }: PrivateBucketProps,
): Bucket => {
  const { encryptionKey } = deploymentContext;
  const bucket = new Bucket(scope, id, {
    ...(encryptionKey
      ? { encryption: BucketEncryption.KMS, encryptionKey, bucketKeyEnabled: true }
      : { encryption: BucketEncryption.S3_MANAGED }),
    blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
    objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
    enforceSSL: true,
    lifecycleRules: retention.map(({ days, ...below }) => ({
      ...below,
      expiration: Duration.days(days),
      abortIncompleteMultipartUploadAfter: Duration.days(1),
    })),
    removalPolicy: dataRemovalPolicy(deploymentContext),
  });
  Validations.of(bucket).acknowledge({ id: 'AwsSolutions-S1', reason: whyNoAccessLogs });

  return bucket;
};

export const privateLog = (
  scope: Construct,
  id: string,
  { logRetention, encryptionKey }: DeploymentContext,
  logGroupName?: string,
): LogGroup =>
  new LogGroup(scope, id, {
    ...(logGroupName !== undefined && { logGroupName }),
    retention: logRetention,
    removalPolicy: RemovalPolicy.DESTROY,
    ...(encryptionKey && { encryptionKey }),
  });
