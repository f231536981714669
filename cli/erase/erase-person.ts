import type { QuarantineEntry } from '../../lib/callback/schema.ts';
import { bodyOf, quarantineEntry } from '../../lib/callback/store-or-park.ts';
import { erased } from '../../lib/calls/call-keys.ts';
import { type CallRecord, withDeliveries } from '../../lib/calls/call-record.ts';
import { recordOf } from '../../lib/calls/call-row.ts';
import { changedFields, type Delivery, type RecordFacts } from '../../lib/calls/merge-deliveries.ts';
import { type CallStoreSettings, changeRecord } from '../../lib/calls/record-delivery.ts';
import { isObject } from '../../lib/core/collections.ts';
import { compressText, decompressText } from '../../lib/core/encoding.ts';
import { tryParseJson } from '../../lib/core/json.ts';
import { jsonParts } from '../../lib/core/json-text.ts';
import type { Row } from '../../lib/storage/rows.ts';
import { recordingFacts } from '../../lib/telephony/call-fields.ts';
import { notesOf } from '../../lib/telephony/field-kinds.ts';
import { factsOfText } from '../renormalise/renormalise-row.ts';

export interface Person {
  /** Only rows of this account; rows of every account if undefined. */
  readonly account: string | undefined;
  readonly isIn: (facts: unknown) => boolean;
  /** Whether a text that was sent names the person: a record, a list of records, or a broken one. */
  readonly isInText: (text: string) => boolean;
  /** Removes the person from the facts of each delivery about a call and its participants. */
  readonly eraser: (call: readonly CallRecord[]) => (facts: RecordFacts) => RecordFacts;
}

export const literalPattern = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);

export const replaceTexts = (value: unknown, replace: (text: string) => string): unknown => {
  if (typeof value === 'string') return replace(value);
  if (Array.isArray(value)) return value.map((entry) => replaceTexts(entry, replace));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, entry]) => [replace(name), replaceTexts(entry, replace)]),
  );
};

/** The facts with some of their fields replaced, if they have them: a field stays a text, and a list a list. */
export const replaceFields = (
  facts: RecordFacts,
  fields: readonly string[],
  replace: (value: unknown) => unknown,
): RecordFacts => ({
  ...facts,
  ...Object.fromEntries(fields.filter((field) => field in facts).map((field) => [field, replace(facts[field])])),
});

/** The facts without links to recordings: nobody knows who speaks there, and a link that stays would be archived again. */
export const withoutRecordings = (facts: RecordFacts): RecordFacts =>
  replaceFields(facts, recordingFacts, (value) => (Array.isArray(value) ? [erased] : erased));

/** The facts without what was sent in place of texts and links: nobody knows what is in it. */
const withoutNestedValues = (facts: RecordFacts): RecordFacts =>
  replaceFields(facts, ['notes'], () =>
    notesOf(facts).map((note) =>
      ['not-a-scalar', 'no-link'].includes(note.reason) && 'asSent' in note ? { ...note, asSent: erased } : note,
    ),
  );

interface PlannedErasure {
  readonly record: CallRecord;
  readonly erase: (stored: CallRecord, now: string) => CallRecord;
}

/** The rows of a call to erase a person from, if any names them; those that do come last, so that a stopped erasure can go on. */
export const planErasure = (rows: readonly Row[], person: Person): readonly PlannedErasure[] => {
  const isOther = ({ account }: Row) =>
    person.account !== undefined && typeof account === 'string' && account !== person.account;
  const records = rows.filter((row) => !isOther(row)).map(recordOf);
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

/** The record's own facts too: a release with other rules may have merged them. */
const namesPerson = (record: CallRecord, { isIn, isInText }: Person): boolean =>
  isIn(record.facts) || record.deliveries.some(({ facts, asSent }) => isIn(facts) || isInText(decompressText(asSent)));

/** The id stays, so that a repeat of what was sent is a duplicate and does not bring the person back. */
const withoutPerson = (
  delivery: Delivery,
  { isInText }: Person,
  eraseFacts: (facts: RecordFacts) => RecordFacts,
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
  async (rows: readonly Row[], person: Person, signal: AbortSignal): Promise<number> => {
    const planned = planErasure(rows, person);
    for (const { record, erase } of planned) {
      const change = (stored = record) => ({ record: erase(stored, settings.clock().toISOString()) });
      const result = await changeRecord(settings)(change, signal, record);
      if (result === 'rejected') throw new Error('The table rejects the row as it would be.');
    }
    return planned.length;
  };

/**
 * An entry of quarantine without a person, or undefined if it does not name them. A list of records loses those of the
 * person's calls, and the rest can still be redriven. Any other body becomes the word `erased`. Reason, account and time
 * stay, and so does the id: a repeat of the same post is the same entry.
 */
export const withoutPersonInEntry = (
  entry: QuarantineEntry,
  person: Person,
  now: string,
): QuarantineEntry | undefined => {
  const body = bodyOf(entry);
  const isOther = person.account !== undefined && entry.account !== undefined && entry.account !== person.account;
  if (isOther || !person.isInText(body)) return undefined;

  const { bytes: _bytes, storedAs: _storedAs, ...about } = entry;
  return quarantineEntry({ ...about, body: remaining(body, person), erasedAt: now });
};

const remaining = (body: string, { isInText }: Person): string => {
  if (!Array.isArray(tryParseJson(body))) return erased;

  const records = jsonParts(body).map(({ text }) => ({ text, ids: idsOf(text), isPersons: isInText(text) }));
  const ids = new Set(records.filter(({ isPersons }) => isPersons).flatMap((record) => record.ids));
  const others = records.filter((record) => !record.isPersons && !record.ids.some((id) => ids.has(id)));
  return others.length === 0 ? erased : `[${others.map(({ text }) => text).join(',')}]`;
};

/** The ids by which a summary and the participants of its call name it. */
const idsOf = (text: string): readonly unknown[] => {
  const { ucid, sourceCallId } = factsOfText('participant', { text }, { timeZone: 'UTC' }) ?? {};
  return [ucid, sourceCallId].filter((id) => id !== undefined);
};
