import type { MiddlewareObj } from '@middy/core';
import type { BufferedTelemetry } from './json-telemetry.ts';

/** Writes the metrics before the function is frozen, whether it succeeded or not. */
export const flushTelemetry = (telemetry: BufferedTelemetry): MiddlewareObj => ({
  after: () => telemetry.flush(),
  onError: () => telemetry.flush(),
});
