import type { PolledAccount } from '../accounts/accounts.ts';
import { type Clock, secondsBetween } from '../core/time.ts';
import type { AgentTable, Row } from '../storage/rows.ts';
import { agentStateMetric, type Telemetry } from '../telemetry/metrics.ts';
import { loggedInStates } from '../telephony/agent-fields.ts';
import type { TelephonyService } from '../telephony/service/service.ts';
import type { GetToken } from '../telephony/service/token-cache.ts';
import type { AgentsById } from './diff-agents.ts';
import { newFeed } from './feed.ts';
import { agentOf, agentsKey, feedKey, feedOf } from './rows.ts';
import type { CurrentAgent, Feed } from './schema.ts';
import { type CallbackReceipts, type GetReceipts, silenceSeconds } from './silence.ts';

/** An account's agents as they are stored, and the feed that dates them. */
export interface AccountAgents {
  readonly feed: Feed;
  readonly agents: AgentsById;
}

/** What agents are read and written with. */
export interface StorePorts {
  readonly table: AgentTable;
  readonly clock: Clock;
  readonly telemetry: Telemetry;
}

/** What polling needs from outside. */
export interface PollPorts extends StorePorts {
  readonly service: TelephonyService;
  readonly retention: Retention;
  /** Resolves after so many milliseconds. */
  readonly pause: (milliseconds: number) => Promise<void>;
}

/** How many days the agents' past stays in the table. */
export interface Retention {
  readonly snapshotDays: number;
  readonly intervalDays: number;
}

/** One run for one account in one slot. */
export interface PollContext extends PollPorts {
  readonly account: PolledAccount;
  readonly getToken: GetToken;
  readonly getReceipts: GetReceipts;
  /** After this instant (milliseconds) the run begins nothing more, so that it ends before Lambda's time-out. */
  readonly untilMs: number;
  /** The account has another key than the one that the service rejected, so a back-off is void. */
  readonly hasNewKey: boolean;
}

/** For how long a run may begin something. */
export const workWindowMs = 9_000;

/** What a run knows at its end. */
export interface PolledAccounts {
  /** The agents of each polled account; undefined where the run does not know them. */
  readonly known: readonly (AccountAgents | undefined)[];
  /** For each account that the run could not poll: the ISO instant of the last answer, or else of the first failure. */
  readonly failingSince: readonly string[];
}

/**
 * Measures the age of the oldest feed, and the number of agents in each state. A feed that the run does not know has no
 * age. If no account is to be polled the age is 0, because an alarm is raised without any. Unless all accounts are known, there are no numbers of agents: a sum over some of them would be wrong.
 */
export const emitAgentMetrics = (telemetry: Telemetry, { known, failingSince }: PolledAccounts, now: Date): void => {
  const dated = known.flatMap((account) => (account === undefined ? [] : lastAnswerAt(account.feed)));
  const ages = [...dated, ...failingSince].map((since) => Math.max(0, secondsBetween(since, now.toISOString())));
  if (ages.length > 0 || known.length === 0) telemetry.measure('FeedAgeSeconds', Math.max(0, ...ages));

  const counts = known.flatMap((account) => (account?.feed.asOf === undefined ? [] : [account.feed.counts]));
  if (counts.length === 0 || counts.length < known.length) return;
  for (const state of loggedInStates) {
    const agents = counts.reduce((sum, byState) => sum + (byState[state] ?? 0), 0);
    telemetry.measure(agentStateMetric(state), agents);
  }
};

/** What a run knows of an account that posts callbacks. */
export interface ExpectedCallbacks {
  readonly feed: Feed;
  readonly receipts: CallbackReceipts;
}

/**
 * Measures for how long callbacks have been missing, for the account where it is longest: one that works must not hide one
 * that does not. And the age of the oldest account's latest callback, which grows at night too. An account is undefined where
 * the run does not know it.
 */
export const emitCallbackMetrics = (
  telemetry: Telemetry,
  accounts: readonly (ExpectedCallbacks | undefined)[],
  now: Date,
): void => {
  const known = accounts.filter((account) => account !== undefined);
  if (known.length === 0 && accounts.length > 0) return;
  const silences = known.map(({ feed, receipts }) => silenceSeconds(feed, receipts, now));
  telemetry.measure('CallbackSilenceSeconds', Math.max(0, ...silences));

  const latest = known.flatMap(({ receipts }) => receipts.lastReceivedAt ?? []);
  const ages = latest.map((at) => Math.max(0, secondsBetween(at, now.toISOString())));
  if (ages.length > 0) telemetry.measure('LastCallbackAgeSeconds', Math.max(...ages));
};

/** Before the first answer the age counts from the first failure. */
const lastAnswerAt = ({ asOf, failingSince }: Feed): readonly string[] => {
  const since = asOf ?? failingSince;
  return since === undefined ? [] : [since];
};

const noAnswerMetrics = ['PollsFailed', 'PollsSkipped'] as const;

/**
 * Counts a poll that was due and brought no answer, and zeros for the other ways in which it could have ended. An alarm
 * compares these metrics, and CloudWatch's FILL may yield nothing for a metric that has had no value for long.
 */
export const emitNoAnswerMetrics = (
  telemetry: Pick<Telemetry, 'count'>,
  ended: (typeof noAnswerMetrics)[number],
): void => {
  for (const end of noAnswerMetrics) telemetry.count(end, end === ended ? 1 : 0);
  telemetry.count('PollsSucceeded', 0);
};

/** Reads an account's agents. A row that something else wrote is reported and skipped; the agent is then written anew. */
export const readAgents = async (ports: StorePorts, account: string): Promise<AccountAgents> => {
  const rows = await ports.table.query(agentsKey(account));
  const { sk } = feedKey(account);
  const feed = rows.find((row) => row['sk'] === sk);
  const agents = rows.filter((row) => row !== feed).flatMap((row) => parseAgentRow(row, ports.telemetry));
  return {
    feed: feed === undefined ? newFeed(account, ports.clock()) : feedOf(feed),
    agents: new Map(agents.map((agent) => [agent.agentId, agent])),
  };
};

const parseAgentRow = (row: Row, telemetry: Telemetry): readonly CurrentAgent[] => {
  try {
    return [agentOf(row)];
  } catch (error) {
    telemetry.fault('row', error);
    return [];
  }
};

/** Reads the feed's row alone, which shows whether a slot is taken. */
export const readFeed = async ({ table, clock }: StorePorts, account: string): Promise<Feed> => {
  const { pk, sk } = feedKey(account);
  const [row] = await table.query(pk, { from: sk, to: sk });
  return row === undefined ? newFeed(account, clock()) : feedOf(row);
};
