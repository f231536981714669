import { withDerived } from '../../lib/calls/call-record.ts';
import { recordOf } from '../../lib/calls/call-row.ts';
import { canonicalJson } from '../../lib/core/json.ts';
import type { EventDetail } from '../../lib/publish/events-of-change.ts';
import type { Row } from '../../lib/storage/rows.ts';

const recordName = ({ callId, participantId }: Row): string => JSON.stringify([callId, participantId]);

/**
 * What is wrong with the events of calls and participants, by their rows: each row has one event for each revision, from 1
 * to the last in order, and the last event equals the row unless it was truncated. Repeats under the same id do not count.
 */
export const revisionProblems = (rows: readonly Row[], details: readonly EventDetail[]): readonly string[] => {
  const records = rows.filter(({ kind }) => kind === 'call' || kind === 'participant');
  const distinct = new Map(
    details.filter(({ callId }) => callId !== undefined).map((detail) => [detail['id'], detail]),
  );
  const published = Map.groupBy(distinct.values(), recordName);
  const names = new Set(records.map(recordName));
  return [
    ...records.flatMap((row) => problemsOf(row, published.get(recordName(row)) ?? [])),
    ...[...published.keys()]
      .filter((name) => !names.has(name))
      .map((name) => `there are events of ${name}, but no row`),
  ];
};

const problemsOf = (row: Row, events: readonly EventDetail[]): readonly string[] => {
  const { key, facts, revision } = recordOf(row);
  const revisions = events.map((detail) => Number(detail['revision']));
  if (revisions.length !== revision || revisions.some((each, index) => each !== index + 1))
    return [`the events of ${recordName(row)} have the revisions ${revisions}, not 1 to ${revision}`];

  const last = events.at(-1);
  const isEqual = canonicalJson(last?.[key.kind]) === canonicalJson(withDerived(facts));
  return isEqual || last?.['shortenedFields'] !== undefined
    ? []
    : [`the last event of ${recordName(row)} differs from its row`];
};
