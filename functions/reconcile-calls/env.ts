import {
  number,
  queueUrl,
  resourceName,
  retentionDays,
  TelemetryEnv,
  type TextsOf,
  withDefault,
} from '../adapters/env.ts';
import { AccountsEnv, CallbackSecretEnv } from '../adapters/secret-accounts.ts';

/** The environment of reconciliation. */
export const ReconcileCallsEnv = {
  ...AccountsEnv,
  ...CallbackSecretEnv,
  ...TelemetryEnv,
  CALLS_TABLE: resourceName,
  AGENTS_TABLE: resourceName,
  CALL_RETENTION_DAYS: retentionDays('730'),
  RECONCILE_QUEUE_URL: queueUrl,
  /** Practice: a call is posted seconds after its end, sometimes minutes. */
  SETTLE_SECONDS: withDefault(number(/^\d{1,5}$/, 'whole seconds from 0 to 99999'), '900'),
};

/** The environment as the stack sets it. */
export type ReconcileCallsEnv = TextsOf<typeof ReconcileCallsEnv>;
