import { App, Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { AttributeType, BillingMode, Table } from 'aws-cdk-lib/aws-dynamodb';
import { SqsQueue } from 'aws-cdk-lib/aws-events-targets';
import { Architecture, Runtime } from 'aws-cdk-lib/aws-lambda';
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import { NodejsFunction, OutputFormat } from 'aws-cdk-lib/aws-lambda-nodejs';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { CallfeedEvents, missedCalls } from 'callfeed/cdk';
import type { Construct } from 'constructs';

interface MissedCallsProps {
  /** The stage of Callfeed, in the same account and region. */
  readonly stage: string;
}

/** Makes a follow-up task of each missed call: rules on Callfeed's bus, a queue, a function and a table. */
class MissedCallsStack extends Stack {
  constructor(scope: Construct, id: string, { stage }: MissedCallsProps) {
    super(scope, id);

    const tasks = new Table(this, 'Tasks', {
      partitionKey: { name: 'call', type: AttributeType.STRING },
      timeToLiveAttribute: 'expiresAt',
      billingMode: BillingMode.PAY_PER_REQUEST,
      removalPolicy: RemovalPolicy.RETAIN,
    });

    const timeout = Duration.seconds(10);
    const deadLetters = new Queue(this, 'DeadLetters', { enforceSSL: true, retentionPeriod: Duration.days(14) });
    const queue = new Queue(this, 'Missed', {
      enforceSSL: true,
      // AWS advises six times the function's timeout, so that no message is in two runs at once.
      visibilityTimeout: Duration.seconds(6 * timeout.toSeconds()),
      deadLetterQueue: { queue: deadLetters, maxReceiveCount: 5 },
    });

    const target = new SqsQueue(queue, { deadLetterQueue: deadLetters });
    const callfeed = CallfeedEvents.fromStage(this, 'Callfeed', { stage });
    callfeed.onCallRecorded(target, { where: { call: missedCalls } });
    // A call's first event may lack its status or its type.
    callfeed.onCallRevised(target, { where: { changedFields: ['status', 'type'], call: missedCalls } });

    const makeTasks = new NodejsFunction(this, 'MakeTasks', {
      entry: 'handler.ts',
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      bundling: { format: OutputFormat.ESM, mainFields: ['module', 'main'], minify: true },
      timeout,
      environment: { TASKS_TABLE: tasks.tableName },
    });
    makeTasks.addEventSource(new SqsEventSource(queue, { reportBatchItemFailures: true }));
    tasks.grant(makeTasks, 'dynamodb:PutItem');
  }
}

const app = new App();
const stage: unknown = app.node.tryGetContext('stage');
if (typeof stage !== 'string') throw new Error('Name the deployment of Callfeed: -c stage=prod');

new MissedCallsStack(app, 'missed-calls', { stage });
