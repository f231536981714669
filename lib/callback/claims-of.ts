import type { Claims } from '../account/check-sender.ts';
import { isJsonObject, type Json } from '../json/parse-json.ts';
import { textsOfJson } from '../json/text-of-json.ts';
import { nonBlank } from '../text/blank.ts';
import { isKeyField } from './fold-keys.ts';
import type { Recognised } from './recognise.ts';

/** What of a post tells of its sender without being in a record. */
interface Beside {
  readonly keysBeside: readonly string[];
  readonly secretProven: boolean;
}

/**
 * What a post says of its sender. A key counts wherever it stands; a user name only in records that are understood, since
 * in the vendor's other posts it is an agent's.
 */
export const claimsOf = (
  records: readonly Json[],
  { calls, participants }: Pick<Recognised, 'calls' | 'participants'>,
  { keysBeside, secretProven }: Beside,
): Claims => ({
  keys: [...keysBeside, ...valuesOf(records, isKeyField)].flatMap((key) => nonBlank(key) ?? []),
  users: valuesOf([...calls, ...participants], isUserName).flatMap((user) => nonBlank(user) ?? []),
  secretProven,
});

const isUserName = (key: string): boolean => key.length === 8 && key.toLowerCase() === 'username';

const valuesOf = (records: readonly Json[], isWanted: (key: string) => boolean): readonly string[] => {
  const texts: string[] = [];
  for (const record of records) {
    if (!isJsonObject(record)) continue;
    for (const key of Object.keys(record)) if (isWanted(key)) texts.push(...textsOfJson(record[key] ?? null));
  }
  return texts;
};
