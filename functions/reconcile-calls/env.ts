import * as z from 'zod/mini';
import { number, queueUrl, resourceName, retentionDays, TelemetryEnv } from '../adapters/env.ts';
import { AccountsEnv, CallbackSecretEnv } from '../adapters/secret-accounts.ts';

/** The environment of reconciliation. */
export const ReconcileCallsEnv = z.object({
  ...AccountsEnv.shape,
  ...CallbackSecretEnv.shape,
  ...TelemetryEnv.shape,
  CALLS_TABLE: resourceName,
  AGENTS_TABLE: resourceName,
  CALL_RETENTION_DAYS: retentionDays(730),
  RECONCILE_QUEUE_URL: queueUrl,
  /** The service posts a call seconds after its end, sometimes minutes. */
  SETTLE_SECONDS: z._default(number(/^\d{1,5}$/, 'whole seconds from 0 to 99999'), 900),
});
export type ReconcileCallsEnv = z.output<typeof ReconcileCallsEnv>;
