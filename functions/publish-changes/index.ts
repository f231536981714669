import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { clientSettings, connectedDynamodb } from '../adapters/aws-clients.ts';
import { PublishChangesEnv, readEnv } from '../adapters/env.ts';
import { deployedTelemetry } from '../adapters/json-telemetry.ts';
import { composePublisher } from './app.ts';

const env = readEnv(PublishChangesEnv, process.env);

/** The deployed publisher. */
export const handler = composePublisher({
  env,
  clock: () => new Date(),
  telemetry: deployedTelemetry('publish-changes', env),
  eventbridge: new EventBridgeClient(clientSettings),
  dynamodb: connectedDynamodb(process.env),
});
