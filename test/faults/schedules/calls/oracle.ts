import { isDeepStrictEqual } from 'node:util';
import type { RecordFacts } from '../../../../lib/calls/merge-deliveries.ts';

/** The parts of a delivery that guarantee 3 needs. */
export interface ObservedDelivery {
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
export const expectedFacts = (kind: Kind, deliveries: readonly ObservedDelivery[]): RecordFacts => {
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
