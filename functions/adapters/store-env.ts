import * as z from 'zod/mini';
import { retentionDays } from './retention-days.ts';

/** The tables that hold calls and what was not understood, and how long each keeps a row, in days. */
export const StoreEnv = z.object({
  CALLS_TABLE: z.string().check(z.minLength(1)),
  QUARANTINE_TABLE: z.string().check(z.minLength(1)),
  CALL_RETENTION_DAYS: retentionDays('730'),
  QUARANTINE_RETENTION_DAYS: retentionDays('30'),
});
