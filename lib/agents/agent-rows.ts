import { expiresAt } from '../core/instant.ts';
import { type Facts, withoutUndefined } from '../core/objects.ts';
import { joinedKey } from '../core/text.ts';
import type { Alongside, KeyedRow, RowKey, VersionedRow } from '../schema/versioned-rows.ts';
import { CurrentAgent, isLoggedOut } from './agent.ts';
import type { AgentChange } from './diff-agents.ts';
import { Feed } from './feed.ts';
import type { Interval } from './interval.ts';

/** The floor as it is now, with the feed's row: all of it is one query. */
export const agentsKey = (account: string): string => joinedKey(account);

/** The row that tells how old the floor is. It sorts after the agents. */
export const feedKey = (account: string): RowKey => ({ pk: agentsKey(account), sk: 'feed' });

/** The row of an agent who is logged in. */
export const agentKey = (account: string, agentId: string): RowKey => ({
  pk: agentsKey(account),
  sk: joinedKey('agent', agentId),
});

/** An agent's timeline, in the order in which its pieces begin. */
export const timelineKey = (account: string, agentId: string): string => joinedKey(account, 'agent', agentId);

/** The whole floors that were kept, in the order of time. */
export const snapshotsKey = (account: string): string => joinedKey(account, 'floor');

/** A part of a kept floor: most have just one. */
export const snapshotPartKey = (account: string, at: string, part: number): RowKey => ({
  pk: snapshotsKey(account),
  sk: partSortKey(at, part),
});

/** Instants hold colons, which stay as they are: keys by time are for people to type. */
const partSortKey = (at: string, part: number): string => `${at}#${String(part).padStart(3, '0')}`;

/** Sorts after every part of the floor that was kept at an instant. */
export const afterSnapshot = (at: string): string => `${at}#~`;

/** What became of the feed, in the order of time. */
export const feedChangesKey = (account: string): string => joinedKey(account, 'feed');

/** The poller's token and how many were had of late. */
export const tokenKey = (account: string): RowKey => ({ pk: joinedKey(account, 'token'), sk: 'token' });

/** Under which key of the index the agents in a state are. */
export const stateKey = (account: string, state: string): string => joinedKey(account, state);

/** A row of the agents' table. */
export type AgentsRow = KeyedRow;

/** The row of an agent. One who has left is not listed under any state. */
export const agentRow = (account: string, agent: CurrentAgent): AgentsRow =>
  withoutUndefined({
    ...agent,
    ...agentKey(account, agent.agentId),
    kind: 'agent',
    account,
    agentsInState: isLoggedOut(agent) ? undefined : stateKey(account, agent.state),
  });

/** The agent that a row holds. Throws if the row was written by something else. */
export const agentOf = (row: Facts): CurrentAgent => CurrentAgent.parse(row);

/** The row of a piece of an agent's timeline. Open pieces expire too: while an agent is there, each day has a new one. */
export const intervalRow = (account: string, stretch: Interval, retentionDays: number): AgentsRow =>
  withoutUndefined({
    ...stretch,
    pk: timelineKey(account, stretch.agentId),
    sk: stretch.from,
    kind: 'interval',
    account,
    expiresAt: expiresAt(stretch.to ?? stretch.from, retentionDays),
  });

/** What is written for a step, and what is removed. */
export const changeRows = (account: string, { agentId, after, timeline }: AgentChange, retentionDays: number) => ({
  puts: [
    ...(after === undefined ? [] : [agentRow(account, after)]),
    ...timeline.map((stretch) => intervalRow(account, stretch, retentionDays)),
  ],
  removes: after === undefined ? [agentKey(account, agentId)] : [],
});

/** The row of a feed. */
export const feedRow = (feed: Feed): VersionedRow =>
  withoutUndefined({ ...feed, ...feedKey(feed.account), kind: 'feed' });

/** The feed that a row holds. Throws if the row was written by something else. */
export const feedOf = (row: Facts): Feed => Feed.parse(row);

/** The row by which an interruption of the feed, or its end, is told and remembered. */
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

/** The agents' table, row by row. Every method throws when the table cannot be reached. */
export interface AgentTable {
  /** All rows of a partition in the order of their sort keys, or those between two of them, read consistently. */
  query(pk: string, between?: { readonly from: string; readonly to: string }): Promise<readonly Facts[]>;
  /**
   * Writes the next version of a row and the rows alongside it, as `VersionedRows` does. Throws for rows that the table
   * can never store: the poller made them, so that is a fault.
   */
  write(row: VersionedRow, alongside?: Alongside): Promise<'written' | 'conflict'>;
  /** Puts rows, each on its own and in no order; no key may occur twice. */
  put(rows: readonly AgentsRow[]): Promise<void>;
  /** Removes rows likewise. */
  remove(keys: readonly RowKey[]): Promise<void>;
}
