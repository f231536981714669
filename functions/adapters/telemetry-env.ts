import * as z from 'zod';

/** What every function is told for its telemetry: which deployment it belongs to. */
export const TelemetryEnv = {
  DEPLOYMENT: z.string().min(1).max(250).default('callfeed'),
};
