import * as z from 'zod/mini';
import '../../lib/english.ts';

/** What every function is told for its telemetry: which deployment it belongs to. */
export const TelemetryEnv = {
  DEPLOYMENT: z._default(z.string().check(z.minLength(1), z.maxLength(250)), 'callfeed'),
};
