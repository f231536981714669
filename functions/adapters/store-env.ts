import type * as z from 'zod/mini';
import { named } from './named.ts';
import { retentionDays } from './retention-days.ts';

/** The tables that hold calls and what was not understood, and how long each keeps a row, in days. */
export const StoreEnv = {
  CALLS_TABLE: named,
  QUARANTINE_TABLE: named,
  CALL_RETENTION_DAYS: retentionDays('730'),
  QUARANTINE_RETENTION_DAYS: retentionDays('30'),
};
export type StoreEnv = z.output<z.ZodMiniObject<typeof StoreEnv>>;
