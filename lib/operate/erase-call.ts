import { type CallRecord, withDeliveries } from '../calls/call-record.ts';
import { recordOf } from '../calls/call-row.ts';
import { changedFields, type Delivery } from '../calls/merge-deliveries.ts';
import { type CallStoreSettings, changeRecord } from '../calls/record-delivery.ts';
import type { Facts } from '../core/collections.ts';
import { compressText, decompressText } from '../core/compression.ts';
import { erased } from '../core/text.ts';
import { type Person, withoutNestedValues } from './person.ts';

/** A row of a call from which a person has to be erased, and how. */
interface PlannedErasure {
  readonly record: CallRecord;
  readonly erase: (stored: CallRecord, now: string) => CallRecord;
}

/**
 * The rows from which a person has to be erased, of one call and its participants: none unless one of them names the
 * person. The rows that do come last. So whoever is stopped half-way still finds the call, and can do the rest.
 */
export const planErasure = (rows: readonly Facts[], person: Person): readonly PlannedErasure[] => {
  const records = rows.map(recordOf).filter(({ key }) => (person.account ?? key.account) === key.account);
  const names = new Set(records.filter((record) => namesPerson(record, person)));
  if (names.size === 0) return [];

  const eraseFacts = person.eraser(records);
  const erase = (stored: CallRecord, now: string) =>
    withDeliveries(
      stored,
      stored.deliveries.map((delivery) => withoutPerson(delivery, person, eraseFacts, now)),
      now,
    );
  return records
    .filter((record) => erase(record, '') !== record)
    .sort((a, b) => Number(names.has(a)) - Number(names.has(b)))
    .map((record) => ({ record, erase }));
};

const namesPerson = ({ facts, deliveries }: CallRecord, { isIn, isInText }: Person): boolean =>
  isIn(facts) || deliveries.some((delivery) => isIn(delivery.facts) || isInText(decompressText(delivery.asSent)));

/** The id stays, so that a repeat of what was sent is a duplicate and does not bring the person back. */
const withoutPerson = (
  delivery: Delivery,
  { isInText }: Person,
  eraseFacts: (facts: Facts) => Facts,
  now: string,
): Delivery => {
  const facts = withoutNestedValues(eraseFacts(delivery.facts));
  return changedFields(delivery.facts, facts).length === 0 && !isInText(decompressText(delivery.asSent))
    ? delivery
    : { ...delivery, facts, asSent: compressText(erased), erasedAt: now };
};

/**
 * Erases a person from the rows of one call and its participants, and from the entries that list it under its agents.
 * What was sent goes from each delivery that held any of it. A row whose facts change gets a revision, which is published,
 * so that subscribers can erase too. Doing it again changes nothing. Resolves with the number of rows that it changed.
 */
export const eraseCall =
  (settings: CallStoreSettings) =>
  async (rows: readonly Facts[], person: Person, signal: AbortSignal): Promise<number> => {
    const planned = planErasure(rows, person);
    for (const { record, erase } of planned) {
      const change = (stored = record) => ({ record: erase(stored, settings.clock().toISOString()) });
      const result = await changeRecord(settings)(change, signal, record);
      if (result === 'rejected') throw new Error('The table rejects the row as it would be.');
    }
    return planned.length;
  };
