import { App } from 'aws-cdk-lib';
import { RepeatCallersStack } from './repeat-callers-stack.ts';

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
