import { readEnv, telemetryEnv } from '../adapters/env.ts';
import { deployedTelemetry } from '../adapters/json-telemetry.ts';
import { composeTransform } from './app.ts';

const env = readEnv(telemetryEnv(), process.env);

export const handler = composeTransform({ telemetry: deployedTelemetry('transform-events', env) });
