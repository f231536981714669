import { App } from 'aws-cdk-lib';
import { MissedCallMessageStack } from './missed-call-message-stack.ts';

const app = new App();
const stage: unknown = app.node.tryGetContext('stage');
if (typeof stage !== 'string') throw new Error('Name the deployment of Callfeed: -c stage=prod');

new MissedCallMessageStack(app, 'missed-call-message', { stage });
