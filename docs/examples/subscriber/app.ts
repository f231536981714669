import { App } from 'aws-cdk-lib';
import { MissedCallsStack } from './missed-calls-stack.ts';

const app = new App();
const busArn: unknown = app.node.tryGetContext('busArn');
if (typeof busArn !== 'string')
  throw new Error("Name the bus: -c busArn=..., with the output BusArn of Callfeed's stack.");

new MissedCallsStack(app, 'missed-calls', { busArn });
