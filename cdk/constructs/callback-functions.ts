import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { receiveCallbackEnv, recoverCallbacksEnv, VariablesOf } from '../../functions/adapters/env.ts';
import type { Settings } from '../settings/settings.ts';
import { callbackSecretEnvironment } from './accounts-secret.ts';
import type { DeploymentContext } from './deployment-context.ts';
import { queueWithDeadLetters, ServiceFunction, serveQueue } from './service-function.ts';

/** The tables that store calls and quarantined callbacks, and how long they retain rows. */
interface CallStore {
  readonly calls: TableV2;
  readonly quarantine: TableV2;
  readonly settings: Pick<Settings, 'callRetentionDays' | 'quarantineRetentionDays'>;
}

/** The environment of a function that stores calls. */
const storeEnvironment = ({ calls, quarantine, settings }: CallStore) =>
  ({
    CALLS_TABLE: calls.tableName,
    QUARANTINE_TABLE: quarantine.tableName,
    CALL_RETENTION_DAYS: String(settings.callRetentionDays),
    QUARANTINE_RETENTION_DAYS: String(settings.quarantineRetentionDays),
  }) satisfies VariablesOf<typeof recoverCallbacksEnv>;

/** Grants what storing needs. No read is needed: a failed conditional write returns the existing row. */
const allowStoring = (writer: ServiceFunction, { calls, quarantine }: CallStore): void => {
  writer.allow(calls.tableArn, 'Stores calls and participants.', 'dynamodb:PutItem');
  writer.allow(
    calls.tableArn,
    'Removes the index entry of an agent that a later delivery removed from a call.',
    'dynamodb:DeleteItem',
  );
  writer.allow(quarantine.tableArn, 'Stores callbacks that could not be read.', 'dynamodb:PutItem');
};

/** The stores that the receiver writes to, and how it authenticates senders. */
interface ReceiveCallbackProps extends CallStore {
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
      } satisfies VariablesOf<typeof receiveCallbackEnv>,
    });

    allowStoring(this.service, props);
    this.service.allow(parking.queue.queueArn, 'Parks calls while a table is unavailable.', 'sqs:SendMessage');
    this.service.allow(accounts.secretArn, 'Reads the accounts that may post.', 'secretsmanager:GetSecretValue');
  }
}

/** The queue of parked callbacks, and the tables that they belong in. */
interface RecoverCallbacksProps extends CallStore {
  readonly deploymentContext: DeploymentContext;
  readonly parking: ParkingQueue;
}

/** Stores parked callbacks once the tables are available again. */
export class RecoverCallbacks extends Construct {
  readonly service: ServiceFunction;

  constructor(scope: Construct, id: string, props: RecoverCallbacksProps) {
    super(scope, id);

    this.service = new ServiceFunction(this, 'Service', {
      deploymentContext: props.deploymentContext,
      name: 'recover-callbacks',
      encryptedIn: ['dynamodb', 'sqs'],
      description: 'Stores the callbacks that were parked while a table was unavailable.',
      environment: storeEnvironment(props),
    });
    allowStoring(this.service, props);
    // A backlog of hours must not overload the table that has just recovered, nor take the receiver's concurrency.
    serveQueue(this.service, { queue: props.parking.queue, maxConcurrency: 10 });
  }
}

/**
 * One try every six minutes for a day, which is longer than any known outage of DynamoDB. With a usual count such as 5,
 * an outage of half an hour would send every parked callback to the dead letters. Somebody would then have to redrive
 * them.
 */
const maxReceiveCount = 240;

/** Holds callbacks while the tables are unavailable. They were acknowledged, so this queue holds data that must not be lost. */
export class ParkingQueue extends Construct {
  readonly queue: Queue;
  readonly deadLetters: Queue;

  constructor(scope: Construct, id: string, deploymentContext: DeploymentContext) {
    super(scope, id);

    const { queue, deadLetters } = queueWithDeadLetters(this, {
      deploymentContext,
      consumer: 'recover-callbacks',
      maxReceiveCount,
    });
    this.queue = queue;
    this.deadLetters = deadLetters;
  }
}
