import { agentIn, isLoggedOut } from '../agents/diff-agents.ts';
import { detailsOf } from '../agents/normalise-agent.ts';
import { agentIfAny, agentOf } from '../agents/rows.ts';
import { type CurrentAgent, FeedChange } from '../agents/schema.ts';
import { isImported, listedAtOf, rowKey } from '../calls/call-keys.ts';
import { type CallRecord, published, type RecordKey, timesOf } from '../calls/call-record.ts';
import { recordOf, withE164OfRow } from '../calls/call-row.ts';
import { changedFields } from '../calls/merge-deliveries.ts';
import type { AgentEventType } from '../contract/agent-events.ts';
import type { CallEventType } from '../contract/call-events.ts';
import type { EventType } from '../contract/events.ts';
import { featureRowKinds } from '../contract/features.ts';
import { once, withoutUndefined } from '../core/collections.ts';
import { contentHash } from '../core/encoding.ts';
import { secondsBetween } from '../core/time.ts';
import type { OneEventRow, RowEvent } from '../storage/event.ts';
import { type Row, readRow } from '../storage/rows.ts';
import { loggedOut } from '../telephony/vocabularies.ts';

/**
 * The events of a change, if any. They depend on the row's images alone, so a change that is read twice makes the same
 * events with the same ids. Throws if Callfeed did not write the row.
 */
export const eventsOf = ({ before, after }: RowChange): readonly BusEvent[] => {
  if (after === undefined) return [];
  const kind = rowKinds().get(after['kind']);
  return kind?.eventsOf({ before, after, replayedAt: replayOf({ before, after }) }) ?? [];
};

/** The `detail-type` of the event that a row makes now, and that a replay repeats; undefined if it makes none. */
export const eventTypeOfRow = (row: Row): EventType | undefined => rowKinds().get(row['kind'])?.typeOf(row);

/** How each kind of row makes events; any other kind makes none. */
const rowKinds = once(
  (): ReadonlyMap<unknown, RowKind> =>
    new Map<unknown, RowKind>([
      ['call', recordRow('call')],
      ['participant', recordRow('participant')],
      ['agent', { typeOf: () => undefined, eventsOf: agentEventsOf }],
      ['feed-change', oneEventRow(feedRow)],
      ...Object.entries(featureRowKinds).map(([kind, row]) => [kind, oneEventRow(row)] as const),
    ]),
);

interface RowWrite {
  readonly before: Row | undefined;
  readonly after: Row;
  readonly replayedAt: string | undefined;
}

interface RowKind {
  readonly typeOf: (row: Row) => EventType | undefined;
  readonly eventsOf: (write: RowWrite) => readonly BusEvent[];
}

/**
 * A row of a call or participant makes an event where subscribers see a difference: not for a delivery that added nothing, nor
 * for a row that expired. A row that is marked for replay makes the event of its present revision again.
 */
const recordRow = (kind: RecordKey['kind']): RowKind => ({
  typeOf: ({ revision }) => callEventType(kind, Number(revision)),
  eventsOf({ before, after, replayedAt }) {
    const record = recordOf(after);
    const isNew = (before && recordOf(before))?.revision !== record.revision;
    if (isNew) return [busEvent(recordEvent(record, after))];
    return replayedAt === undefined ? [] : [busEvent(recordEvent(record, after), replayedAt)];
  },
});

const callEventType = (kind: RecordKey['kind'], revision: number): CallEventType => {
  if (kind === 'participant') return 'Call Participant Recorded';
  return revision === 1 ? 'Call Summary Recorded' : 'Call Summary Revised';
};

const recordEvent = (record: CallRecord, row: Row): RowEvent<EventType> => {
  const { key, facts, revision, recordedAt, lastChange } = record;
  const { kind, ...identity } = key;
  const { pk, sk } = rowKey(key);
  const { source, ...content } = published(record);
  // Of a revision, or of a call without a time: when it changed, and in which fields.
  const ended = [facts['endedAt'], ...timesOf(facts)].find((at) => typeof at === 'string');
  const { occurredAt = ended, ...change } = lastChange ?? { revision };
  return {
    type: callEventType(kind, revision),
    key: `${pk} ${sk}`,
    identity: [kind, identity, revision],
    subject: identity,
    occurredAt,
    recordedAt,
    about: {
      ...(kind === 'call' && firstReceiptIfNeeded(record)),
      source,
      ...change,
      [kind]: withE164OfRow(content, row),
    },
  };
};

/** When the first delivery came, where the time of the call alone does not say where the call counts. */
const firstReceiptIfNeeded = (record: CallRecord): { readonly firstReceivedAt?: string | undefined } => {
  const at = listedAtOf(record);
  const firstReceivedAt = record.deliveries[0]?.receivedAt;
  if (at === undefined || firstReceivedAt === undefined) return {};
  return isImported(at, firstReceivedAt) || at !== timesOf(record.facts)[0] ? { firstReceivedAt } : {};
};

/** The events of a change of an agent's row: none if only the day changed, two if both state and details changed. */
const agentEventsOf = ({ before, after }: RowWrite): readonly BusEvent[] => {
  const agent = agentOf(after);
  const account = String(after['account']);
  // A previous row that does not parse is not the poller's, so no event was published for it.
  const earlier = before && agentIfAny(before);
  const event = (type: AgentEventType, about: object): BusEvent => agentEvent(type, account, agent, about);
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

const agentEvent = (type: AgentEventType, account: string, agent: CurrentAgent, about: object): BusEvent => {
  const { agentId, loggedInSince, version, changedAt, recordedAt } = agent;
  return busEvent({
    type,
    key: `agent ${account} ${agentId}`,
    identity: [type, account, agentId, loggedInSince, version],
    subject: { account },
    occurredAt: changedAt,
    recordedAt,
    about: { agentId, version, ...about, current: agentIn(agent) },
  });
};

const feedEventTypes: ReadonlyMap<unknown, AgentEventType> = new Map([
  ['live', 'Agent Feed Restored'],
  ['interrupted', 'Agent Feed Interrupted'],
]);

const feedRow: OneEventRow<AgentEventType> = {
  isReady: () => true,
  typeOf: ({ status }) => feedEventTypes.get(status),
  eventOf(read) {
    const { account, status, at, asOf, previousSince, reason, recordedAt } = read(FeedChange);
    const secondsInterrupted = Math.round(secondsBetween(previousSince, at));
    return {
      type: status === 'interrupted' ? 'Agent Feed Interrupted' : 'Agent Feed Restored',
      key: `feed ${account}`,
      identity: ['feed', account, status, at],
      subject: { account },
      occurredAt: at,
      recordedAt,
      about: status === 'interrupted' ? { asOf, reason } : { asOf, interruptedAt: previousSince, secondsInterrupted },
    };
  },
};

/** Such a row makes its event once, when it is first as the event says, and again when it is marked for replay. */
const oneEventRow = ({ isReady, typeOf, eventOf }: OneEventRow<EventType>): RowKind => ({
  typeOf: (row) => (isReady(row) ? typeOf(row) : undefined),
  eventsOf({ before, after, replayedAt }) {
    const isMade = before !== undefined && isReady(before);
    if (!isReady(after) || (isMade && replayedAt === undefined)) return [];
    const event = eventOf((schema) => readRow(schema, after));
    return [busEvent(event, replayedAt)];
  },
});

const busEvent = (
  { type, key, identity, subject, occurredAt, recordedAt, about }: RowEvent<EventType>,
  replayedAt?: string,
): BusEvent => ({
  type,
  key,
  detail: withoutUndefined({
    schemaVersion: 1,
    id: contentHash(identity),
    ...subject,
    occurredAt,
    recordedAt,
    replayedAt,
    ...about,
  }),
});

export interface RowChange {
  /** Orders the changes of a shard. A batch that fails is retried from the sequence that the publisher names. */
  readonly sequence: string;
  /** When the row was written, in milliseconds since the epoch; the stream knows it to the second. */
  readonly writtenMs?: number | undefined;
  readonly before?: Row | undefined;
  readonly after?: Row | undefined;
}

export interface BusEvent {
  readonly type: EventType;
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

/** When an operator requested a replay, if by this change: the mark stays in the row until the next write. */
const replayOf = ({ before, after }: Pick<RowWrite, 'before' | 'after'>): string | undefined => {
  const requestedAt = after['replayedAt'];
  const isNew = before !== undefined && before['replayedAt'] !== requestedAt;
  return typeof requestedAt === 'string' && isNew ? requestedAt : undefined;
};
