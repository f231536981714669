import { join } from 'node:path';
import { App, CfnOutput, Stack } from 'aws-cdk-lib';
import { SqsQueue } from 'aws-cdk-lib/aws-events-targets';
import { AccountRootPrincipal, PolicyStatement, Role } from 'aws-cdk-lib/aws-iam';
import { Runtime } from 'aws-cdk-lib/aws-lambda';
import { NodejsFunction, OutputFormat } from 'aws-cdk-lib/aws-lambda-nodejs';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { StringParameter } from 'aws-cdk-lib/aws-ssm';
import { CallfeedEvents, CallfeedTables, ForwardedEvents } from '../../../../cdk/index.ts';

const app = new App();
const stack = new Stack(app, 'another-team');
const stage = String(app.node.tryGetContext('stage'));

const events = new Queue(stack, 'Events');
CallfeedEvents.fromStage(stack, 'Callfeed', { stage }).onAnyEvent(new SqsQueue(events));

const tables = CallfeedTables.fromStage(stack, 'Tables', { stage });
const reader = new NodejsFunction(stack, 'Reader', {
  entry: join(import.meta.dirname, 'reader.ts'),
  runtime: Runtime.NODEJS_24_X,
  bundling: { format: OutputFormat.ESM, mainFields: ['module', 'main'], bundleAwsSDK: true },
  environment: { CALLS_TABLE: tables.callsTableName, AGENTS_TABLE: tables.agentsTableName },
});
tables.grantRead(reader);

// For people who look at the console: the same rights, and the outputs of the deployment, which name its tables.
const viewer = new Role(stack, 'Viewer', { assumedBy: new AccountRootPrincipal() });
tables.grantRead(viewer);
const deployment = stack.formatArn({
  service: 'cloudformation',
  resource: 'stack',
  resourceName: `callfeed-${stage}/*`,
});
viewer.addToPolicy(new PolicyStatement({ actions: ['cloudformation:DescribeStacks'], resources: [deployment] }));

// As from another account, which the emulator cannot: through a bus of the team's own.
const forwarded = new Queue(stack, 'ForwardedEvents');
const busArn = StringParameter.valueForStringParameter(stack, `/callfeed/${stage}/bus-arn`);
new ForwardedEvents(stack, 'Forwarded', { busArn }).onAnyEvent(new SqsQueue(forwarded));

new CfnOutput(stack, 'ForwardedQueueUrl', { value: forwarded.queueUrl });
new CfnOutput(stack, 'QueueUrl', { value: events.queueUrl });
new CfnOutput(stack, 'ReaderName', { value: reader.functionName });
new CfnOutput(stack, 'ViewerArn', { value: viewer.roleArn });
