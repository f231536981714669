import * as z from 'zod';

const days = (byDefault: string) =>
  z
    .string()
    .regex(/^[1-9]\d{0,4}$/, 'Expected whole days from 1 to 99999')
    .default(byDefault)
    .transform(Number);

/** The tables that hold calls and what was not understood, and how long each keeps a row, in days. */
export const StoreEnv = z.object({
  CALLS_TABLE: z.string().min(1),
  QUARANTINE_TABLE: z.string().min(1),
  CALL_RETENTION_DAYS: days('730'),
  QUARANTINE_RETENTION_DAYS: days('30'),
});
