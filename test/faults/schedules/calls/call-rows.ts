import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import { type CallRecord, type RecordKey, withDerived } from '../../../../lib/calls/call-record.ts';
import type { RecordFacts } from '../../../../lib/calls/merge-deliveries.ts';
import { applyDeliveries } from '../../../../lib/calls/record-delivery.ts';
import type { Row } from '../../../../lib/storage/rows.ts';
import { seededRandom, shuffled } from '../../../../sandbox/simulator/random.ts';
import { must } from '../../property.ts';

/** The parts of a delivery that guarantee 3 needs. */
interface ObservedDelivery {
  readonly id: string;
  readonly receivedAt: string;
  readonly asSent: string;
  readonly facts: RecordFacts;
}

type Kind = 'call' | 'participant';

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const isAutomatic = (disposition: unknown): boolean =>
  String(disposition).toLowerCase().replaceAll(' ', '').startsWith('wrapuptimeexceeded');

/** 2 for an agent’s own disposition, 1 for an automatic one, 0 for none. */
const dispositionOf = ({ dispositions }: RecordFacts): number => {
  if (dispositions === undefined) return 0;
  return listOf(dispositions).every(isAutomatic) ? 1 : 2;
};

const statuses: Readonly<Record<string, number>> = { answered: 2, 'not-answered': 1 };

/** How rich a delivery is, as one number: an earlier criterion outweighs all later ones. */
const richnessOf = (kind: Kind, facts: RecordFacts): number => {
  const recordings = facts['recordings'] !== undefined || facts['conferenceRecordings'] !== undefined ? 1 : 0;
  if (kind === 'participant') return (facts['endedAt'] === undefined ? 0 : 10) + recordings;
  // An automatic disposition counts as none: it is no proof that somebody knew more.
  const hasOwnDisposition = dispositionOf(facts) === 2 ? 1 : 0;
  return 100 * (statuses[String(facts['status'])] ?? 0) + 10 * hasOwnDisposition + recordings;
};

const isLater = (one: ObservedDelivery, other: ObservedDelivery): boolean =>
  one.receivedAt === other.receivedAt ? one.id > other.id : one.receivedAt > other.receivedAt;

const lists = new Set(['recordings', 'conferenceRecordings']);

/** Whether a name is a field of its own: the others go with a field, or accumulate. */
const isField = (name: string): boolean => !name.endsWith('AsSent') && name !== 'extra' && name !== 'notes';

interface Note {
  readonly field: string;
  readonly reason: string;
}

const notesIn = ({ notes }: RecordFacts): readonly Note[] => (Array.isArray(notes) ? notes : []);

/**
 * The facts of a set of deliveries by guarantee 3, derived field by field from its text. It shares no code with the merge
 * that it checks.
 */
const expectedFacts = (kind: Kind, deliveries: readonly ObservedDelivery[]): RecordFacts => {
  const { notes, ...facts } = expectedMerge(kind, deliveries);
  return withElapsed({ ...facts, ...(kind === 'call' && legsIn(deliveries)) }, notesIn({ notes }));
};

/** What is known of each leg, and the agents of all, where several UCIDs are named. Those of the whole call come first. */
const legsIn = (deliveries: readonly ObservedDelivery[]): RecordFacts => {
  const named = [...new Set(deliveries.map(({ facts }) => facts['ucid']))];
  const parts = named
    .map((ucid) =>
      withSortedNotes(
        expectedMerge(
          'call',
          deliveries.filter(({ facts }) => facts['ucid'] === ucid),
        ),
      ),
    )
    .sort((a, b) => (legOrder(a) < legOrder(b) ? -1 : 1));
  const legs = parts.filter(({ ucid }) => ucid !== undefined);
  if (legs.length < 2) return {};
  const agents = ['agentIds', 'agentNames', 'agentUniqueIds'].map(
    (name) => [name, [...new Set(parts.flatMap((part) => listOf(part[name])))]] as const,
  );
  return { legs, ...Object.fromEntries(agents.filter(([, list]) => list.length > 0)) };
};

const legOrder = ({ ucid, startedAt }: RecordFacts): string =>
  `${ucid === undefined ? 0 : 1} ${startedAt ?? '9999'} ${ucid}`;

const withSortedNotes = ({ notes, ...facts }: RecordFacts): RecordFacts => withNotes(facts, notesIn({ notes }));

/** The merge of deliveries as if they were about one leg; its notes are in no order. */
const expectedMerge = (kind: Kind, deliveries: readonly ObservedDelivery[]): RecordFacts => {
  const beats = (one: ObservedDelivery, other: ObservedDelivery): boolean => {
    const difference = richnessOf(kind, one.facts) - richnessOf(kind, other.facts);
    return difference === 0 ? isLater(one, other) : difference > 0;
  };
  const beatsFor =
    (field: string) =>
    (one: ObservedDelivery, other: ObservedDelivery): boolean => {
      const difference =
        field === 'dispositions' && kind === 'call' ? dispositionOf(one.facts) - dispositionOf(other.facts) : 0;
      return difference === 0 ? beats(one, other) : difference > 0;
    };
  const best = (some: readonly ObservedDelivery[], better = beats): ObservedDelivery | undefined =>
    some.find((one) => some.every((other) => other === one || better(one, other)));

  const names = new Set(deliveries.flatMap(({ facts }) => Object.keys(facts)).filter(isField));
  const extras = new Set(deliveries.flatMap(({ facts }) => Object.keys(Object(facts['extra']))));
  const noted = new Set(deliveries.flatMap(({ facts }) => notesIn(facts).map(({ field }) => field)));
  const winners = new Map(
    [...names].map((name) => [
      name,
      best(
        deliveries.filter(({ facts }) => name in facts),
        beatsFor(name),
      ),
    ]),
  );
  for (const name of noted)
    if (!names.has(name))
      winners.set(name, best(deliveries.filter(({ facts }) => notesIn(facts).some(({ field }) => field === name))));

  const result: Record<string, unknown> = {};
  for (const [name, winner] of winners)
    for (const key of [name, `${name}AsSent`])
      if (winner !== undefined && key in winner.facts) result[key] = winner.facts[key];
  const byReceipt = [...deliveries].sort((a, b) => (isLater(a, b) ? 1 : -1));
  for (const name of names)
    if (lists.has(name)) result[name] = [...new Set(byReceipt.flatMap(({ facts }) => listOf(facts[name])))];
  const extra = [...extras].map((name) => [
    name,
    Object(best(deliveries.filter(({ facts }) => name in Object(facts['extra'])))?.facts['extra'])[name],
  ]);
  if (extra.length > 0) result['extra'] = Object.fromEntries(extra);

  const notes = [...winners].flatMap(([name, winner]) => {
    const noting = lists.has(name) ? byReceipt : [winner].filter((one) => one !== undefined);
    const found = noting.flatMap(({ facts }) => notesIn(facts).filter(({ field }) => field === name));
    return found.filter((note, index) => found.findIndex((one) => isDeepStrictEqual(one, note)) === index);
  });
  return { ...result, notes };
};

/** The time from start to end, or a note that the end came first; and the notes in their order. */
const withElapsed = (facts: RecordFacts, notes: readonly Note[]): RecordFacts => {
  const ms = Date.parse(String(facts['endedAt'])) - Date.parse(String(facts['startedAt']));
  const all = ms < 0 ? [...notes, { field: 'endedAt', reason: 'end-before-start' }] : notes;
  return withNotes({ ...facts, ...(ms >= 0 && { elapsedSeconds: ms / 1000 }) }, all);
};

const withNotes = (facts: RecordFacts, notes: readonly Note[]): RecordFacts => {
  const placed = (note: Note): string => `${note.field} ${note.reason}`;
  const sorted = [...notes].sort((a, b) => (placed(a) < placed(b) ? -1 : 1));
  return { ...facts, ...(sorted.length > 0 && { notes: sorted }) };
};

/** A row of a call or participant, read without the product’s own reader. */
export interface CallRow {
  readonly name: string;
  readonly kind: 'call' | 'participant';
  readonly account: string;
  readonly callId: string;
  readonly participantId: string | undefined;
  readonly revision: number;
  readonly facts: RecordFacts;
  readonly deliveries: readonly ObservedDelivery[];
  readonly row: Row;
}

/** The attributes of a row that are not facts, by the README. */
const notFacts = new Set([
  ...['pk', 'sk', 'kind', 'account', 'callId', 'participantId', 'revision', 'version', 'recordedAt'],
  ...['firstReceivedAt', 'lastReceivedAt', 'expiresAt', 'deliveries', 'replayedAt', 'lastChange'],
  ...['accountCalls', 'customerCalls', 'agentCalls', 'listedAt', 'lateCalls', 'firstRecordedAt'],
]);

const CallRowShape = z.object({
  kind: z.enum(['call', 'participant']),
  account: z.string(),
  callId: z.string(),
  participantId: z.string().optional(),
  revision: z.int().positive(),
  deliveries: z.array(
    z.object({ id: z.string(), receivedAt: z.string(), asSent: z.string(), differences: z.looseObject({}).optional() }),
  ),
});

export const nameOf = (kind: string, account: string, callId: string, participantId = ''): string =>
  `${kind} ${account} ${callId} ${participantId}`;

export const callRow = (row: Row): CallRow => {
  const { kind, account, callId, participantId, revision, deliveries } = CallRowShape.parse(row);
  const facts = Object.fromEntries(Object.entries(row).filter(([name]) => !notFacts.has(name)));
  const common = asReceived(facts);
  return {
    name: nameOf(kind, account, callId, participantId),
    kind,
    account,
    callId,
    participantId,
    revision,
    facts,
    row,
    deliveries: deliveries.map(({ differences, ...delivery }) => ({
      ...delivery,
      facts: Object.fromEntries(Object.entries({ ...common, ...differences }).filter(([, value]) => value !== null)),
    })),
  };
};

/** Without derived facts, which no delivery has. */
const asReceived = ({ elapsedSeconds: _elapsed, notes, ...facts }: RecordFacts): RecordFacts => {
  const received = (Array.isArray(notes) ? notes : []).filter(({ reason }) => reason !== 'end-before-start');
  return received.length === 0 ? facts : { ...facts, notes: received };
};

const shown = (value: unknown): string => JSON.stringify(value);

/** Guarantee 3: the row follows from its deliveries, and has their first and last time of receipt. */
export const mustFollowFromDeliveries = (row: CallRow, seed: number): void => {
  const { name, kind, facts, deliveries } = row;
  const expected = expectedFacts(kind, deliveries);
  must(
    isDeepStrictEqual(facts, expected),
    () => `Guarantee 3: ${name} has ${shown(facts)} instead of ${shown(expected)}`,
  );

  const again = replayed(row, seed);
  must(
    isDeepStrictEqual(again, facts),
    () => `Guarantee 3: ${name}: in another order its deliveries make ${shown(again)} instead of ${shown(facts)}`,
  );

  const instants = deliveries.map(({ receivedAt }) => receivedAt).sort();
  must(
    row.row['firstReceivedAt'] === instants[0],
    () => `${name} was first received at ${instants[0]}, not ${row.row['firstReceivedAt']}`,
  );
  must(
    row.row['lastReceivedAt'] === instants.at(-1),
    () => `${name} was last received at ${instants.at(-1)}, not ${row.row['lastReceivedAt']}`,
  );
};

/** The facts that the same deliveries make in another order, with repeats of a later receipt among them. */
const replayed = ({ account, callId, participantId, deliveries }: CallRow, seed: number): RecordFacts => {
  const call = { account, callId };
  const key: RecordKey =
    participantId === undefined ? { kind: 'call', ...call } : { kind: 'participant', ...call, participantId };
  const late = '2027-01-01T00:00:00.000Z';
  const [one] = deliveries;
  const repeats = one === undefined ? [] : [{ ...one, receivedAt: late }];
  let record: CallRecord | undefined;
  for (const delivery of shuffled(seededRandom(seed), [...deliveries, ...repeats]))
    record = applyDeliveries(key, record, [delivery], late).record;
  return withDerived(record?.facts ?? {});
};

const asJson = (value: unknown): string => JSON.stringify(value);

const dayS = 86_400;

/** By the README, unless a deployment says otherwise. */
const retentionDays = 730;

/** The index keys and the expiry of a row, by the README. */
const listed = ({ kind, account, facts, row }: CallRow): Row => {
  const { startedAt, endedAt, customerNumber } = facts;
  const { firstReceivedAt, recordedAt, revision } = row;
  const [agentId] = agentsIn(facts);
  const isCall = kind === 'call';
  const listedAt = startedAt ?? endedAt ?? firstReceivedAt;
  const firstRecordedAt = revision === 1 ? recordedAt : row['firstRecordedAt'];
  const delayS = (Date.parse(String(firstRecordedAt)) - Date.parse(String(listedAt))) / 1_000;
  const isLate = isCall && (delayS > 3600 || delayS < -300);
  return {
    expiresAt: Math.floor(Date.parse(String(firstReceivedAt)) / 1_000) + retentionDays * dayS,
    listedAt: isCall ? listedAt : undefined,
    lateCalls: isLate ? account : undefined,
    firstRecordedAt: isLate || (isCall && revision !== 1) ? firstRecordedAt : undefined,
    accountCalls: isCall ? account : undefined,
    customerCalls: isCall && customerNumber !== undefined ? `${account}#${customerNumber}` : undefined,
    agentCalls: isCall && agentId !== undefined ? `${account}#${agentId}` : undefined,
  };
};

/** A call is listed by time, by its customer and by its first agent; a participant is found through its call. */
export const mustBeListed = (call: CallRow): void => {
  const { expiresAt, listedAt, lateCalls, firstRecordedAt, accountCalls, customerCalls, agentCalls } = call.row;
  const found = { expiresAt, listedAt, lateCalls, firstRecordedAt, accountCalls, customerCalls, agentCalls };
  const expected = listed(call);
  must(
    call.kind === 'participant' || call.revision === 1 || !Number.isNaN(Date.parse(String(firstRecordedAt))),
    () => `${call.name} does not have when it was first recorded, but ${firstRecordedAt}`,
  );
  must(
    isDeepStrictEqual(found, expected),
    () => `${call.name} is listed as ${asJson(found)}, and should be as ${asJson(expected)}`,
  );
};

/** A call of several agents is listed under each of them, and under nobody else. */
export const mustBeListedUnderAgents = (rows: readonly CallRow[], entries: readonly Row[]): void => {
  const found = entries.map(({ account, callId, agentCalls }) => asJson([account, callId, agentCalls])).sort();
  const expected = rows
    .filter(({ kind }) => kind === 'call')
    .flatMap(({ account, callId, facts }) =>
      agentsIn(facts)
        .slice(1)
        .map((agentId) => asJson([account, callId, `${account}#${agentId}`])),
    )
    .sort();
  must(
    isDeepStrictEqual(found, expected),
    () => `Calls are listed under further agents as ${found}, and should be as ${expected}`,
  );
};

const agentsIn = ({ agentIds }: RecordFacts): readonly string[] =>
  Array.isArray(agentIds) ? [...new Set(agentIds)] : [];
