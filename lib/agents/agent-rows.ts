import { withoutUndefined } from '../core/collections.ts';
import { joinedKey } from '../core/text.ts';
import { expiresAt } from '../core/time.ts';
import type { AgentsRow } from '../schema/agent-table.ts';
import type { RowKey, VersionedRow } from '../schema/versioned-rows.ts';
import { type CurrentAgent, isLoggedOut } from './agent.ts';
import type { AgentChange } from './diff-agents.ts';
import { provenSilentSince } from './ended-calls.ts';
import { attemptedAt } from './rate-limit.ts';
import type { Feed, Interval } from './schema.ts';

/** The partition of an account's agents and the feed's row, so that one query reads them all. */
export const agentsKey = (account: string): string => joinedKey(account);

/** The row that dates the agents' rows. It sorts after them. */
export const feedKey = (account: string): RowKey => ({ pk: agentsKey(account), sk: 'feed' });

/** The row of an agent. */
export const agentKey = (account: string, agentId: string): RowKey => ({
  pk: agentsKey(account),
  sk: joinedKey('agent', agentId),
});

/** The partition of an agent's timeline: its intervals in the order in which they begin. */
export const timelineKey = (account: string, agentId: string): string => joinedKey(account, 'agent', agentId);

/** The partition of an account's snapshots, in the order of time. */
export const snapshotsKey = (account: string): string => joinedKey(account, 'floor');

/** The row of a part of a snapshot. Most snapshots have one part. */
export const snapshotPartKey = (account: string, at: string, part: number): RowKey => ({
  pk: snapshotsKey(account),
  sk: partSortKey(at, part),
});

/** The colons of an instant are not encoded, because people type keys by time. */
const partSortKey = (at: string, part: number): string => `${at}#${String(part).padStart(3, '0')}`;

/** A sort key after every part of the snapshot of an instant. */
export const afterSnapshot = (at: string): string => `${at}#~`;

/** The partition of the interruptions of a feed and their ends, in the order of time. */
export const feedChangesKey = (account: string): string => joinedKey(account, 'feed');

/** The row that dates an account's latest callback. */
export const receiptsKey = (account: string): RowKey => ({ pk: joinedKey(account, receiptsName), sk: receiptsName });

/** The name of that row in its keys. */
export const receiptsName = 'callbacks';

/** The index partition of the agents in a state. */
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

/** The rows that a change puts, and those that it removes. */
export const changeRows = (account: string, { agentId, after, timeline }: AgentChange, retentionDays: number) => ({
  puts: [
    ...(after === undefined ? [] : [agentRow(account, after)]),
    ...timeline.map((interval) => intervalRow(account, interval, retentionDays)),
  ],
  removes: after === undefined ? [agentKey(account, agentId)] : [],
});

export const feedRow = (feed: Feed): VersionedRow =>
  withoutUndefined({
    ...feed,
    ...feedKey(feed.account),
    kind: 'feed',
    attemptedAt: attemptedAt(feed),
    pausedUntil: feed.poller.backOff?.until,
    callbacksSilentSince: provenSilentSince(feed),
  });

/** The row that records an interruption of the feed, or its end. The stream turns it into an event. */
export const feedChangeRow = (before: Feed, after: Feed, recordedAt: string, retentionDays: number): AgentsRow =>
  withoutUndefined({
    pk: feedChangesKey(after.account),
    sk: after.statusSince,
    kind: 'feed-change',
    account: after.account,
    status: after.status,
    at: after.statusSince,
    asOf: after.asOf,
    previousSince: before.statusSince,
    reason: after.status === 'interrupted' ? after.lastProblem?.reason : undefined,
    recordedAt,
    expiresAt: expiresAt(after.statusSince, retentionDays),
  });
