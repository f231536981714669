import { connectedDynamodb } from '../adapters/aws-clients.ts';
import { RecoverCallbacksEnv, readEnv } from '../adapters/env.ts';
import { deployedTelemetry } from '../adapters/json-telemetry.ts';
import { composeRecovery } from './app.ts';

const env = readEnv(RecoverCallbacksEnv, process.env);

/** The deployed recovery of parked callbacks. */
export const handler = composeRecovery({
  env,
  clock: () => new Date(),
  telemetry: deployedTelemetry('recover-callbacks', env),
  dynamodb: connectedDynamodb(process.env),
});
