import * as z from 'zod/mini';
import { defaultRetention } from '../../lib/storage/rows.ts';
import { accountsEnv, resourceName, retentionDays, telemetryEnv } from '../adapters/env.ts';

export const pollAgentsEnv = z.object({
  ...accountsEnv().shape,
  ...telemetryEnv().shape,
  AGENTS_TABLE: resourceName,
  /** For how many days snapshots of all agents are retained, and the agents' timelines. */
  SNAPSHOT_RETENTION_DAYS: retentionDays(defaultRetention.snapshotDays),
  INTERVAL_RETENTION_DAYS: retentionDays(defaultRetention.intervalDays),
});
export type PollAgentsEnv = z.output<typeof pollAgentsEnv>;
