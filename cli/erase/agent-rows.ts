import { isObject } from '../../lib/core/collections.ts';
import type { Row } from '../../lib/storage/rows.ts';
import type { AgentIdentity } from './erase-agent.ts';

/** Whether a row of the timeline or of a snapshot names an agent, at any depth. */
export const isAgentIn = (value: unknown, agentId: string): boolean =>
  value !== null &&
  typeof value === 'object' &&
  (('agentId' in value && value.agentId === agentId) ||
    Object.values(value).some((entry) => isAgentIn(entry, agentId)));

/** What a row has of an agent besides id and state. */
const detailFields = new Set(['name', 'phoneNumber', 'extra']);

/** A row of the timeline or of a snapshot with the pseudonym in place of the agent, at any depth. */
export const withoutAgent = (row: Row, identity: AgentIdentity): Row => Object(replaced(row, identity));

const replaced = (value: unknown, identity: AgentIdentity): unknown => {
  if (Array.isArray(value)) return value.map((entry) => replaced(entry, identity));
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(([name, entry]) => [name, replaced(entry, identity)] as const);
  if (value['agentId'] !== identity.agentId) return Object.fromEntries(entries);
  const rest = Object.fromEntries(entries.filter(([name]) => !detailFields.has(name)));
  return { ...rest, agentId: identity.pseudonym };
};
