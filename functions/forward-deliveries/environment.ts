import * as z from 'zod/mini';
import { accountsEnv, queueUrl, resourceName, telemetryEnv } from '../adapters/env.ts';

export const forwardDeliveriesEnv = z.object({
  ...accountsEnv().shape,
  ...telemetryEnv().shape,
  CALLS_TABLE: resourceName,
  FORWARD_QUEUE_URL: queueUrl,
});
export type ForwardDeliveriesEnv = z.output<typeof forwardDeliveriesEnv>;
