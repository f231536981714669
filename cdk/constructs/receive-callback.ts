import type { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import type * as z from 'zod/mini';
import type { ReceiveCallbackEnv } from '../../functions/receive-callback/env.ts';
import type { Settings } from '../settings/settings.ts';
import { callbackSecretEnvironment } from './accounts-secret.ts';
import { allowStoring, type CallStore, storeEnvironment } from './call-store.ts';
import type { DeploymentContext } from './deployment-context.ts';
import type { ParkingQueue } from './parking-queue.ts';
import { ServiceFunction } from './service-function.ts';

/** The stores that the receiver writes to, and how it authenticates senders. */
export interface ReceiveCallbackProps extends CallStore {
  readonly deploymentContext: DeploymentContext;
  readonly settings: CallStore['settings'] &
    Pick<Settings, 'callbackSecret' | 'formerCallbackSecret' | 'receiverConcurrency'>;
  readonly accounts: Secret;
  readonly parking: ParkingQueue;
}

/** Receives callbacks: one durable write each, to the table or, while that is unavailable, to the parking queue. */
export class ReceiveCallback extends Construct {
  readonly service: ServiceFunction;

  constructor(scope: Construct, id: string, props: ReceiveCallbackProps) {
    super(scope, id);

    const { deploymentContext, accounts, parking, settings } = props;
    this.service = new ServiceFunction(this, 'Service', {
      deploymentContext,
      name: 'receive-callback',
      encryptedIn: ['dynamodb', 'secretsmanager', 'sqs'],
      description: 'Stores the call summaries that the telephony service posts.',
      ...(settings.receiverConcurrency !== undefined && {
        reservedConcurrentExecutions: settings.receiverConcurrency,
      }),
      environment: {
        ...storeEnvironment(props),
        PARKING_QUEUE_URL: parking.queue.queueUrl,
        ACCOUNTS_SECRET_ARN: accounts.secretArn,
        ...callbackSecretEnvironment(settings),
      } satisfies z.input<typeof ReceiveCallbackEnv>,
    });

    allowStoring(this.service, props);
    this.service.allow(parking.queue.queueArn, 'Parks calls while a table is unavailable.', 'sqs:SendMessage');
    this.service.allow(accounts.secretArn, 'Reads the accounts that may post.', 'secretsmanager:GetSecretValue');
  }
}
