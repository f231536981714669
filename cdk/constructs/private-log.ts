import { RemovalPolicy } from 'aws-cdk-lib';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { Standards } from './standards.ts';

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
