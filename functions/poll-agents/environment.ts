import * as z from 'zod/mini';
import { accountsEnv, resourceName, settingVariables, telemetryEnv } from '../adapters/env.ts';

export const pollAgentsEnv = z.object({
  ...accountsEnv().shape,
  ...telemetryEnv().shape,
  AGENTS_TABLE: resourceName,
  ...settingVariables('poll-agents'),
});
export type PollAgentsEnv = z.output<typeof pollAgentsEnv>;
