import * as z from 'zod/mini';
import { resourceName, retentionDays, TelemetryEnv } from '../adapters/env.ts';
import { AccountsEnv, hasOneAccountsSource } from '../adapters/secret-accounts.ts';

/** What the poller reads from its environment. */
export const PollAgentsEnv = z
  .object({
    ...AccountsEnv,
    ...TelemetryEnv,
    AGENTS_TABLE: resourceName,
    /** For how long the whole floors of the past can be looked at, and the agents' timelines. */
    SNAPSHOT_RETENTION_DAYS: retentionDays('7'),
    INTERVAL_RETENTION_DAYS: retentionDays('90'),
  })
  .check(hasOneAccountsSource);

/** The environment as the stack sets it: every value a string, optional ones left out. */
export type PollAgentsEnv = z.input<typeof PollAgentsEnv>;
