import { canonicalJson } from '../../lib/json/canonical-json.ts';
import { withDerived } from '../../lib/record/derived.ts';
import type { CallRecord } from '../../lib/record/record.ts';
import type { FoundEvent } from './found.ts';
import { nameOf } from './ledger.ts';

/** An event, and its place among all. */
export interface Told {
  readonly event: FoundEvent;
  readonly place: number;
}

/** Two tellings of one revision need a crash between them, and are the same to the letter. */
const proveRepeats = (told: readonly Told[], killedAfter: readonly number[]): readonly string[] =>
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
const proveLatest = ({ detail }: FoundEvent, { key, facts }: CallRecord): readonly string[] =>
  detail['shortenedFields'] !== undefined || canonicalJson(detail[key.kind]) === canonicalJson(withDerived(facts))
    ? []
    : ['is not what the row says'];

/** Compares the events of one record with it: one for each revision, in their order. */
export const proveRecordEvents = (
  record: CallRecord,
  told: readonly Told[],
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
      ...proveRepeats(ofRevision, killedAfter),
      ...(number === revision ? ofRevision.slice(-1).flatMap(({ event }) => proveLatest(event, record)) : []),
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
