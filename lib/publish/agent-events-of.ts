import { Agent } from '../agent-login/model.ts';
import { loggedOut } from '../agent-login/states.ts';
import type { AgentEventType } from '../contract/agent-events.ts';
import { CurrentAgent, hasLeft } from '../floor/current-agent.ts';
import { agentOf } from '../floor/rows.ts';
import { secondsBetween } from '../floor/stretch.ts';
import { contentHash } from '../json/canonical-json.ts';
import { changedFields } from '../record/difference.ts';
import type { BusEvent, RowChange } from './row-change.ts';

const details = ['name', 'phoneNumber', 'skills'] as const;

/** The events that a change of an agent's row makes: none where only the day has changed, two where state and details have. */
export const agentEventsOf = ({ before, after }: RowChange): readonly BusEvent[] => {
  if (after === undefined) return [];

  const agent = agentOf(after);
  const account = String(after['account']);
  // A row that somebody else wrote there before is nothing that was told.
  const known = CurrentAgent.safeParse(before).data;
  const event = eventAbout(account, agent);
  if (known === undefined || known.loggedInSince !== agent.loggedInSince)
    return hasLeft(agent) ? [] : [event('Agent Logged In', { previous: { state: loggedOut } })];
  if (known.version === agent.version) return [];

  const previous = Agent.strip().parse(known);
  const about = { previous, secondsInPreviousState: secondsBetween(known.since, agent.changedAt) };
  if (hasLeft(agent)) return [event('Agent Logged Out', about)];

  const changed = changedFields(pick(known), pick(agent));
  return [
    ...(known.since === agent.since ? [] : [event('Agent State Changed', about)]),
    ...(changed.length === 0 ? [] : [event('Agent Details Changed', { ...about, changedFields: changed })]),
  ];
};

const eventAbout =
  (account: string, agent: CurrentAgent) =>
  (type: AgentEventType, about: object): BusEvent => {
    const { agentId, loggedInSince, version, changedAt, recordedAt } = agent;
    return {
      type,
      key: `agent ${account} ${agentId}`,
      detail: {
        schemaVersion: 1,
        id: contentHash([type, account, agentId, loggedInSince, version]),
        account,
        occurredAt: changedAt,
        recordedAt,
        agentId,
        version,
        ...about,
        current: Agent.strip().parse(agent),
      },
    };
  };

const pick = (agent: CurrentAgent) => Object.fromEntries(details.map((name) => [name, agent[name]]));
