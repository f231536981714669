import { CfnElement, Duration, Stack, Validations } from 'aws-cdk-lib';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { Architecture, LoggingFormat, RecursiveLoop, Runtime, Tracing } from 'aws-cdk-lib/aws-lambda';
import { NodejsFunction } from 'aws-cdk-lib/aws-lambda-nodejs';
import type { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Bucket } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import { settingsReadBy, variableName } from '../../functions/adapters/env.ts';
import { type FunctionName, isRecursive, memoryMegabytes, timeoutSeconds } from '../../functions/limits.ts';
import type { Core } from './deployment-context.ts';
import { functionCode } from './function-code.ts';
import { privateLog } from './storage.ts';

export const timeoutOf = (name: FunctionName): Duration => Duration.seconds(timeoutSeconds[name]);

interface ServiceFunctionProps {
  readonly core: Pick<Core, 'deploymentContext' | 'settings'>;
  readonly name: FunctionName;
  readonly description: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Concurrent runs that are reserved for it and that it may not exceed. By default it shares the account's. */
  readonly reservedConcurrentExecutions?: number;
  /** The services through which it reads or writes encrypted data, by their names in endpoints. */
  readonly encryptedIn: readonly ('dynamodb' | 's3' | 'secretsmanager' | 'sqs')[];
}

/** A function with its own log and a role that may write to it. Every other permission is granted with `allow`. */
export class ServiceFunction extends Construct {
  readonly function: NodejsFunction;
  readonly log: LogGroup;
  readonly #role: Role;

  constructor(scope: Construct, id: string, { core, name, environment, encryptedIn, ...props }: ServiceFunctionProps) {
    super(scope, id);

    const { deploymentContext, settings } = core;
    const { deployment, encryptionKey, isTraced } = deploymentContext;
    const ofSettings = settingsReadBy(name).map((setting) => [variableName(setting), String(settings[setting])]);
    this.log = privateLog(this, 'Logs', deploymentContext);
    // Lambda's managed policy would grant every log group of the account.
    this.#role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
    this.function = new NodejsFunction(this, 'Function', {
      ...props,
      role: this.#role,
      logGroup: this.log,
      loggingFormat: LoggingFormat.JSON,
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      memorySize: memoryMegabytes[name],
      timeout: timeoutOf(name),
      tracing: isTraced ? Tracing.ACTIVE : Tracing.DISABLED,
      ...(isRecursive(name) && { recursiveLoop: RecursiveLoop.ALLOW }),
      environment: { ...environment, ...Object.fromEntries(ofSettings), DEPLOYMENT: deployment },
      ...(encryptionKey && { environmentEncryption: encryptionKey }),
      handler: 'index.handler',
      ...functionCode(name),
    });

    this.allow(this.log.logGroupArn, 'Writes its log.', 'logs:CreateLogStream', 'logs:PutLogEvents');
    // CDK grants these with tracing. Granting them again records the reason.
    if (isTraced)
      this.allowEverywhere('Sends traces of its runs to X-Ray.', 'xray:PutTraceSegments', 'xray:PutTelemetryRecords');
    const keyActions = ['kms:Decrypt', 'kms:DescribeKey', 'kms:Encrypt', 'kms:GenerateDataKey'];
    if (encryptionKey) grant(this.#role, keyPermission(encryptionKey, keyActions, ['lambda', ...encryptedIn]));
  }

  /** Grants exactly these actions on exactly this resource (an ARN), with the reason. */
  allow(resource: string, why: string, ...actions: readonly string[]): void {
    grant(this.#role, { actions, resource, why });
  }

  allowIf(
    conditions: RolePermission['conditions'] & object,
    resource: string,
    why: string,
    ...actions: readonly string[]
  ) {
    grant(this.#role, { actions, resource, why, conditions });
  }

  allowEverywhere(why: string, ...actions: readonly string[]): void {
    this.allow('*', why, ...actions);
    Validations.of(this.#role).acknowledge({
      id: 'AwsSolutions-IAM5[Resource::*]',
      reason: `${why} AWS grants that on all resources or on none.`,
    });
  }
}

/**
 * A role that a service may assume for resources of this account only. CDK's own would be shared by every such target in the
 * stack. CDK's constructs get it as `role`, which ignores the wider permissions that they would add; `granted` is the role itself.
 */
export const serviceRole = (scope: Construct, id: string, service: string, permissions: readonly RolePermission[]) => {
  const conditions = { StringEquals: { 'aws:SourceAccount': Stack.of(scope).account } };
  const granted = new Role(scope, id, { assumedBy: new ServicePrincipal(service, { conditions }) });
  for (const permission of permissions) grant(granted, permission);
  return { granted, role: granted.withoutPolicyUpdates({ addGrantsToResources: false }) };
};

/** Lets a function use the objects of a bucket. It may list them too, as S3 otherwise answers for an absent object as for a forbidden one. */
export const allowBucket = (
  user: ServiceFunction,
  bucket: Bucket,
  ...permissions: readonly (readonly [why: string, ...actions: string[]])[]
): void => {
  user.allow(bucket.bucketArn, 'Tells an object that is absent from one that is forbidden.', 's3:ListBucket');
  for (const [why, ...actions] of permissions) user.allow(bucket.arnForObjects('*'), why, ...actions);
  acknowledgeObjects(user, bucket, 'The names of the objects are not known before, and the bucket holds nothing else.');
};

/** Records why somebody may use every object of a bucket, or every one below a prefix. */
export const acknowledgeObjects = (user: Construct, { node, stack }: Bucket, reason: string, prefix = ''): void => {
  const logicalId = CfnElement.isCfnElement(node.defaultChild) ? stack.getLogicalId(node.defaultChild) : '';
  Validations.of(user).acknowledge({ id: `AwsSolutions-IAM5[Resource::<${logicalId}.Arn>/${prefix}*]`, reason });
};

export interface RolePermission {
  readonly actions: readonly string[];
  readonly resource: string;
  readonly conditions?: Readonly<Record<string, unknown>>;
  readonly why: string;
}

const metadataKey = 'callfeed:permission';

/** Grants a permission, and records why, so that `npm run permissions` can list it with its reason. */
const grant = (role: Role, permission: RolePermission): void => {
  const { actions, resource, why } = permission;
  role.addToPolicy(statementOf(permission));
  role.node.addMetadata(metadataKey, { actions, resource, why });
};

export const statementOf = ({ actions, resource, conditions }: RolePermission): PolicyStatement =>
  new PolicyStatement({ actions: [...actions], resources: [resource], ...(conditions && { conditions }) });

export const explainedPermissions = ({ node }: Role): readonly RolePermission[] =>
  node.metadata.filter(({ type }) => type === metadataKey).map(({ data }) => data);

/** Permission to use a key through these services only: the role cannot decrypt anything by itself. */
export const keyPermission = (key: IKey, actions: readonly string[], services: readonly string[]): RolePermission => ({
  actions,
  resource: key.keyArn,
  conditions: {
    StringEquals: { 'kms:ViaService': services.map((service) => `${service}.${Stack.of(key).region}.amazonaws.com`) },
  },
  why: `Uses the deployment’s key, through ${services.join(', ')} only.`,
});
