import { telemetryEnv } from '../adapters/env.ts';
import { deployedParts } from '../adapters/json-telemetry.ts';
import { composeTransform } from './app.ts';

export const handler = composeTransform(deployedParts('transform-events', telemetryEnv(), process.env));
