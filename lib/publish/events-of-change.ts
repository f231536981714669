import { agentIn, isLoggedOut } from '../agents/diff-agents.ts';
import { detailsOf } from '../agents/normalise-agent.ts';
import { agentIfAny, agentOf, feedChangeOf } from '../agents/rows.ts';
import type { CurrentAgent, FeedChange } from '../agents/schema.ts';
import { isImported, listedAtOf, rowKey } from '../calls/call-keys.ts';
import { type CallRecord, published, type RecordKey, timesOf } from '../calls/call-record.ts';
import { recordOf } from '../calls/call-row.ts';
import { changedFields } from '../calls/merge-deliveries.ts';
import type { AgentEventType } from '../contract/agent-events.ts';
import type { CallEventType } from '../contract/call-events.ts';
import type { EventType } from '../contract/events.ts';
import { withoutUndefined } from '../core/collections.ts';
import { contentHash } from '../core/encoding.ts';
import { secondsBetween } from '../core/time.ts';
import { archivedRecordingOf, recordingOf } from '../recordings/read-recording.ts';
import { recordingKind } from '../recordings/schema.ts';
import type { Row } from '../storage/rows.ts';
import { loggedOut } from '../telephony/vocabularies.ts';

/**
 * The events of a change, if any. They depend on the row's images alone, so a change that is read twice makes the same
 * events with the same ids. Throws if Callfeed did not write the row.
 */
export const eventsOf = (change: RowChange): readonly BusEvent[] => {
  const { after } = change;
  if (after === undefined) return [];
  const write = { ...change, after };
  if (after['kind'] === 'agent') return agentEventsOf(write);
  const event = after['kind'] === 'feed-change' ? feedEventOf(write) : (callEventOf(write) ?? recordingEventOf(write));
  return event === undefined ? [] : [event];
};

interface RowWrite extends RowChange {
  readonly after: Row;
}

const recordKinds = new Set<unknown>(['call', 'participant']);

/**
 * The event of a change of a call's or participant's row, or undefined where subscribers see no difference. That is so
 * for a delivery that added nothing, an entry of an index, and a row that expired. A row that is marked for replay makes
 * the event of its present revision again.
 */
export const callEventOf = (change: RowChange): BusEvent | undefined => {
  const { before, after } = change;
  if (after === undefined || !recordKinds.has(after['kind'])) return undefined;

  const record = recordOf(after);
  const previous = before && recordOf(before);
  if (previous?.revision !== record.revision) return eventOf(record);

  const requestedAt = replayedAt(change);
  return requestedAt === undefined ? undefined : eventOf(record, { replayedAt: requestedAt });
};

export const callEventType = (kind: RecordKey['kind'], revision: number): CallEventType => {
  if (kind === 'participant') return 'Call Participant Recorded';
  return revision === 1 ? 'Call Summary Recorded' : 'Call Summary Revised';
};

const eventOf = (record: CallRecord, replay: { readonly replayedAt?: string } = {}): BusEvent => {
  const { key, facts, revision, recordedAt, lastChange } = record;
  const { kind, ...identity } = key;
  const { pk, sk } = rowKey(key);
  const { source, ...content } = published(record);
  return {
    type: callEventType(kind, revision),
    key: `${pk} ${sk}`,
    detail: {
      schemaVersion: 1,
      id: contentHash([kind, identity, revision]),
      ...identity,
      occurredAt: facts['endedAt'] ?? timesOf(facts)[0],
      recordedAt,
      ...replay,
      ...(kind === 'call' && receiptOf(record)),
      ...(source !== undefined && { source }),
      revision,
      // Of a revision, or of a call without a time: when it changed, and in which fields.
      ...lastChange,
      [kind]: content,
    },
  };
};

/** When the first delivery came, where the time of the call alone does not say where the call counts. */
const receiptOf = (record: CallRecord): { readonly firstReceivedAt?: string | undefined } => {
  const [at, firstReceivedAt] = [listedAtOf(record), record.deliveries[0]?.receivedAt];
  if (at === undefined || firstReceivedAt === undefined) return {};
  return isImported(at, firstReceivedAt) || at !== timesOf(record.facts)[0] ? { firstReceivedAt } : {};
};

export const recordingEventType = 'Call Recording Archived' satisfies EventType;

/** The event of a recording: made when its row becomes `archived`, and again when it is marked for replay. */
const recordingEventOf = (change: RowWrite): BusEvent | undefined => {
  const { before, after } = change;
  if (after['kind'] !== recordingKind || after['status'] !== 'archived') return undefined;
  const requestedAt = replayedAt(change);
  if (before?.['status'] === 'archived' && requestedAt === undefined) return undefined;

  const { account, callId, recordedAt } = recordingOf(after);
  const recording = archivedRecordingOf(after);
  return {
    type: recordingEventType,
    key: `recording ${account} ${callId} ${recording.recordingId}`,
    detail: withoutUndefined({
      schemaVersion: 1,
      id: contentHash(['recording', account, callId, recording.recordingId]),
      account,
      callId,
      occurredAt: recording.archivedAt,
      recordedAt,
      replayedAt: requestedAt,
      recording,
    }),
  };
};

/** The events of a change of an agent's row: none if only the day changed, two if both state and details changed. */
const agentEventsOf = ({ before, after }: RowWrite): readonly BusEvent[] => {
  const agent = agentOf(after);
  const account = String(after['account']);
  // A previous row that does not parse is not the poller's, so no event was published for it.
  const earlier = before && agentIfAny(before);
  const event = agentEvent(account, agent);
  if (earlier === undefined || earlier.loggedInSince !== agent.loggedInSince)
    return isLoggedOut(agent) ? [] : [event('Agent Logged In', { previous: { state: loggedOut } })];
  if (earlier.version === agent.version) return [];

  const previous = agentIn(earlier);
  const about = { previous, secondsInPreviousState: secondsBetween(earlier.since, agent.changedAt) };
  if (isLoggedOut(agent)) return [event('Agent Logged Out', about)];

  const changed = changedFields(detailsOf(earlier), detailsOf(agent));
  return [
    ...(earlier.since === agent.since ? [] : [event('Agent State Changed', about)]),
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
        current: agentIn(agent),
      },
    };
  };

export const feedEventTypes = {
  live: 'Agent Feed Restored',
  interrupted: 'Agent Feed Interrupted',
} as const satisfies Record<FeedChange['status'], AgentEventType>;

/** The event of a new row about the feed. Such a row never changes, but an operator can mark it for replay. */
const feedEventOf = (change: RowWrite): BusEvent | undefined => {
  const { before, after } = change;
  const requestedAt = replayedAt(change);
  if (before !== undefined && requestedAt === undefined) return undefined;

  const { account, status, at, asOf, previousSince, reason, recordedAt } = feedChangeOf(after);
  const about = status === 'interrupted' ? { reason } : restoration(previousSince, at);
  return {
    type: feedEventTypes[status],
    key: `feed ${account}`,
    detail: withoutUndefined({
      schemaVersion: 1,
      id: contentHash(['feed', account, status, at]),
      account,
      occurredAt: at,
      recordedAt,
      replayedAt: requestedAt,
      asOf,
      ...about,
    }),
  };
};

const restoration = (interruptedAt: string, at: string) => ({
  interruptedAt,
  secondsInterrupted: Math.round(secondsBetween(interruptedAt, at)),
});

/** A change of a row, from the table's stream. */
export interface RowChange {
  /** Orders the changes of a shard. A batch that fails is retried from the sequence that the publisher names. */
  readonly sequence: string;
  readonly before?: Row | undefined;
  readonly after?: Row | undefined;
}

export interface BusEvent {
  readonly type: EventType;
  /** Events of one key reach the bus in their order. */
  readonly key: string;
  readonly detail: EventDetail & {
    readonly id: string;
    readonly recordedAt: string;
    readonly replayedAt?: string;
  };
}

export type EventDetail = Readonly<Record<string, unknown>>;

export interface EventBus {
  /** Answers for each event, in order, whether the bus accepted it. Throws when the bus cannot be reached. */
  publish(events: readonly BusEvent[]): Promise<readonly boolean[]>;
}

/**
 * When an operator requested a replay of the row's event, if this change is that request. The mark stays in the row until
 * the next write. So a change that has the same mark before and after requests nothing, nor does one that removes it.
 */
export const replayedAt = ({ before, after }: RowChange): string | undefined => {
  const requestedAt = after?.['replayedAt'];
  const isNew = before !== undefined && before['replayedAt'] !== requestedAt;
  return typeof requestedAt === 'string' && isNew ? requestedAt : undefined;
};
