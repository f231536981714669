import * as z from 'zod/mini';
import '../../lib/core/zod-messages.ts';

/** The name of something in AWS. */
export const resourceName = z.string().check(z.minLength(1));

/** For how many days rows are kept, as text in the environment. */
export const retentionDays = (byDefault: string) =>
  z.pipe(
    z._default(z.string().check(z.regex(/^[1-9]\d{0,4}$/, 'Expected whole days from 1 to 99999')), byDefault),
    z.transform(Number),
  );

/** The tables that hold calls and what was not understood, and how long each keeps a row, in days. */
export const StoreEnv = {
  CALLS_TABLE: resourceName,
  QUARANTINE_TABLE: resourceName,
  CALL_RETENTION_DAYS: retentionDays('730'),
  QUARANTINE_RETENTION_DAYS: retentionDays('30'),
};
export type StoreEnv = z.output<z.ZodMiniObject<typeof StoreEnv>>;

/** What every function is told for its telemetry: which deployment it belongs to. */
export const TelemetryEnv = {
  DEPLOYMENT: z._default(z.string().check(z.minLength(1), z.maxLength(250)), 'callfeed'),
};
