import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import type { RecordFacts } from '../../../../lib/calls/merge-deliveries.ts';
import { must } from '../../models/model.ts';
import { callAccounts, straySecret } from '../processes.ts';
import { type CallRow, nameOf } from './call-rows.ts';
import type { PlayedCalls } from './calls.ts';
import { type AccountIndex, isParticipant, type Post } from './history.ts';
import { deliveriesIn } from './ledger.ts';

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
      ...{ record: keyName(key), id, facts, at, isAcknowledged },
    })),
  );
  return [...Map.groupBy(all, ({ record, id }) => idOf(record, id)).values()].flatMap((tries) =>
    tries.slice(0, 1).map(({ record, id, facts }) => ({
      ...{ record, id, facts },
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
