import * as z from 'zod/mini';
import { AccountsEnv, hasOneSource } from '../adapters/accounts-env.ts';
import { named } from '../adapters/named.ts';
import { retentionDays } from '../adapters/retention-days.ts';
import { TelemetryEnv } from '../adapters/telemetry-env.ts';

/** What the poller reads from its environment. */
export const PollAgentsEnv = z
  .object({
    ...AccountsEnv,
    ...TelemetryEnv,
    AGENTS_TABLE: named,
    /** For how long the whole floors of the past can be looked at, and the agents' timelines. */
    SNAPSHOT_RETENTION_DAYS: retentionDays('7'),
    INTERVAL_RETENTION_DAYS: retentionDays('90'),
  })
  .check(hasOneSource);

/** The environment as the stack sets it: every value a string, optional ones left out. */
export type PollAgentsEnv = z.input<typeof PollAgentsEnv>;
