import { bodyOf, quarantineEntry } from '../callback/quarantine.ts';
import type { QuarantineEntry } from '../callback/schema.ts';
import { jsonParts, tryParseJson } from '../core/json.ts';
import { erased } from '../core/text.ts';
import type { Person } from './person.ts';
import { factsOfText } from './renormalise.ts';

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
  const { ucid, sourceCallId } =
    factsOfText('participant', { text: text, source: undefined }, { timeZone: 'UTC' }) ?? {};
  return [ucid, sourceCallId].filter((id) => id !== undefined);
};
