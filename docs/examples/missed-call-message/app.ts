import { App, Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { AttributeType, BillingMode, Table } from 'aws-cdk-lib/aws-dynamodb';
import { SqsQueue } from 'aws-cdk-lib/aws-events-targets';
import { Architecture, Runtime } from 'aws-cdk-lib/aws-lambda';
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import { NodejsFunction, OutputFormat } from 'aws-cdk-lib/aws-lambda-nodejs';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { CallfeedEvents, missedCalls } from 'callfeed/cdk';
import type { Construct } from 'constructs';

interface MissedCallMessageProps {
  /** The stage of Callfeed, in the same account and region. */
  readonly stage: string;
}

/** Sends a chat message for each missed call: rules on Callfeed's bus, a queue, a function and a table of notes. */
class MissedCallMessageStack extends Stack {
  constructor(scope: Construct, id: string, { stage }: MissedCallMessageProps) {
    super(scope, id);

    // Powertools fixes the names of both attributes.
    const notes = new Table(this, 'Notes', {
      partitionKey: { name: 'id', type: AttributeType.STRING },
      timeToLiveAttribute: 'expiration',
      billingMode: BillingMode.PAY_PER_REQUEST,
      removalPolicy: RemovalPolicy.DESTROY,
    });

    const timeout = Duration.seconds(30);
    const deadLetters = new Queue(this, 'DeadLetters', { enforceSSL: true, retentionPeriod: Duration.days(14) });
    const queue = new Queue(this, 'Missed', {
      enforceSSL: true,
      // AWS advises six times the function's timeout. So a lease has ended when its message comes again.
      visibilityTimeout: Duration.seconds(6 * timeout.toSeconds()),
      deadLetterQueue: { queue: deadLetters, maxReceiveCount: 5 },
    });

    const target = new SqsQueue(queue, { deadLetterQueue: deadLetters });
    const callfeed = CallfeedEvents.fromStage(this, 'Callfeed', { stage });
    callfeed.onCallRecorded(target, { where: { call: missedCalls } });
    // A call's first event may lack its status or its type.
    callfeed.onCallRevised(target, { where: { changedFields: ['status', 'type'], call: missedCalls } });

    // Made by hand, so that no template and no build has the address.
    const webhook = Secret.fromSecretNameV2(this, 'Webhook', 'missed-call-message/webhook');
    const sendMessages = new NodejsFunction(this, 'SendMessages', {
      entry: 'handler.ts',
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      bundling: { format: OutputFormat.ESM, mainFields: ['module', 'main'], minify: true },
      timeout,
      environment: { NOTES_TABLE: notes.tableName, WEBHOOK_SECRET: webhook.secretName },
    });
    // A chat accepts about one message a second. The function waits for each of a batch for up to eight seconds.
    const batches = { batchSize: 3, reportBatchItemFailures: true, maxConcurrency: 2 };
    sendMessages.addEventSource(new SqsEventSource(queue, batches));
    notes.grant(sendMessages, 'dynamodb:PutItem', 'dynamodb:UpdateItem', 'dynamodb:DeleteItem');
    webhook.grantRead(sendMessages);
  }
}

const app = new App();
const stage: unknown = app.node.tryGetContext('stage');
if (typeof stage !== 'string') throw new Error('Name the deployment of Callfeed: -c stage=prod');

new MissedCallMessageStack(app, 'missed-call-message', { stage });
