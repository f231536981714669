import * as z from 'zod/mini';
import { Agent } from '../../lib/agents/schema.ts';
import { AgentStateChanged } from '../../lib/contract/agent-events.ts';
import { type EventType, isEventType } from '../../lib/contract/events.ts';
import { isObject, keysOf } from '../../lib/core/collections.ts';
import { fail, ok, type Result } from '../../lib/core/result.ts';
import { publicDetail } from '../../lib/publish/project-event.ts';
import { CallDetail, callRevisionColumns, storedAt } from './call-revisions.ts';
import { copiesOf, type HistoryColumns, type HistoryRow, rowMaker } from './column.ts';

/** The partition of every table: a text such as 2026-11-20, and a folder `day=2026-11-20`. It is no column of the files. */
export const dayPartition = {
  name: 'day',
  type: 'string',
  meaning: 'The day in UTC of `listed_at` (an imported call: of its first receipt) or `changed_at` (agents).',
} as const;

/** The fields of an event about an agent’s log-in, state or log-out from which its row comes. No field is personal. */
const AgentDetail = z.object({
  ...z.pick(AgentStateChanged, {
    id: true,
    account: true,
    occurredAt: true,
    recordedAt: true,
    agentId: true,
    version: true,
  }).shape,
  secondsInPreviousState: z.optional(AgentStateChanged.shape.secondsInPreviousState),
  previous: z.object({ state: Agent.shape.state, since: z.optional(Agent.shape.since) }),
  current: z.object(z.pick(Agent, { state: true, skills: true, since: true, loggedInSince: true }).shape),
});
type AgentDetail = z.infer<typeof AgentDetail>;

const ofAgent = copiesOf(AgentDetail);

const agentChangeColumns: HistoryColumns<AgentDetail> = {
  event_id: ofAgent('id'),
  account: ofAgent('account'),
  agent_id: ofAgent('agentId'),
  version: ofAgent('version'),
  logged_in_since: ofAgent('current.loggedInSince'),
  changed_at: ofAgent('occurredAt', 'When the poll saw the change: up to 15 seconds late.'),
  recorded_at: ofAgent('recordedAt'),
  state: ofAgent('current.state', 'The state from now on; `logged-out` after the log-out.'),
  skills: ofAgent('current.skills'),
  previous_state: ofAgent('previous.state', 'The state until now; `logged-out` before the log-in.'),
  previous_since: ofAgent('previous.since', 'When the agent entered the previous state; absent at the log-in.'),
  previous_seconds: ofAgent(
    'secondsInPreviousState',
    'How long the agent had been in the previous state; absent at the log-in.',
  ),
};

export interface HistoryTable {
  readonly meaning: string;
  readonly events: readonly EventType[];
  readonly detail: z.ZodMiniType;
  readonly columns: HistoryColumns<never>;
  readonly rowOf: ReturnType<typeof rowMaker>;
}

export type TableName = 'call_revisions' | 'agent_changes';

export const tables: Readonly<Record<TableName, HistoryTable>> = {
  call_revisions: {
    meaning: 'Each revision of a call, as often as it was delivered.',
    events: ['Call Summary Recorded', 'Call Summary Revised'],
    detail: CallDetail,
    columns: callRevisionColumns,
    rowOf: rowMaker(CallDetail, callRevisionColumns, storedAt),
  },
  agent_changes: {
    meaning: 'Each log-in, change of state and log-out of an agent, as often as it was delivered.',
    events: ['Agent Logged In', 'Agent State Changed', 'Agent Logged Out'],
    detail: AgentDetail,
    columns: agentChangeColumns,
    rowOf: rowMaker(AgentDetail, agentChangeColumns, ({ occurredAt }) => occurredAt),
  },
};

export const tableOfEvent = (type: EventType): TableName | undefined =>
  keysOf(tables).find((name) => tables[name].events.some((one) => one === type));

export interface AnalyticsRow {
  readonly table: TableName;
  readonly day: string;
  readonly row: HistoryRow;
}

/**
 * The row of an event, if it makes one. A problem names the wrong fields and holds no value. Personal fields are left out
 * before anything is read, also where the deployment publishes them: no column can hold one.
 */
export const historyRowOf = (event: unknown): Result<AnalyticsRow | undefined, string> => {
  if (!isObject(event) || !isEventType(event['detail-type'])) return fail('detail-type is none of Callfeed’s.');
  const { 'detail-type': type, detail } = event;
  if (!isObject(detail)) return fail('detail is no object.');
  const table = tableOfEvent(type);
  if (table === undefined) return ok(undefined);
  const made = tables[table].rowOf(publicDetail(type, detail));
  return made.ok ? ok({ table, ...made.value }) : made;
};
