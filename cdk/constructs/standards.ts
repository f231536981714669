import { Duration, RemovalPolicy, Stack, Token } from 'aws-cdk-lib';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { LogGroup, type RetentionDays } from 'aws-cdk-lib/aws-logs';
import { type DeadLetterQueue, Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';

/** What every resource of a deployment has in common. */
export interface Standards {
  /** Tells the metrics of one deployment from those of another in the same AWS account. */
  readonly deployment: string;
  /** Encrypts what is kept; none: the keys that AWS owns do. */
  readonly encryptionKey: IKey | undefined;
  /** Whether what holds data refuses to be deleted, and outlives the stack. */
  readonly isProtected: boolean;
  readonly logRetention: RetentionDays;
  readonly isTraced: boolean;
}

/** What becomes of a resource that holds data when the stack no longer has it. */
export const dataRemovalPolicy = ({ isProtected }: Standards): RemovalPolicy =>
  isProtected ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY;

/** What CloudWatch takes as a dimension and as the name of a query, with the query's own title. */
const maxLength = 200;

const hyphenated = (path: string): string => path.replaceAll('/', '-');

/** The name that was given to a stack, or undefined where CDK names it after its place in the app. */
export const givenName = ({ stackName, node }: Stack): string | undefined =>
  Token.isUnresolved(stackName) || stackName === hyphenated(node.path) ? undefined : stackName;

/**
 * What a deployment is called among others in its AWS account: by its stack, which may have a name of its own, and its place
 * in it.
 */
export const deploymentName = (construct: Construct): string => {
  const stack = Stack.of(construct);
  const placeInStack = construct.node.path.slice(stack.node.path.length);
  const deployment = `${givenName(stack) ?? hyphenated(stack.node.path)}${hyphenated(placeInStack)}`;
  if (deployment.length > maxLength)
    throw new Error(`Callfeed at ${construct.node.path}: stack and path may have ${maxLength} characters at most`);

  return deployment;
};

/** A log that is kept for as long as the deployment says, and goes with the stack. */
export const privateLog = (
  scope: Construct,
  id: string,
  { logRetention, encryptionKey }: Standards,
  logGroupName?: string,
): LogGroup =>
  new LogGroup(scope, id, {
    ...(logGroupName !== undefined && { logGroupName }),
    retention: logRetention,
    removalPolicy: RemovalPolicy.DESTROY,
    ...(encryptionKey && { encryptionKey }),
  });

/** What a queue of ours may choose. */
export interface PrivateQueueProps {
  readonly standards: Standards;
  readonly deadLetterQueue?: DeadLetterQueue;
  readonly visibilityTimeout?: Duration;
}

/** How a queue is encrypted: with the deployment's key or, without one, with SQS's own. */
export const queueEncryption = ({ encryptionKey }: Standards) =>
  encryptionKey
    ? { encryption: QueueEncryption.KMS, encryptionMasterKey: encryptionKey }
    : { encryption: QueueEncryption.SQS_MANAGED };

/** An encrypted queue for data: it keeps what it holds for as long as SQS can (14 days). */
export const privateQueue = (scope: Construct, id: string, { standards, ...props }: PrivateQueueProps): Queue =>
  new Queue(scope, id, {
    ...props,
    ...queueEncryption(standards),
    enforceSSL: true,
    retentionPeriod: Duration.days(14),
    maxMessageSizeBytes: 1024 * 1024,
    removalPolicy: dataRemovalPolicy(standards),
  });
