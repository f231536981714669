import { Duration, Names, Validations } from 'aws-cdk-lib';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Architecture, LoggingFormat, Runtime, Tracing } from 'aws-cdk-lib/aws-lambda';
import { NodejsFunction } from 'aws-cdk-lib/aws-lambda-nodejs';
import type { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { type FunctionName, timeoutSeconds } from '../../functions/timeouts.ts';
import { functionCode } from './function-code.ts';
import { explain, keyPermission, type Permission, statementOf } from './permission.ts';
import { privateLog, type Standards } from './standards.ts';

/** How long a function may run. */
export const timeoutOf = (name: FunctionName): Duration => Duration.seconds(timeoutSeconds[name]);

/** One of the folders under `functions`, and how it runs. */
export interface ServiceFunctionProps {
  readonly standards: Standards;
  readonly name: FunctionName;
  readonly description: string;
  readonly environment: Readonly<Record<string, string>>;
  /** The services through which it meets what is encrypted with the deployment's key, by their names in addresses. */
  readonly encryptedIn: readonly ('dynamodb' | 's3' | 'secretsmanager' | 'sqs')[];
}

/** A function with a log of its own and a role that may write to it; every other right is asked for with `allow`. */
export class ServiceFunction extends Construct {
  readonly function: NodejsFunction;
  readonly log: LogGroup;
  readonly #role: Role;

  constructor(
    scope: Construct,
    id: string,
    { standards, name, environment, encryptedIn, ...props }: ServiceFunctionProps,
  ) {
    super(scope, id);

    const { deployment, encryptionKey, isTraced } = standards;
    this.log = privateLog(this, 'Logs', standards);
    // Lambda's managed policy would open every log group of the account.
    this.#role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
    this.function = new NodejsFunction(this, 'Function', {
      ...props,
      role: this.#role,
      logGroup: this.log,
      loggingFormat: LoggingFormat.JSON,
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      memorySize: 512,
      timeout: timeoutOf(name),
      tracing: isTraced ? Tracing.ACTIVE : Tracing.DISABLED,
      environment: { ...environment, DEPLOYMENT: deployment },
      ...(encryptionKey && { environmentEncryption: encryptionKey }),
      handler: 'index.handler',
      ...functionCode(name),
    });

    this.allow(this.log.logGroupArn, 'Writes its log.', 'logs:CreateLogStream', 'logs:PutLogEvents');
    // CDK grants these with the tracing; named once more, they get their reason.
    if (isTraced) this.allowEverywhere('Tells X-Ray of its runs.', 'xray:PutTraceSegments', 'xray:PutTelemetryRecords');
    if (encryptionKey) this.#grant(keyPermission(encryptionKey, keyActions, ['lambda', ...encryptedIn]));
  }

  /** Lets the function do exactly these actions on exactly this resource, by its ARN, and says why. */
  allow(resource: string, why: string, ...actions: readonly string[]): void {
    this.#grant({ actions, resource, why });
  }

  /** The same for actions that AWS grants on no single resource. */
  allowEverywhere(why: string, ...actions: readonly string[]): void {
    this.allow('*', why, ...actions);
    Validations.of(this.#role).acknowledge({
      id: 'AwsSolutions-IAM5[Resource::*]',
      reason: `${why} AWS grants that on all resources or on none.`,
    });
  }
  #grant(right: Permission): void {
    this.function.addToRolePolicy(statementOf(right));
    explain(this.#role, right);
  }
}

/** What the services do for a function with a key of the customer's. */
const keyActions = ['kms:Decrypt', 'kms:DescribeKey', 'kms:Encrypt', 'kms:GenerateDataKey'] as const;

/** What is served, and by how many runs at once. */
export interface ServeQueueProps {
  readonly queue: Queue;
  readonly maxConcurrency: number;
}

/** Has a function serve a queue, ten messages at a time; those that fail come again, the others do not. */
export const serveQueue = (server: ServiceFunction, { queue, maxConcurrency }: ServeQueueProps): void => {
  server.allow(
    queue.queueArn,
    'Is handed the messages of the queue that it serves.',
    'sqs:ReceiveMessage',
    'sqs:DeleteMessage',
    'sqs:GetQueueAttributes',
  );

  // Never change the id: Lambda takes no second mapping of a queue, and CloudFormation would make it before the old one goes.
  server.function.addEventSourceMapping(`SqsEventSource:${Names.nodeUniqueId(queue.node)}`, {
    eventSourceArn: queue.queueArn,
    batchSize: 10,
    reportBatchItemFailures: true,
    maxConcurrency,
  });
};
