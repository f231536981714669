import * as z from 'zod/mini';
import { withoutUndefined } from '../core/collections.ts';
import { expiresAt } from '../core/time.ts';
import type { ServiceProblem } from '../service/service.ts';
import { type AgentsRow, joinedKey, type Row, type RowKey, readRow, storedWord } from '../storage/rows.ts';
import { isLoggedOut } from './diff-agents.ts';
import { Agent, type AgentChange, CurrentAgent, type Interval, PollStatus, Snapshot } from './schema.ts';

/** The partition of an account's agents and its poll status, so that one query reads them all. */
export const agentsKey = (account: string): string => joinedKey(account);

/** The row of the poll status (the contract's feed), which dates the agents' rows. It sorts after them. */
export const pollStatusKey = (account: string): RowKey => ({ pk: agentsKey(account), sk: 'feed' });

export const agentKey = (account: string, agentId: string): RowKey => ({
  pk: agentsKey(account),
  sk: joinedKey('agent', agentId),
});

export const timelineKey = (account: string, agentId: string): string => joinedKey(account, 'agent', agentId);

export const snapshotsKey = (account: string): string => joinedKey(account, 'floor');

/** Most snapshots have one part. The colons of an instant are not encoded, because people type keys by time. */
export const snapshotPartKey = (account: string, at: string, part: number): RowKey => ({
  pk: snapshotsKey(account),
  sk: `${at}#${String(part).padStart(3, '0')}`,
});

export const afterSnapshot = (at: string): string => `${at}#~`;

/** The partition of the interruptions of polling and their ends, in the order of time. */
export const feedChangesKey = (account: string): string => joinedKey(account, 'feed');

export const stateKey = (account: string, state: string): string => joinedKey(account, state);

/** The row of an agent. One who has logged out is in no index. */
export const agentRow = (account: string, agent: CurrentAgent): AgentsRow =>
  withoutUndefined({
    ...agent,
    ...agentKey(account, agent.agentId),
    kind: 'agent',
    account,
    agentsInState: isLoggedOut(agent) ? undefined : stateKey(account, agent.state),
  });

/** The row of an interval. An open one expires too: while the agent is logged in, each day begins a new one. */
export const intervalRow = (account: string, interval: Interval, retentionDays: number): AgentsRow =>
  withoutUndefined({
    ...interval,
    pk: timelineKey(account, interval.agentId),
    sk: interval.from,
    kind: 'interval',
    account,
    expiresAt: expiresAt(interval.to ?? interval.from, retentionDays),
  });

export const changeRows = (account: string, { agentId, after, timeline }: AgentChange, retentionDays: number) => ({
  puts: [
    ...(after === undefined ? [] : [agentRow(account, after)]),
    ...timeline.map((interval) => intervalRow(account, interval, retentionDays)),
  ],
  removes: after === undefined ? [agentKey(account, agentId)] : [],
});

/** The row that records an interruption of polling, or its end. The stream turns it into an event. */
export const feedChangeRow = (
  before: PollStatus,
  { account, status, statusSince: at, asOf, lastProblem }: PollStatus,
  recordedAt: string,
  retentionDays: number,
): AgentsRow =>
  withoutUndefined({
    pk: feedChangesKey(account),
    sk: at,
    kind: 'feed-change',
    account,
    status,
    at,
    asOf,
    recordedAt,
    previousSince: before.statusSince,
    reason: status === 'interrupted' ? lastProblem?.reason : undefined,
    expiresAt: expiresAt(at, retentionDays),
  });

/* The table's rows as functions read them, declared and internal. A newer version's fields are left out. */

const StoredAgent = z.object({ ...Agent.shape, state: storedWord<Agent['state']>() });

const SnapshotRow = z.extend(Snapshot, { agents: z.readonly(z.array(z.readonly(StoredAgent))) });

/** The agent in a row; undefined if something else wrote the row. */
export const agentIfAny = (row: Row): CurrentAgent | undefined => CurrentAgent.safeParse(row).data;

/** The agent in a row. Throws if something else wrote the row. So do the functions below. */
export const agentOf = (row: Row): CurrentAgent => readRow(CurrentAgent, row);

const StoredPollStatus = z.extend(PollStatus, {
  lastProblem: z.optional(z.readonly(z.object({ reason: storedWord<ServiceProblem>(), at: z.string() }))),
});

export const pollStatusOf = (row: Row): PollStatus => readRow(StoredPollStatus, row);

export const snapshotOf = (row: Row): Snapshot => readRow(SnapshotRow, row);
