import { type AgentsById, agentIn, countsByState, isLoggedOut } from '../../lib/agents/diff-agents.ts';
import {
  afterSnapshot,
  agentOf,
  agentsKey,
  pollStatusKey,
  pollStatusOf,
  snapshotOf,
  snapshotPartKey,
  snapshotsKey,
} from '../../lib/agents/rows.ts';
import type { CurrentAgent, PollStatus } from '../../lib/agents/schema.ts';
import { batchesByWeight, withoutUndefined } from '../../lib/core/collections.ts';
import { jsonBytes } from '../../lib/core/json.ts';
import { fail, ok, type Result } from '../../lib/core/result.ts';
import { type Clock, expiresAt } from '../../lib/core/time.ts';
import type { AgentsRow, AgentTable, Alongside, VersionedRow } from '../../lib/storage/rows.ts';
import type { Telemetry } from '../../lib/telemetry/metrics.ts';
import { newPollStatus } from './poll-status.ts';
import { attemptedAt } from './rate-limit.ts';
import { provenSilentSince } from './silence.ts';

export interface StorePorts {
  readonly table: AgentTable;
  readonly clock: Clock;
  readonly telemetry: Telemetry;
}

export interface AccountAgents {
  readonly pollStatus: PollStatus;
  readonly agents: AgentsById;
}

/** Reads an account's agents. A row that something else wrote is reported and skipped; the agent is then written anew. */
export const readAccountAgents = async (
  { table, clock, telemetry }: StorePorts,
  account: string,
): Promise<AccountAgents> => {
  const rows = await table.query(agentsKey(account));
  const { sk } = pollStatusKey(account);
  const statusRow = rows.find((row) => row['sk'] === sk);
  const agents = new Map<string, CurrentAgent>();
  for (const row of rows.filter((one) => one !== statusRow))
    try {
      const agent = agentOf(row);
      agents.set(agent.agentId, agent);
    } catch (error) {
      telemetry.fault('row', error);
    }
  return { agents, pollStatus: statusRow === undefined ? newPollStatus(account, clock()) : pollStatusOf(statusRow) };
};

export const readPollStatus = async ({ table, clock }: StorePorts, account: string): Promise<PollStatus> => {
  const { pk, sk } = pollStatusKey(account);
  const [row] = await table.query(pk, { from: sk, to: sk });
  return row === undefined ? newPollStatus(account, clock()) : pollStatusOf(row);
};

export const pollStatusRow = (pollStatus: PollStatus): VersionedRow => {
  const { account, poller } = pollStatus;
  return withoutUndefined({
    ...pollStatus,
    ...pollStatusKey(account),
    kind: 'feed',
    attemptedAt: attemptedAt(poller),
    pausedUntil: poller.backOff?.until,
    callbacksSilentSince: provenSilentSince(poller),
  });
};

/** `race-lost`: another run wrote the poll status since this one read it, so this run is out of date and has to stop. */
export type Written<Stored> = Result<Stored, 'race-lost'>;

export const writePollStatus = async (
  { table }: StorePorts,
  pollStatus: PollStatus,
  alongside?: Alongside,
): Promise<Written<PollStatus>> => {
  const next = { ...pollStatus, version: pollStatus.version + 1 };
  return (await table.write(pollStatusRow(next), alongside)) === 'conflict' ? fail('race-lost') : ok(next);
};

export interface SnapshotInput {
  readonly pollStatus: PollStatus;
  readonly at: string;
  readonly agents: AgentsById;
  readonly retentionDays: number;
}

/**
 * Saves a snapshot, then the poll status that makes it valid. After a lost race the snapshot is deleted, because the agents were
 * never in these states. It stays if the stored status names it: then the write succeeded, and only its response was lost.
 */
export const commitSnapshot = async (
  ports: StorePorts,
  snapshot: SnapshotInput,
  write: () => Promise<Written<PollStatus>>,
): Promise<Written<PollStatus>> => {
  const rows = snapshotRows(snapshot);
  await ports.table.put(rows);
  const written = await write();
  if (!written.ok) {
    const { poller } = await readPollStatus(ports, snapshot.pollStatus.account);
    if (poller.snapshotAt !== snapshot.at) await ports.table.remove(rows);
  }
  return written;
};

/** DynamoDB limits an item to 400 KB. An agent has fewer bytes there than as JSON. */
const maxPartBytes = 350 * 1024;

export const snapshotRows = ({ pollStatus, at, agents, retentionDays }: SnapshotInput): readonly AgentsRow[] => {
  const { account, asOf, status } = pollStatus;
  const loggedIn = [...agents.values()].filter((agent) => !isLoggedOut(agent)).map(agentIn);
  // Without agents there is still one part: it shows that nobody was logged in.
  const parts = loggedIn.length === 0 ? [[]] : batchesByWeight(loggedIn, maxPartBytes, jsonBytes);
  const counts = countsByState(agents);
  return parts.map((part, index) =>
    withoutUndefined({
      ...snapshotPartKey(account, at, index),
      kind: 'floor',
      account,
      at,
      asOf,
      status,
      part: index,
      parts: parts.length,
      counts,
      agents: part,
      expiresAt: expiresAt(at, retentionDays),
    }),
  );
};

/** The agents in the snapshot of an instant, or undefined if a part of it is missing. */
export const readSnapshot = async ({ table }: StorePorts, account: string, at: string) => {
  const parts = (await table.query(snapshotsKey(account), { from: at, to: afterSnapshot(at) })).map(snapshotOf);
  return parts.length === parts[0]?.parts ? parts.flatMap(({ agents }) => agents) : undefined;
};

/** Deletes the snapshots after the latest committed one. */
export const deleteUncommitted = async ({ table }: StorePorts, { account, poller }: PollStatus): Promise<void> => {
  // If none was ever committed, all are deleted.
  const from = afterSnapshot(poller.snapshotAt ?? '');
  const rows = await table.query(snapshotsKey(account), { from, to: '~' });
  await table.remove(rows.map((row) => ({ pk: String(row['pk']), sk: String(row['sk']) })));
};
