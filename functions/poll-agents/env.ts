import * as z from 'zod/mini';
import { resourceName, retentionDays, TelemetryEnv } from '../adapters/env.ts';
import { AccountsEnv } from '../adapters/secret-accounts.ts';

/** The environment of the poller. */
export const PollAgentsEnv = z.object({
  ...AccountsEnv.shape,
  ...TelemetryEnv.shape,
  AGENTS_TABLE: resourceName,
  /** For how many days snapshots of all agents are retained, and the agents' timelines. */
  SNAPSHOT_RETENTION_DAYS: retentionDays(7),
  INTERVAL_RETENTION_DAYS: retentionDays(90),
});
export type PollAgentsEnv = z.output<typeof PollAgentsEnv>;
