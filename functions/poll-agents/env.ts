import * as z from 'zod/mini';
import { AccountsEnv } from '../adapters/accounts-env.ts';
import { retentionDays } from '../adapters/retention-days.ts';
import { TelemetryEnv } from '../adapters/telemetry-env.ts';

/** What the poller reads from its environment. */
export const PollAgentsEnv = z.intersection(
  z.object({
    ...TelemetryEnv,
    AGENTS_TABLE: z.string().check(z.minLength(1)),
    /** For how long the whole floors of the past can be looked at, and the agents' timelines. */
    SNAPSHOT_RETENTION_DAYS: retentionDays('7'),
    INTERVAL_RETENTION_DAYS: retentionDays('90'),
  }),
  AccountsEnv,
);

/** The environment as the stack sets it: every value a string, optional ones left out. */
export type PollAgentsEnv = z.input<typeof PollAgentsEnv>;
