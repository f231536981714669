import type { EventType } from '../../lib/contract/events.ts';
import { keysOf } from '../../lib/core/collections.ts';
import { AgentDetail, agentChangeColumns } from './agent-changes.ts';
import { CallDetail, callRevisionColumns } from './call-revisions.ts';
import type { Column } from './column.ts';

/** The partition of every table: a text such as 2026-11-20, and a folder `day=2026-11-20`. It is no column of the files. */
export const dayPartition = {
  name: 'day',
  type: 'string',
  meaning: 'The day in UTC of `listed_at` (calls) or `changed_at` (agents).',
} as const;

export const tableEvents = {
  call_revisions: ['Call Summary Recorded', 'Call Summary Revised'],
  agent_changes: ['Agent Logged In', 'Agent State Changed', 'Agent Logged Out'],
} as const satisfies Record<string, readonly EventType[]>;

export type TableName = keyof typeof tableEvents;

/** The table that an event has a row in; undefined for an event that has none. */
export const tableOfEvent = (type: EventType): TableName | undefined =>
  keysOf(tableEvents).find((table) => tableEvents[table].some((one) => one === type));

export const tableMeanings: Readonly<Record<TableName, string>> = {
  call_revisions: 'Each revision of a call, as often as it was delivered.',
  agent_changes: 'Each log-in, change of state and log-out of an agent, as often as it was delivered.',
};

export type ReadableColumn = Omit<Column<never>, 'read'>;

export const tableColumns: Readonly<Record<TableName, Readonly<Record<string, ReadableColumn>>>> = {
  call_revisions: callRevisionColumns,
  agent_changes: agentChangeColumns,
};

export const tableDetails = { call_revisions: CallDetail, agent_changes: AgentDetail } as const;
