import type * as z from 'zod';
import { listedAtOf } from '../../lib/calls/call-keys.ts';
import { type CallRecord, mergedFacts } from '../../lib/calls/call-record.ts';
import { recordOf } from '../../lib/calls/call-row.ts';
import { changedFields, type RecordFacts } from '../../lib/calls/merge-deliveries.ts';
import type { Call, CallParticipant } from '../../lib/contract/rows.ts';
import { without } from '../../lib/core/collections.ts';
import { type ShownAccount, visible } from './accounts.ts';

/** Merges the deliveries one after the other, as the table did, and notes what each of them changed. */
export const withChanges = <Row extends Call | CallParticipant>(
  account: ShownAccount,
  kind: CallRecord['key']['kind'],
  row: Row,
  schema: z.core.$ZodType,
) => {
  const record = recordOf({ ...row, kind, version: row.revision });
  const visibleFacts = <Facts>(facts: Facts): Facts => visible(account, schema, facts);
  const merged = record.deliveries.map((_, index) => mergedFacts(record.key, record.deliveries.slice(0, index + 1)));
  const changes = record.deliveries.map(({ id, receivedAt, source }, index) => {
    const before = merged[index - 1] ?? {};
    const after = merged[index] ?? {};
    const fields = changedFields(before, after);
    return {
      id,
      receivedAt,
      source,
      before: visibleFacts(picked(before, fields)),
      after: visibleFacts(picked(after, fields)),
    };
  });
  const { revision, recordedAt } = row;
  // Each delivery that changed something made one revision. Not so where deliveries came together, or after an erasure: then
  // nobody knows.
  const effective = changes.filter(({ after }) => Object.keys(after).length > 0);
  const isEachKnown = effective.length === revision;
  const deliveries = changes.map((change) => ({
    ...change,
    /** The revision that the delivery made; undefined if it made none, or if nobody knows. */
    revision: isEachKnown && effective.includes(change) ? effective.indexOf(change) + 1 : undefined,
  }));
  const facts = without(row, ['deliveries', 'account', 'callId', 'lastChange', 'revision', 'recordedAt']);
  const participantId = 'participantId' in row ? row.participantId : undefined;
  return {
    participantId,
    revision,
    recordedAt,
    /** Its place in lists, which is of the day that links from it open. */
    listedAt: listedAtOf(record),
    facts: visibleFacts(facts),
    deliveries,
  };
};

const picked = (facts: RecordFacts, fields: readonly string[]): RecordFacts =>
  Object.fromEntries(fields.filter((field) => field in facts).map((field) => [field, facts[field]]));
