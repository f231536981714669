import { App } from 'aws-cdk-lib';
import { QueuePerTeamStack } from './queue-per-team-stack.ts';

const app = new App();
const stage: unknown = app.node.tryGetContext('stage');
if (typeof stage !== 'string') throw new Error('Name the deployment of Callfeed: -c stage=prod');

new QueuePerTeamStack(app, 'queue-per-team', {
  stage,
  // The skills as the telephony service names them, letter by letter.
  teams: { Sales: ['Sales', 'Sales Hindi'], Support: ['General', 'Returns'] },
});
