import * as z from 'zod/mini';
import '../../lib/core/zod-messages.ts';
import { monitoringModes } from '../../lib/telemetry/metrics.ts';

/** The name or ARN of an AWS resource. */
export const resourceName = z.string().check(z.minLength(1));

/** For how many days rows are retained, as text in the environment. */
export const retentionDays = (byDefault: string) =>
  z.pipe(
    z._default(z.string().check(z.regex(/^[1-9]\d{0,4}$/, 'Expected whole days from 1 to 99999')), byDefault),
    z.transform(Number),
  );

/** The tables of calls and of quarantine, and for how many days each retains a row. */
export const StoreEnv = {
  CALLS_TABLE: resourceName,
  QUARANTINE_TABLE: resourceName,
  CALL_RETENTION_DAYS: retentionDays('730'),
  QUARANTINE_RETENTION_DAYS: retentionDays('30'),
};
export type StoreEnv = z.output<z.ZodMiniObject<typeof StoreEnv>>;

/** The deployment that a function belongs to, a dimension of its metrics; and which metrics it emits. */
export const TelemetryEnv = {
  DEPLOYMENT: z._default(z.string().check(z.minLength(1), z.maxLength(250)), 'callfeed'),
  METRICS: z._default(z.enum(monitoringModes), 'full'),
};
