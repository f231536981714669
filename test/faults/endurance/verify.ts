import type { CallRecord } from '../../../lib/calls/call-record.ts';
import { recordOf, withDerived } from '../../../lib/calls/call-row.ts';
import { canonicalJson } from '../../../lib/core/canonical-json.ts';
import { type Ledger, nameOf } from './ledger.ts';
import type { StoredEvent, StoredState } from './stored-state.ts';
import { verifyQuarantine, verifyRows } from './verify-rows.ts';

/** An event, and its place among all. */
export interface PlacedEvent {
  readonly event: StoredEvent;
  readonly place: number;
}

/** Two tellings of one revision need a crash between them, and are the same to the letter. */
const verifyRepeats = (told: readonly PlacedEvent[], killedAfter: readonly number[]): readonly string[] =>
  told.slice(1).flatMap(({ event, place }, index) => {
    const before = told[index];
    if (before === undefined) return [];
    const crashes = killedAfter.filter((count) => before.place < count && count <= place);
    return [
      ...(crashes.length > 0 ? [] : ['was told twice without a crash between']),
      ...(before.event.detail['id'] === event.detail['id'] ? [] : ['was told again under another id']),
      ...(canonicalJson(before.event) === canonicalJson(event) ? [] : ['was told again in other words']),
    ];
  });

/** The latest event says what the row says, unless it had to be shortened. */
const verifyLatest = ({ detail }: StoredEvent, { key, facts }: CallRecord): readonly string[] =>
  detail['shortenedFields'] !== undefined || canonicalJson(detail[key.kind]) === canonicalJson(withDerived(facts))
    ? []
    : ['is not what the row says'];

/** Compares the events of one record with it: one for each revision, in their order. */
const verifyRecordEvents = (
  record: CallRecord,
  told: readonly PlacedEvent[],
  killedAfter: readonly number[],
): readonly string[] => {
  const { key, revision } = record;
  const byRevision = Map.groupBy(told, ({ event }) => Number(event.detail['revision']));
  const due = Array.from({ length: revision }, (_, index) => index + 1);
  const places = due.flatMap((number) => byRevision.get(number)?.[0]?.place ?? []);

  const wrongsOf = (number: number): readonly string[] => {
    const ofRevision = byRevision.get(number) ?? [];
    return [
      ...(ofRevision.length === 0 ? ['was never told'] : []),
      ...(number > revision ? ['never was'] : []),
      ...verifyRepeats(ofRevision, killedAfter),
      ...(number === revision ? ofRevision.slice(-1).flatMap(({ event }) => verifyLatest(event, record)) : []),
    ];
  };
  return [
    ...[...new Set([...due, ...byRevision.keys()])].flatMap((number) =>
      wrongsOf(number).map((wrong) => `Revision ${number} of ${nameOf(key)} ${wrong}.`),
    ),
    ...(places.every((place, index) => place > (places[index - 1] ?? -1))
      ? []
      : [`The revisions of ${nameOf(key)} were told out of order.`]),
  ];
};

/** What of a crash can be told again: the batch of the stream that was at work. */
const mostRepeatsOfCrash = 100;

/** The record that an event tells of, as the ledger names it; undefined for events of agents. */
const recordNameOf = ({ detail }: StoredEvent): string | undefined => {
  const { account, callId, leg, participantId } = detail;
  if (callId === undefined) return undefined;
  const [kind, part] = leg === undefined ? ['participant' as const, participantId] : ['call' as const, leg];
  return nameOf({ kind, account: String(account), callId: String(callId), part: String(part) });
};

/** How many events were told that had been told before. */
export const repeatsIn = (events: readonly StoredEvent[]): number =>
  events.length - new Set(events.map(({ detail }) => detail['id'])).size;

/** Ids that stand for more than one event. */
const sharedIds = (events: readonly StoredEvent[]): readonly unknown[] =>
  [...Map.groupBy(events, ({ detail }) => detail['id'])]
    .filter(([, same]) => new Set(same.map((event) => `${recordNameOf(event)} ${event.detail['revision']}`)).size > 1)
    .map(([id]) => id);

/** Compares the events with the rows: one for each revision, by its id, and repeats only around a crash. */
const verifyEvents = ({ calls, events, killedAfter }: StoredState): readonly string[] => {
  const records = calls.filter(({ kind }) => kind !== 'agent-entry').map(recordOf);
  const told = Map.groupBy(
    events.map((event, place): PlacedEvent => ({ event, place })),
    ({ event }) => recordNameOf(event),
  );
  told.delete(undefined);
  const names = new Set<string | undefined>(records.map(({ key }) => nameOf(key)));
  const repeats = repeatsIn([...told.values()].flat().map(({ event }) => event));
  const mostRepeats = mostRepeatsOfCrash * killedAfter.length;

  return [
    ...records.flatMap((record) => verifyRecordEvents(record, told.get(nameOf(record.key)) ?? [], killedAfter)),
    ...[...told.keys()]
      .filter((name) => !names.has(name))
      .map((name) => `There are events of ${name}, of which there is no row.`),
    ...sharedIds(events).map((id) => `The id ${id} is that of two different events.`),
    ...(repeats > mostRepeats ? [`${repeats} events were told again, where crashes account for ${mostRepeats}.`] : []),
  ];
};

/** Compares all that there is with all that was posted and answered. */
export const verify = (ledger: Ledger, found: StoredState): readonly string[] => [
  ...ledger.wrongAnswers.map((wrong) => `A post was answered ${wrong}.`),
  ...verifyRows(ledger, found.calls),
  ...verifyEvents(found),
  ...verifyQuarantine(ledger, found.quarantine),
];
