import { App } from 'aws-cdk-lib';
import { PythonSubscriberStack } from './python-subscriber-stack.ts';

const app = new App();
const stage: unknown = app.node.tryGetContext('stage');
if (typeof stage !== 'string') throw new Error('Name the deployment of Callfeed: -c stage=prod');

// The disposition as your agents choose it, letter by letter.
new PythonSubscriberStack(app, 'python-subscriber', { stage, disposition: 'Call back' });
