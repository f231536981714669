import { App } from 'aws-cdk-lib';
import { LiveWallboardStack } from './live-wallboard-stack.ts';

const app = new App();
const required = (name: string): string => {
  const value: unknown = app.node.tryGetContext(name);
  if (typeof value !== 'string') throw new Error(`Set ${name}, such as -c ${name}=…`);
  return value;
};

new LiveWallboardStack(app, 'live-wallboard', {
  stage: required('stage'),
  account: required('account'),
  logInPrefix: required('logInPrefix'),
  pageUrl: String(app.node.tryGetContext('pageUrl') ?? 'http://localhost:8080/'),
});
