import { App } from 'aws-cdk-lib';
import { MissedCallsStack } from './missed-calls-stack.ts';

const app = new App();
const stage: unknown = app.node.tryGetContext('stage');
if (typeof stage !== 'string') throw new Error('Name the deployment of Callfeed: -c stage=prod');

new MissedCallsStack(app, 'missed-calls', { stage });
