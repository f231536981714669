import { App, Stack } from 'aws-cdk-lib';
import { SqsQueue } from 'aws-cdk-lib/aws-events-targets';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { Callfeed, CallfeedEvents } from 'callfeed/cdk';

// CDK's validation takes long, and another test has it.
const app = new App({ builtinCloudFormationValidation: false });
const { bus } = new Callfeed(new Stack(app, 'Deployed'), 'Callfeed', { callRetentionDays: 400 });

const subscriber = new Stack(app, 'Subscriber');
new CallfeedEvents(subscriber, 'Callfeed', { bus }).onCallRecorded(new SqsQueue(new Queue(subscriber, 'Missed')), {
  where: { call: { status: ['not-answered'] } },
});
app.synth();
