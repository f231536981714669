import { resourceName, retentionDays, TelemetryEnv, type TextsOf } from '../adapters/env.ts';
import { AccountsEnv } from '../adapters/secret-accounts.ts';

/** The environment of the poller. */
export const PollAgentsEnv = {
  ...AccountsEnv,
  ...TelemetryEnv,
  AGENTS_TABLE: resourceName,
  /** For how many days snapshots of all agents are retained, and the agents' timelines. */
  SNAPSHOT_RETENTION_DAYS: retentionDays('7'),
  INTERVAL_RETENTION_DAYS: retentionDays('90'),
};

/** The environment as the stack sets it. */
export type PollAgentsEnv = TextsOf<typeof PollAgentsEnv>;
