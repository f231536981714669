import { cpSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { App, Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { AttributeType, BillingMode, Table } from 'aws-cdk-lib/aws-dynamodb';
import { SqsQueue } from 'aws-cdk-lib/aws-events-targets';
import { Architecture, Code, Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda';
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { CallfeedEvents } from 'callfeed/cdk';
import type { Construct } from 'constructs';

interface PythonSubscriberProps {
  /** The stage of Callfeed, in the same account and region. */
  readonly stage: string;
  /** The disposition that asks for a follow-up. */
  readonly disposition: string;
}

/** The handler, and beside it the module of the package. Lambda brings boto3 along, so they are all of the code. */
const handlerCode = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'python-subscriber-'));
  const callfeed = dirname(fileURLToPath(import.meta.resolve('callfeed/package.json')));
  cpSync('handler.py', join(folder, 'handler.py'));
  cpSync(join(callfeed, 'python/callfeed'), join(folder, 'callfeed'), { recursive: true });
  return folder;
};

/** Makes a follow-up of each call with a disposition: rules on Callfeed's bus, a queue, a function in Python and a table. */
class PythonSubscriberStack extends Stack {
  constructor(scope: Construct, id: string, { stage, disposition }: PythonSubscriberProps) {
    super(scope, id);

    const followUps = new Table(this, 'FollowUps', {
      partitionKey: { name: 'call', type: AttributeType.STRING },
      timeToLiveAttribute: 'expiresAt',
      billingMode: BillingMode.PAY_PER_REQUEST,
      removalPolicy: RemovalPolicy.RETAIN,
    });

    const timeout = Duration.seconds(10);
    const deadLetters = new Queue(this, 'DeadLetters', { enforceSSL: true, retentionPeriod: Duration.days(14) });
    const queue = new Queue(this, 'Asked', {
      enforceSSL: true,
      // AWS advises six times the function's timeout, so that no message is in two runs at once.
      visibilityTimeout: Duration.seconds(6 * timeout.toSeconds()),
      deadLetterQueue: { queue: deadLetters, maxReceiveCount: 5 },
    });

    const target = new SqsQueue(queue, { deadLetterQueue: deadLetters });
    const call = { dispositions: [disposition] };
    const callfeed = CallfeedEvents.fromStage(this, 'Callfeed', { stage });
    callfeed.onCallRecorded(target, { where: { call } });
    // The disposition mostly comes minutes after the call, with its second callback.
    callfeed.onCallRevised(target, { where: { changedFields: ['dispositions'], call } });

    const makeFollowUps = new LambdaFunction(this, 'MakeFollowUps', {
      runtime: Runtime.PYTHON_3_13,
      architecture: Architecture.ARM_64,
      code: Code.fromAsset(handlerCode(), { exclude: ['__pycache__'] }),
      handler: 'handler.handler',
      timeout,
      environment: { FOLLOW_UPS_TABLE: followUps.tableName, DISPOSITION: disposition },
    });
    makeFollowUps.addEventSource(new SqsEventSource(queue, { reportBatchItemFailures: true }));
    followUps.grant(makeFollowUps, 'dynamodb:PutItem');
  }
}

const app = new App();
const stage: unknown = app.node.tryGetContext('stage');
if (typeof stage !== 'string') throw new Error('Name the deployment of Callfeed: -c stage=prod');

// The disposition as your agents choose it, letter by letter.
new PythonSubscriberStack(app, 'python-subscriber', { stage, disposition: 'Call back' });
