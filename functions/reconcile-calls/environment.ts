import * as z from 'zod/mini';
import {
  accountsEnv,
  callbackSecretEnv,
  numberVariable,
  queueUrl,
  resourceName,
  settingVariables,
  telemetryEnv,
} from '../adapters/env.ts';

export const reconcileCallsEnv = z.object({
  ...accountsEnv().shape,
  ...callbackSecretEnv().shape,
  ...telemetryEnv().shape,
  CALLS_TABLE: resourceName,
  AGENTS_TABLE: resourceName,
  ...settingVariables('reconcile-calls'),
  RECONCILE_QUEUE_URL: queueUrl,
  /** Until then a call may still come by callback: the service posts it seconds, sometimes minutes, after its end. */
  SETTLE_SECONDS: z._default(numberVariable(/^\d{1,5}$/, 'whole seconds from 0 to 99999'), 900),
});
export type ReconcileCallsEnv = z.output<typeof reconcileCallsEnv>;
