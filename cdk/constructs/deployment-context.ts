import { Duration, RemovalPolicy, Stack, Token, Validations } from 'aws-cdk-lib';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { LogGroup, type RetentionDays } from 'aws-cdk-lib/aws-logs';
import { BlockPublicAccess, Bucket, BucketEncryption, ObjectOwnership } from 'aws-cdk-lib/aws-s3';
import { type DeadLetterQueue, Queue, QueueEncryption, type QueueProps } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';

export interface DeploymentContext {
  /** Separates the metrics of this deployment from others in the same AWS account. */
  readonly deployment: string;
  /** Encrypts all stored data. If undefined, AWS's own keys do. */
  readonly encryptionKey: IKey | undefined;
  /** Whether resources with data are protected from deletion and outlive the stack. */
  readonly isProtected: boolean;
  readonly logRetention: RetentionDays;
  readonly isTraced: boolean;
}

/**
 * What happens to a resource with data when it is removed from the stack. A protected one outlives the stack, unless its first
 * deployment failed: it is empty then, and its owner would have to delete it.
 */
export const dataRemovalPolicy = ({ isProtected }: DeploymentContext): RemovalPolicy =>
  isProtected ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY;

/** Leaves room for CloudWatch's limits on a dimension's value and on a query's name, which also has the title. */
const maxLength = 200;

const hyphenated = (path: string): string => path.replaceAll('/', '-');

/** Characters that the name of a log group must not have, such as the blank of a construct's id. */
const notInNames = /[^\w.#-]+/g;

/** The stack's `stackName` property, or undefined if CDK derived the name from the path in the app. */
export const givenName = ({ stackName, node }: Stack): string | undefined =>
  Token.isUnresolved(stackName) || stackName === hyphenated(node.path) ? undefined : stackName;

/** The name of a deployment, unique in its AWS account: the stack's name and the construct's path in the stack. */
export const deploymentName = (construct: Construct): string => {
  const stack = Stack.of(construct);
  const pathInStack = construct.node.path.slice(stack.node.path.length);
  const path = `${givenName(stack) ?? hyphenated(stack.node.path)}${hyphenated(pathInStack)}`;
  const deployment = path.replaceAll(notInNames, '-');
  if (deployment.length > maxLength)
    throw new Error(
      `Callfeed at ${construct.node.path}: the stack’s name and the path may have at most ${maxLength} characters together`,
    );

  return deployment;
};

/** A log group with the deployment's retention. It is deleted with the stack. */
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

export interface PrivateQueueProps {
  readonly deploymentContext: DeploymentContext;
  readonly deadLetterQueue?: DeadLetterQueue;
  readonly visibilityTimeout?: Duration;
  readonly fifo?: true;
}

const queueEncryption = ({ encryptionKey }: DeploymentContext) =>
  encryptionKey
    ? { encryption: QueueEncryption.KMS, encryptionMasterKey: encryptionKey }
    : { encryption: QueueEncryption.SQS_MANAGED };

/** An encrypted queue for data. It retains messages for 14 days, the longest that SQS allows. */
export const privateQueue = (scope: Construct, id: string, { deploymentContext, ...props }: PrivateQueueProps): Queue =>
  new Queue(scope, id, {
    ...props,
    ...queueEncryption(deploymentContext),
    enforceSSL: true,
    retentionPeriod: Duration.days(14),
    maxMessageSizeBytes: 1024 * 1024,
    removalPolicy: dataRemovalPolicy(deploymentContext),
  });

export interface TransientQueueProps extends Required<Pick<QueueProps, 'retentionPeriod' | 'visibilityTimeout'>> {
  readonly deploymentContext: DeploymentContext;
  /** Why nothing is lost with a message, in a sentence. */
  readonly whyNoDeadLetters: string;
}

/** An encrypted queue of messages that hold no data and are soon worthless: it has no dead letters and goes with the stack. */
export const transientQueue = (
  scope: Construct,
  id: string,
  { deploymentContext, whyNoDeadLetters, ...props }: TransientQueueProps,
): Queue => {
  const queue = new Queue(scope, id, {
    ...props,
    ...queueEncryption(deploymentContext),
    enforceSSL: true,
    removalPolicy: RemovalPolicy.DESTROY,
  });
  Validations.of(queue).acknowledge({ id: 'AwsSolutions-SQS3', reason: whyNoDeadLetters });

  return queue;
};

export interface PrivateBucketProps {
  readonly deploymentContext: DeploymentContext;
  /** For how many days objects are kept: all, or those below a prefix. */
  readonly retention: readonly { readonly days: number; readonly prefix?: string }[];
  /** Why nobody logs who reads it, in a sentence. */
  readonly whyNoAccessLogs: string;
}

/** An encrypted bucket for data, over TLS only. Its objects have no versions, so what is deleted is gone. */
export const privateBucket = (
  scope: Construct,
  id: string,
  { deploymentContext, retention, whyNoAccessLogs }: PrivateBucketProps,
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
