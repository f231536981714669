import { App, Duration, Stack, type StackProps } from 'aws-cdk-lib';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { Architecture, Runtime } from 'aws-cdk-lib/aws-lambda';
import { NodejsFunction, OutputFormat } from 'aws-cdk-lib/aws-lambda-nodejs';
import { CallfeedTables, ForwardedEvents, missedCalls, type TableArns } from 'callfeed/cdk';
import type { Construct } from 'constructs';

interface RepeatCallersProps extends StackProps, TableArns {
  readonly busArn: string;
}

/** Says of each missed call how often that customer called lately. Callfeed is in another AWS account. */
class RepeatCallersStack extends Stack {
  constructor(scope: Construct, id: string, { busArn, ...props }: RepeatCallersProps) {
    super(scope, id, props);

    const tables = CallfeedTables.fromArns(this, 'Tables', props);
    const countCalls = new NodejsFunction(this, 'CountCalls', {
      entry: 'handler.ts',
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      bundling: { format: OutputFormat.ESM, mainFields: ['module', 'main'], minify: true },
      // Numbers come in any spelling, so it looks at all calls of a day: some seconds for 100,000.
      timeout: Duration.seconds(30),
      memorySize: 512,
      environment: { CALLS_TABLE: tables.callsTableName, AGENTS_TABLE: tables.agentsTableName },
    });
    tables.grantRead(countCalls);

    const callfeed = new ForwardedEvents(this, 'Callfeed', { busArn });
    callfeed.onCallRecorded(new LambdaFunction(countCalls), {
      where: { call: { ...missedCalls, customerNumber: [{ exists: true }] } },
    });
  }
}

const app = new App();
const context = (name: string): string => {
  const value: unknown = app.node.tryGetContext(name);
  if (typeof value !== 'string') throw new Error(`Give -c ${name}=..., which the owner of Callfeed tells you.`);

  return value;
};

new RepeatCallersStack(app, 'repeat-callers', {
  // Callfeed compares this account with that of the bus. The CDK's command line sets both from your credentials.
  env: { account: process.env['CDK_DEFAULT_ACCOUNT'], region: process.env['CDK_DEFAULT_REGION'] },
  busArn: context('busArn'),
  callsTableArn: context('callsTableArn'),
  agentsTableArn: context('agentsTableArn'),
  ...(app.node.tryGetContext('keyArn') && { keyArn: context('keyArn') }),
});
