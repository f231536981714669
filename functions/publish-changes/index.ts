import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { clientSettings, silent } from '../adapters/aws-clients.ts';
import { deployedTelemetry } from '../adapters/deployed-telemetry.ts';
import { composePublisher } from './compose.ts';
import { PublishChangesEnv } from './env.ts';

const env = PublishChangesEnv.parse(process.env);

/** The publisher, as deployed. */
export const handler = composePublisher({
  env,
  clock: () => new Date(),
  telemetry: deployedTelemetry('publish-changes', env),
  eventbridge: silent(new EventBridgeClient(clientSettings)),
});
