import * as z from 'zod/mini';
import { resourceName, retentionDays, TelemetryEnv } from '../adapters/env.ts';
import { AccountsEnv, hasOneAccountsSource } from '../adapters/secret-accounts.ts';

/** The environment of reconciliation. */
export const ReconcileCallsEnv = z
  .object({
    ...AccountsEnv,
    ...TelemetryEnv,
    CALLS_TABLE: resourceName,
    AGENTS_TABLE: resourceName,
    CALL_RETENTION_DAYS: retentionDays('730'),
    RECONCILE_QUEUE_URL: z.url(),
    /** Practice: a call is posted seconds after its end, sometimes minutes. */
    SETTLE_SECONDS: z.pipe(z._default(z.string().check(z.regex(/^\d{1,5}$/)), '900'), z.transform(Number)),
  })
  .check(hasOneAccountsSource);

/** The environment as the stack sets it: strings; optional ones may be absent. */
export type ReconcileCallsEnv = z.input<typeof ReconcileCallsEnv>;
