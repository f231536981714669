import { Feed } from '../feed/feed.ts';
import { present } from '../present.ts';
import type { Facts } from '../record/delivery.ts';
import { expiresAt } from '../time/expires-at.ts';
import { CurrentAgent, hasLeft } from './current-agent.ts';
import { agentKey, feedChangesKey, feedKey, type RowKey, stateKey, timelineKey } from './keys.ts';
import type { Step } from './step.ts';
import type { Stretch } from './stretch.ts';

/** A row of the agents' table. */
export type AgentsRow = Facts & RowKey;

/** The row of an agent. One who has left is not listed under any state. */
export const agentRow = (account: string, agent: CurrentAgent): AgentsRow =>
  present({
    ...agent,
    ...agentKey(account, agent.agentId),
    kind: 'agent',
    account,
    agentsInState: hasLeft(agent) ? undefined : stateKey(account, agent.state),
  });

/** The agent that a row holds. Throws if the row was written by something else. */
export const agentOf = (row: Facts): CurrentAgent => CurrentAgent.parse(row);

/** The row of a piece of an agent's timeline. Open pieces expire too: while an agent is there, each day has a new one. */
export const stretchRow = (account: string, stretch: Stretch, retentionDays: number): AgentsRow =>
  present({
    ...stretch,
    pk: timelineKey(account, stretch.agentId),
    sk: stretch.from,
    kind: 'interval',
    account,
    expiresAt: expiresAt(stretch.to ?? stretch.from, retentionDays),
  });

/** What is written for a step, and what is removed. */
export const rowsOf = (account: string, { agentId, after, timeline }: Step, retentionDays: number) => ({
  puts: [
    ...(after === undefined ? [] : [agentRow(account, after)]),
    ...timeline.map((stretch) => stretchRow(account, stretch, retentionDays)),
  ],
  removes: after === undefined ? [agentKey(account, agentId)] : [],
});

/** The row of a feed. */
export const feedRow = (feed: Feed): AgentsRow & { readonly version: number } =>
  present({ ...feed, ...feedKey(feed.account), kind: 'feed' });

/** The feed that a row holds. Throws if the row was written by something else. */
export const feedOf = (row: Facts): Feed => Feed.parse(row);

/** The row by which an interruption of the feed, or its end, is told and remembered. */
export const feedChangeRow = (before: Feed, after: Feed, recordedAt: string, retentionDays: number): AgentsRow =>
  present({
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
