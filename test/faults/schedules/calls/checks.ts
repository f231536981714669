import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import { recordOf } from '../../../../lib/calls/call-row.ts';
import type { RecordFacts } from '../../../../lib/calls/merge-deliveries.ts';
import { callEvents } from '../../../../lib/contract/call-events.ts';
import type { Row } from '../../../../lib/storage/rows.ts';
import type { DeliveredEvent } from '../../../../sandbox/aws/event-bus.ts';
import { must } from '../../property.ts';
import { callAccounts, mustExplainRepeats, straySecret } from '../processes.ts';
import { type CallRow, nameOf } from './call-rows.ts';
import { type AccountIndex, deliveriesIn, isParticipant, type Post } from './history.ts';
import type { PlayedCalls } from './play-calls.ts';

/** All attempts to deliver one distinct delivery. */
interface Tried {
  readonly record: string;
  readonly id: string;
  readonly facts: unknown;
  readonly at: readonly string[];
  readonly acknowledgedAt: readonly string[];
}

const DeadLetter = z.object({
  key: z.object({ kind: z.string(), account: z.string(), callId: z.string(), participantId: z.string().optional() }),
  delivery: z.object({ id: z.string() }),
});

const keyName = (key: z.infer<typeof DeadLetter>['key']): string =>
  nameOf(key.kind, key.account, key.callId, key.participantId);

const idOf = (record: string, id: string): string => `${record} ${id}`;

const triedIn = ({ ledger }: PlayedCalls): readonly Tried[] => {
  const all = ledger.tries.flatMap(({ post, at, isAcknowledged }) =>
    deliveriesIn(post).map(({ key, delivery: { id, facts } }) => ({
      record: keyName(key),
      id,
      facts,
      at,
      isAcknowledged,
    })),
  );
  return [...Map.groupBy(all, ({ record, id }) => idOf(record, id)).values()].flatMap((tries) =>
    tries.slice(0, 1).map(({ record, id, facts }) => ({
      record,
      id,
      facts,
      at: tries.map(({ at }) => at),
      acknowledgedAt: tries.filter(({ isAcknowledged }) => isAcknowledged).map(({ at }) => at),
    })),
  );
};

/**
 * Guarantee 1: what was acknowledged is in its row unchanged, with the time of the first receipt, and no row has anything
 * that was not posted. What recovery failed to store five times is a dead letter.
 */
export const mustKeepWhatWasAcknowledged = (played: PlayedCalls, rows: readonly CallRow[]): void => {
  const { world, processes } = played;
  const dead = new Set(
    world.deadLetters.messages().map(({ body, receiveCount }) => {
      const { key, delivery } = DeadLetter.parse(JSON.parse(body));
      const failures = processes.injected().filter(({ slot }) => slot === 'recovery').length;
      must(receiveCount >= 5 && failures >= 5, () => `${delivery.id} is a dead letter without five failures`);
      return idOf(keyName(key), delivery.id);
    }),
  );
  const hasFaults = processes.injected().length > 0;
  must(
    hasFaults || played.ledger.outstanding().length === 0,
    () => 'A post was not acknowledged, although there was no fault',
  );
  must(world.parking.messages().length === 0, () => 'A message stays parked');
  must(world.rows('quarantine').length === 0, () => 'A valid record is in quarantine');

  const stored = new Map(
    rows.flatMap(({ name, deliveries }) => deliveries.map((delivery) => [idOf(name, delivery.id), delivery] as const)),
  );
  const tried = new Map(triedIn(played).map((each) => [idOf(each.record, each.id), each]));
  for (const [id, { record, facts, at, acknowledgedAt }] of tried) {
    const found = stored.get(id);
    const isAcknowledged = acknowledgedAt.length > 0;
    if (found === undefined) {
      must(
        !isAcknowledged || dead.has(id),
        () => `Guarantee 1: ${record} lost what was acknowledged at ${acknowledgedAt}: ${JSON.stringify(facts)}`,
      );
      continue;
    }
    must(
      isDeepStrictEqual(found.facts, facts),
      () => `Guarantee 1: ${record} has ${JSON.stringify(found.facts)} instead of ${JSON.stringify(facts)}`,
    );
    must(
      at.includes(found.receivedAt),
      () => `Guarantee 3: ${record} has ${found.receivedAt} for what was received at ${at}`,
    );
    const [first = found.receivedAt] = acknowledgedAt.toSorted();
    must(
      found.receivedAt <= first || dead.has(id),
      () => `Guarantee 3: ${record} has ${found.receivedAt} for what was acknowledged at ${first}`,
    );
  }
  for (const [id, found] of stored) must(tried.has(id), () => `${id} was never posted: ${JSON.stringify(found)}`);
};

type Sent = Post['records'][number];

/** The rule of identity, by the README: these ids in this order; UCID and CallID never split what monitorUCID names. */
const callIdOf = (record: Sent, records: readonly Sent[]): string => {
  const named = (one: Sent) => String(one['monitorUCID'] ?? one['CallID'] ?? one['UCID']);
  if (!isParticipant(record)) return named(record);
  const calls = records.filter((one) => !isParticipant(one));
  const ids = (some: readonly Sent[]) => [...new Set(some.map(named))];
  const leg = record['UCID'];
  const [ofLeg, ...others] = ids(calls.filter((one) => one['UCID'] === leg));
  const all = ids(calls);
  if (all.includes(String(leg))) return String(leg);
  if (ofLeg !== undefined && others.length === 0) return ofLeg;
  return all.length === 1 ? all.join() : String(leg);
};

/** The local times that occur, in minutes after the first of them. */
const minutes: Readonly<Record<string, number>> = {
  '2026-11-20 11:00:00': 0,
  '2026-11-20 11:02:00': 2,
  '2026-11-20 11:05:00': 5,
};
const firstAt = ['2026-11-20T05:30:00.000Z', '2026-11-20T11:00:00.000Z'] as const;

const statuses: Readonly<Record<string, string>> = {
  Answered: 'answered',
  NotAnswered: 'not-answered',
  Fail: 'unknown',
};
const seconds: Readonly<Record<string, number>> = { '00:00:10': 10, 12: 12 };
const blanks = ['', '-', 'None'];

const textIn = (record: Sent, name: string): string | undefined => {
  const value = record[name];
  return typeof value !== 'string' || blanks.includes(value) ? undefined : value;
};

/** The expected reading of the few values that occur, under our names. It shares no code with the receiver. */
const expectedReading = (record: Sent, account: AccountIndex): RecordFacts => {
  const text = (name: string) => textIn(record, name);
  const chain = (name: string) => text(name)?.split(' -> ');
  const urls = (name: string) => {
    const all = text(name)?.split(',');
    return all && [...new Set(all)];
  };
  const instant = (name: string): string | undefined => {
    const later = minutes[text(name) ?? ''];
    return later === undefined ? undefined : new Date(Date.parse(firstAt[account]) + later * 60_000).toISOString();
  };
  const times = { startedAt: instant('StartTime'), endedAt: instant('EndTime') };
  if (isParticipant(record))
    return {
      ...times,
      pickedUpAt: instant('PickupTime'),
      agentName: text('AgentName'),
      exitStatus: text('ExitStatus'),
      recordings: urls('Audio'),
    };
  const extra = Object.entries(record).filter(([name]) => name === 'SkillID' || name === 'Tenant');
  return {
    ...times,
    status: statuses[text('Status') ?? ''],
    callDurationSeconds: seconds[text('CallDuration') ?? ''],
    customerNumber: text('CallerID'),
    agentIds: chain('AgentID'),
    dispositions: chain('Disposition'),
    comments: chain('Comments')?.map((comment) => comment.replace(straySecret, '***')),
    recordings: urls('AudioFile'),
    conferenceRecordings: urls('CallerConfAudioFile'),
    extra: extra.length === 0 ? undefined : Object.fromEntries(extra),
  };
};

/** Each record of a post is read correctly, and belongs to the call that it names. */
export const mustBeUnderstood = (post: Post): void => {
  const { records, account } = post;
  const { userName } = callAccounts[account];
  const understood = deliveriesIn(post);
  must(understood.length === records.length, () => `Of ${records.length} records ${understood.length} are read`);
  const participants = understood.filter(({ key }) => key.kind === 'participant').map(({ key }) => keyName(key));
  must(
    new Set(participants).size === participants.length,
    () => `Two participants of one post are one: ${participants}`,
  );
  for (const [index, { key, delivery }] of understood.entries()) {
    const { [index]: record = {} } = records;
    const expected = nameOf(isParticipant(record) ? 'participant' : 'call', userName, callIdOf(record, records));
    must(keyName(key).startsWith(expected), () => `A record of ${expected} is read as one of ${keyName(key)}`);
    for (const [field, value] of Object.entries(expectedReading(record, account)))
      must(
        isDeepStrictEqual(delivery.facts[field], value),
        () => `${field} of ${JSON.stringify(record)} is read as ${JSON.stringify(delivery.facts[field])}`,
      );
  }
};

interface PublishedEvent {
  readonly record: string;
  readonly id: string;
  readonly revision: number;
  readonly occurredAt: string;
  readonly facts: RecordFacts;
  readonly changed: readonly string[] | undefined;
}

/** Reads an envelope. Throws if it is not one of our events, or its type does not match its content. */
const parsePublishedEvent = ({ 'detail-type': type, detail, source }: DeliveredEvent): PublishedEvent => {
  const schema = new Map<string, { parse: (value: unknown) => unknown }>(Object.entries(callEvents)).get(type);
  must(schema !== undefined && source === 'callfeed', () => `There is no event ${type} of ${source}`);
  const { account, callId, participantId, id, revision, occurredAt, changedFields, call, participant, replayedAt } =
    Object(schema?.parse(detail));
  must(replayedAt === undefined, () => 'An event is marked as replayed');
  const kind = participantId === undefined ? 'call' : 'participant';
  const expected = revision === 1 ? 'Call Summary Recorded' : 'Call Summary Revised';
  must(
    type === (kind === 'call' ? expected : 'Call Participant Recorded'),
    () => `Revision ${revision} of a ${kind} is published as ${type}`,
  );
  return {
    record: nameOf(kind, account, callId, participantId),
    id,
    revision,
    occurredAt,
    facts: call ?? participant,
    changed: changedFields,
  };
};

/**
 * Guarantee 2: one event for each record and revision, in order, with what changed. It is repeated only with the same id,
 * and only after the publisher crashed, restarted or missed an answer.
 */
export const mustPublishEachRevisionOnce = (
  { world, processes, ledger }: PlayedCalls,
  rows: readonly CallRow[],
): number => {
  const published = world.events().map(parsePublishedEvent);
  const byRecord = Map.groupBy(published, ({ record }) => record);
  const ids = new Map<string, string>();
  const receipts = new Set(ledger.tries.map(({ at }) => at));
  let repeats = 0;

  for (const { name, revision, facts, row } of rows) {
    const events = byRecord.get(name) ?? [];
    const firsts = events.filter((event, index) => events.findIndex(({ id }) => id === event.id) === index);
    repeats += events.length - firsts.length;
    const order = firsts.map((event) => event.revision);
    const expected = Array.from({ length: revision }, (_, index) => index + 1);
    must(
      isDeepStrictEqual(order, expected),
      () => `Guarantee 2: ${name} has ${revision} revisions, and events of ${order}`,
    );
    must(isDeepStrictEqual(firsts.at(-1)?.facts, facts), () => `Guarantee 2: ${name} differs from its last event`);
    for (const event of events) mustBeLike(event, firsts);
    mustRememberItsChange(row, firsts.at(-1));
    for (const [index, event] of firsts.entries()) {
      must(!ids.has(event.id), () => `Guarantee 2: ${name} and ${ids.get(event.id)} have the same id`);
      ids.set(event.id, `${name}, revision ${event.revision}`);
      mustSayWhen(event, receipts);
      if (index > 0) mustNameChanges(event, firsts[index - 1]?.facts ?? {});
    }
  }
  const names = new Set(rows.map(({ name }) => name));
  for (const name of byRecord.keys()) must(names.has(name), () => `Guarantee 2: ${name} has events and no row`);

  mustExplainRepeats(processes, 'publisher', repeats);
  return repeats;
};

const mustBeLike = (event: PublishedEvent, firsts: readonly PublishedEvent[]): void => {
  const first = firsts.find(({ id }) => id === event.id);
  must(isDeepStrictEqual(event, first), () => `Guarantee 2: ${event.record}: an event was repeated with other content`);
};

/** A replay makes the event from the row, so the row has what the event said of its change. */
const mustRememberItsChange = (row: Row, last: PublishedEvent | undefined): void => {
  const { lastChange } = recordOf(row);
  const { revision, occurredAt, changed } = last ?? {};
  const isDated = revision === 1 && (last?.facts['endedAt'] ?? last?.facts['startedAt']) !== undefined;
  const expected = isDated ? undefined : { revision, occurredAt, ...(changed && { changedFields: changed }) };
  must(
    isDeepStrictEqual(lastChange, expected),
    () => `Guarantee 2: ${last?.record} has ${JSON.stringify(lastChange)} of the change ${JSON.stringify(expected)}`,
  );
};

/** By the README: the first event of a call occurred at its end or start, if known; any other at a receipt. */
const mustSayWhen = ({ record, revision, occurredAt, facts }: PublishedEvent, receipts: ReadonlySet<string>): void => {
  const known = revision === 1 ? (facts['endedAt'] ?? facts['startedAt']) : undefined;
  must(
    known === undefined ? receipts.has(occurredAt) : occurredAt === known,
    () => `${record}: revision ${revision} is dated ${occurredAt}`,
  );
};

const mustNameChanges = ({ record, revision, facts, changed }: PublishedEvent, before: RecordFacts): void => {
  const names = new Set([...Object.keys(before), ...Object.keys(facts)]);
  const expected = [...names].filter((name) => !isDeepStrictEqual(before[name], facts[name])).sort();
  must(expected.length > 0, () => `Guarantee 2: ${record}: revision ${revision} equals the one before`);
  must(
    isDeepStrictEqual(changed, expected),
    () => `Guarantee 2: ${record}: revision ${revision} names ${changed} as changed, not ${expected}`,
  );
};
