import { join } from 'node:path';
import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Architecture, LoggingFormat, Runtime } from 'aws-cdk-lib/aws-lambda';
import { NodejsFunction } from 'aws-cdk-lib/aws-lambda-nodejs';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { type FunctionName, timeoutSeconds } from '../../functions/timeouts.ts';
import { bundling, projectRoot } from './bundling.ts';

/** How long a function may run. */
export const timeoutOf = (name: FunctionName): Duration => Duration.seconds(timeoutSeconds[name]);

/** One of the folders under `functions`, and how it runs. */
export interface ServiceFunctionProps {
  readonly name: FunctionName;
  readonly description: string;
  readonly environment: Readonly<Record<string, string>>;
}

/** A function with a log of its own and a role that may write to it; every other right is asked for with `allow`. */
export class ServiceFunction extends Construct {
  readonly function: NodejsFunction;

  constructor(scope: Construct, id: string, { name, ...props }: ServiceFunctionProps) {
    super(scope, id);

    const logGroup = new LogGroup(this, 'Logs', {
      retention: RetentionDays.ONE_MONTH,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    // Lambda's managed policy would open every log group of the account.
    const role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
    logGroup.grantWrite(role);

    this.function = new NodejsFunction(this, 'Function', {
      ...props,
      role,
      logGroup,
      loggingFormat: LoggingFormat.JSON,
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      memorySize: 512,
      timeout: timeoutOf(name),
      entry: join(projectRoot, 'functions', name, 'index.ts'),
      projectRoot,
      depsLockFilePath: join(projectRoot, 'package-lock.json'),
      bundling,
    });
  }

  /** Lets the function do exactly these actions on exactly this resource, by its ARN. */
  allow(resourceArn: string, ...actions: readonly string[]): void {
    this.function.addToRolePolicy(new PolicyStatement({ actions: [...actions], resources: [resourceArn] }));
  }
}
