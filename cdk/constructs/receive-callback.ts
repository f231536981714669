import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import type { ReceiveCallbackEnv } from '../../functions/receive-callback/env.ts';
import type { Settings } from '../config.ts';
import { allowStoring, type CallStore, storeEnvironment } from './call-store.ts';
import type { ParkingQueue } from './parking-queue.ts';
import { ServiceFunction } from './service-function.ts';

/** What the receiver writes to, and by what it knows a sender. */
export interface ReceiveCallbackProps extends CallStore {
  readonly settings: CallStore['settings'] & Pick<Settings, 'callbackSecretSha256'>;
  readonly accounts: Secret;
  readonly parking: ParkingQueue;
}

/** Takes callbacks in: one durable write each, into the table or, while that is unavailable, the parking queue. */
export class ReceiveCallback extends Construct {
  readonly function: IFunction;

  constructor(scope: Construct, id: string, props: ReceiveCallbackProps) {
    super(scope, id);

    const { accounts, parking, settings } = props;
    const receiver = new ServiceFunction(this, 'Service', {
      name: 'receive-callback',
      description: 'Stores the call summaries that the contact-centre service posts.',
      environment: {
        ...storeEnvironment(props),
        PARKING_QUEUE_URL: parking.queue.queueUrl,
        ACCOUNTS_SECRET_ARN: accounts.secretArn,
        ...(settings.callbackSecretSha256 !== undefined && { CALLBACK_SECRET_SHA256: settings.callbackSecretSha256 }),
      } satisfies ReceiveCallbackEnv,
    });

    allowStoring(receiver, props);
    receiver.allow(parking.queue.queueArn, 'sqs:SendMessage');
    receiver.allow(accounts.secretArn, 'secretsmanager:GetSecretValue');

    this.function = receiver.function;
  }
}
