import { readReported } from '../../functions/reconcile-calls/store-report.ts';
import { type Account, isForwarded } from '../../lib/accounts/accounts.ts';
import { readCall, readParticipant } from '../../lib/callback/normalise-records.ts';
import { type CallRecord, type RecordKey, withDeliveries } from '../../lib/calls/call-record.ts';
import { recordOf, rowOf } from '../../lib/calls/call-row.ts';
import {
  byReceipt,
  changedFields,
  type Delivery,
  deliveryOf,
  type RecordFacts,
} from '../../lib/calls/merge-deliveries.ts';
import type { ReadingRules } from '../../lib/calls/normalise-facts.ts';
import { type CallStoreSettings, changeRecord } from '../../lib/calls/record-delivery.ts';
import { postingOf } from '../../lib/calls/stored-delivery.ts';
import { withoutUndefined } from '../../lib/core/collections.ts';
import { decompressText } from '../../lib/core/encoding.ts';
import { fieldsOf, isJsonObject, parseJsonWithoutBadParts } from '../../lib/core/json.ts';
import type { Row } from '../../lib/storage/rows.ts';
import { changedE164, type E164Change } from './e164-changes.ts';

export interface Renormalised {
  /** Whether the row is written: no other changes. */
  readonly isWritten: boolean;
  /** Whether it gets a revision, which is published. */
  readonly isRevised: boolean;
  /** The attributes that change; `deliveries` where only they do, as by a country that the account has got. */
  readonly changedFields: readonly string[];
  readonly e164: readonly E164Change[];
}

/**
 * Derives the row of a call or participant again from its deliveries as they were sent, by today's rules and in the
 * account's present time zone and country. A row whose facts change gets a revision, which is published; any other gets none,
 * even if its E.164 forms change. Doing it again changes nothing. The row keeps its key: a call stays the same call. Throws if
 * the table cannot be reached, or can never hold the new row.
 */
export const renormaliseRow =
  ({ isDryRun, ...settings }: CallStoreSettings & { readonly isDryRun: boolean }) =>
  async (row: Row, account: Account, signal: AbortSignal): Promise<Renormalised> => {
    const read = recordOf(row);
    const change = (stored = read): Renormalised & { readonly record: CallRecord } => {
      const derived = derivedAgain(stored, account, settings.clock().toISOString());
      const e164 = stored === read ? changedE164(row, rowOf(derived, settings.retentionDays)) : [];
      const isSame = derived === stored && e164.length > 0;
      const record = isSame ? { ...stored, version: stored.version + 1 } : derived;
      const isWritten = record !== stored;
      const changed = [...new Set([...changedFields(stored.facts, record.facts), ...namesOf(e164)])];
      return {
        record,
        isWritten,
        isRevised: record.revision > stored.revision,
        changedFields: isWritten && changed.length === 0 ? ['deliveries'] : changed,
        e164,
      };
    };
    if (isDryRun) return change();

    const result = await changeRecord(settings)(change, signal, read);
    if (result === 'rejected') throw new Error('The table rejects the row as it would be.');
    return result;
  };

/** The attributes of the row that have them. */
const namesOf = (e164: readonly E164Change[]): readonly string[] =>
  e164.map(({ field, leg }) => (leg === undefined ? field : 'legs')).toSorted();

const derivedAgain = (stored: CallRecord, account: Account, now: string): CallRecord =>
  withDeliveries(
    stored,
    distinct(stored.deliveries.map((delivery) => deliveredAgain(stored.key.kind, delivery, account))),
    now,
  );

/** A text that is no record keeps its facts, such as an erased one. A post still to be forwarded names others by their first ids. */
const deliveredAgain = (kind: CallRecord['key']['kind'], delivery: Delivery, account: Account): Delivery => {
  const facts = factsOfText(kind, { ...delivery, text: decompressText(delivery.asSent) }, account);
  if (facts === undefined) return withoutUndefined({ ...delivery, country: account.country });
  const { formerId = delivery.id, ...posting } = delivery.posting ?? {};
  const again = deliveryOf(facts, { ...delivery, country: account.country, posting: postingOf(posting) });
  return isForwarded(account) && again.id !== formerId ? { ...again, posting: { ...posting, formerId } } : again;
};

/** Rules that learn can make two deliveries the same one: the first received counts. */
const distinct = (deliveries: readonly Delivery[]): readonly Delivery[] =>
  deliveries.toSorted(byReceipt).filter(({ id }, index, all) => all.findIndex((one) => one.id === id) === index);

export const factsOfText = (
  kind: RecordKey['kind'],
  { text, source, day }: { readonly text: string } & Pick<Delivery, 'source' | 'day'>,
  rules: ReadingRules,
): RecordFacts | undefined => {
  // A record of the call report may have parts that no callback may have: they were left out when it was read first.
  const value = parseJsonWithoutBadParts(text);
  if (!isJsonObject(value)) return undefined;
  const fields = fieldsOf(value, text);
  if (kind === 'participant') return readParticipant(fields, rules).facts;
  return (source === 'report' ? readReported(fields, rules, day) : readCall(fields, rules)).facts;
};
