import type { Claims } from '../account/check-sender.ts';
import { isJsonObject, type Json } from '../json/parse-json.ts';
import { nonBlank } from '../text/blank.ts';
import { isKeyField } from './fold-keys.ts';

/** What the records of a post say of their sender, and what stood beside them. */
export const claimsOf = (records: readonly Json[], keysBeside: readonly string[], secretProven: boolean): Claims => ({
  keys: [...keysBeside, ...valuesOf(records, isKeyField)].flatMap((key) => nonBlank(key) ?? []),
  users: valuesOf(records, isUserName).flatMap((user) => nonBlank(user) ?? []),
  secretProven,
});

const isUserName = (key: string): boolean => key.toLowerCase() === 'username';

const valuesOf = (records: readonly Json[], isWanted: (key: string) => boolean): readonly string[] =>
  records
    .filter(isJsonObject)
    .flatMap((record) => Object.entries(record))
    .flatMap(([key, value]) => (isWanted(key) && value !== null ? String(value) : []));
