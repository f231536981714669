import * as z from 'zod/mini';
import { Agent } from '../../lib/agents/schema.ts';
import { AgentStateChanged } from '../../lib/contract/agent-events.ts';
import { type Column, copiesOf } from './column.ts';

const AgentFields = z.pick(Agent, { state: true, skills: true, since: true, loggedInSince: true });

/** The fields of an event about an agent’s log-in, state or log-out from which its row comes. No field is personal. */
export const AgentDetail = z.object({
  ...z.pick(AgentStateChanged, {
    id: true,
    account: true,
    occurredAt: true,
    recordedAt: true,
    agentId: true,
    version: true,
  }).shape,
  secondsInPreviousState: z.optional(AgentStateChanged.shape.secondsInPreviousState),
  previous: z.object({ state: AgentFields.shape.state, since: z.optional(AgentFields.shape.since) }),
  current: z.object(AgentFields.shape),
});
export type AgentDetail = z.infer<typeof AgentDetail>;

const copy = copiesOf(AgentDetail);

/** Columns of the table `agent_changes`, in which each log-in, change of state and log-out of an agent is a row. */
export const agentChangeColumns = {
  event_id: copy('string', 'id'),
  account: copy('string', 'account'),
  agent_id: copy('string', 'agentId'),
  version: copy('int', 'version'),
  logged_in_since: copy('timestamp', 'current.loggedInSince'),
  changed_at: copy('timestamp', 'occurredAt', { meaning: 'When the poll saw the change: up to 15 seconds late.' }),
  recorded_at: copy('timestamp', 'recordedAt'),
  state: copy('string', 'current.state', { meaning: 'The state from now on; `logged-out` after the log-out.' }),
  skills: copy('array<string>', 'current.skills', { isTyped: true }),
  previous_state: copy('string', 'previous.state', { meaning: 'The state until now; `logged-out` before the log-in.' }),
  previous_since: copy('timestamp', 'previous.since', {
    meaning: 'When the agent entered the previous state; absent at the log-in.',
  }),
  previous_seconds: copy('double', 'secondsInPreviousState', {
    meaning: 'How long the agent had been in the previous state; absent at the log-in.',
  }),
} as const satisfies Record<string, Column<AgentDetail>>;
