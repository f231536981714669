import { Agent, CurrentAgent, isLoggedOut } from '../agents/agent.ts';
import { agentOf } from '../agents/agent-rows.ts';
import { FeedChange } from '../agents/feed.ts';
import { secondsBetween } from '../agents/interval.ts';
import { changedFields } from '../calls/delivery.ts';
import type { AgentEventType } from '../contract/agent-events.ts';
import { contentHash } from '../core/content-hash.ts';
import { withoutUndefined } from '../core/objects.ts';
import { loggedOut } from '../telephony/agent-fields.ts';
import { type BusEvent, type RowChange, replayedAt } from './row-change.ts';

const detailFields = ['name', 'phoneNumber', 'skills'] as const;

/** The events that a change of an agent's row makes: none where only the day has changed, two where state and details have. */
export const agentEventsOf = ({ before, after }: RowChange): readonly BusEvent[] => {
  if (after === undefined) return [];

  const agent = agentOf(after);
  const account = String(after['account']);
  // A row that somebody else wrote there before is nothing that was told.
  const known = CurrentAgent.safeParse(before).data;
  const event = agentEvent(account, agent);
  if (known === undefined || known.loggedInSince !== agent.loggedInSince)
    return isLoggedOut(agent) ? [] : [event('Agent Logged In', { previous: { state: loggedOut } })];
  if (known.version === agent.version) return [];

  const previous = Agent.strip().parse(known);
  const about = { previous, secondsInPreviousState: secondsBetween(known.since, agent.changedAt) };
  if (isLoggedOut(agent)) return [event('Agent Logged Out', about)];

  const changed = changedFields(pickDetails(known), pickDetails(agent));
  return [
    ...(known.since === agent.since ? [] : [event('Agent State Changed', about)]),
    ...(changed.length === 0 ? [] : [event('Agent Details Changed', { ...about, changedFields: changed })]),
  ];
};

const agentEvent =
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

const pickDetails = (agent: CurrentAgent) => Object.fromEntries(detailFields.map((name) => [name, agent[name]]));

/** What the `detail-type` of a feed's change is, by what it became. */
export const feedEventTypes = {
  live: 'Agent Feed Restored',
  interrupted: 'Agent Feed Interrupted',
} as const satisfies Record<FeedChange['status'], AgentEventType>;

/** The event that a new row about the feed makes; the row never changes, but may be marked to be told again. */
export const feedEventOf = (change: RowChange): BusEvent | undefined => {
  const { before, after } = change;
  const again = replayedAt(change);
  if (after === undefined || (before !== undefined && again === undefined)) return undefined;

  const { account, status, at, asOf, previousSince, reason, recordedAt } = FeedChange.parse(after);
  const about = status === 'interrupted' ? { reason } : restoration(previousSince, at);
  const id = contentHash(['feed', account, status, at]);
  return {
    type: feedEventTypes[status],
    key: `feed ${account}`,
    detail: withoutUndefined({
      schemaVersion: 1,
      id,
      account,
      occurredAt: at,
      recordedAt,
      replayedAt: again,
      asOf,
      ...about,
    }),
  };
};

const restoration = (interruptedAt: string, at: string) => ({
  interruptedAt,
  secondsInterrupted: Math.round(secondsBetween(interruptedAt, at)),
});
