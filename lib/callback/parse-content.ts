import { isJsonObject, type Json, type JsonPart, jsonParts, parseJson, textOfJson, textsOfJson } from '../core/json.ts';
import { fail, ok, type Result } from '../core/result.ts';
import { nonBlank } from '../core/text.ts';
import { isKeyField } from '../telephony/fold-keys.ts';
import { kindOf, type PostedRecord } from './classify-records.ts';
import type { RejectionReason } from './rejections.ts';

/** The records of a JSON text, and the account keys beside them. */
export interface Content {
  readonly records: readonly PostedRecord[];
  readonly keys: readonly string[];
}

/** Whether a field holds the content of a post, in any letter case. */
export const isData = (name: string): boolean => name.length === 4 && name.toLowerCase() === 'data';

/** Whether a text may be a list or an object in JSON. */
export const isLikeJson = (text: string): boolean => /^[\s\uFEFF]*[[{]/.test(text);

/**
 * Finds the records in a JSON text. An object that is no record itself and has a field `data` wraps the content: what
 * stands beside `data` is read as well, and becomes a record of its own if it is no list and no object. A list of more
 * than `maxRecords` is rejected before anything is done for each of its entries.
 */
export const parseContent = (sent: string, maxRecords: number): Result<Content, RejectionReason> => {
  const text = sent.replace(/^\uFEFF/, '');
  const parsed = parseJson(text);
  return parsed.ok ? contentOf(parsed.value, text, maxRecords) : fail(parsed.problem);
};

const contentOf = (value: Json, text: string, maxRecords: number): Result<Content, RejectionReason> => {
  if (isWrapper(value)) return unwrapped(text, maxRecords);
  if (!Array.isArray(value)) return ok({ records: [{ value, text }], keys: [] });
  if (value.length > maxRecords) return fail('too-many-records');
  const parts = jsonParts(text);
  const records = value.map((record: Json, index) => ({ value: record, text: parts[index]?.text ?? '' }));
  return ok({ records, keys: [] });
};

const isWrapper = (value: Json): boolean =>
  isJsonObject(value) &&
  Object.keys(value).some((name) => isData(name) && value[name] !== null) &&
  kindOf(value) === undefined;

/** Reads every field of a wrapper, also one whose name another field has too: JSON itself would keep only the last. */
const unwrapped = (text: string, maxRecords: number): Result<Content, RejectionReason> => {
  const records: PostedRecord[] = [];
  const keys: string[] = [];
  const others: Other[] = [];
  for (const part of jsonParts(text)) {
    const parsed = parseJson(part.text);
    if (!parsed.ok) return parsed;
    if (isKeyField(part.name)) keys.push(...textsOfJson(parsed.value));
    else {
      const inner = innerContent(part, parsed.value, maxRecords);
      if (inner === undefined) others.push({ ...part, value: parsed.value });
      else if (!inner.ok) return inner;
      else {
        records.push(...inner.value.records);
        keys.push(...inner.value.keys);
      }
    }
  }
  const rest = others.filter(({ value }) => nonBlank(textOfJson(value)) !== undefined);
  return ok({ records: [...records, ...restOf(rest)], keys });
};

/** The content of a wrapper's field; undefined if it has none. */
const innerContent = ({ name, text }: JsonPart, value: Json, maxRecords: number) => {
  if (typeof value !== 'string')
    return typeof value === 'object' && value !== null ? contentOf(value, text, maxRecords) : undefined;
  if (!isData(name) && !isLikeJson(value)) return undefined;
  // An escape in the outer text can be half of a character, which neither a row nor a message may contain.
  return value.trim() === '' ? fail('data-empty' as const) : parseContent(value.toWellFormed(), maxRecords);
};

/** A field of a wrapper that is no content. */
interface Other extends JsonPart {
  readonly value: Json;
}

/** The fields of a wrapper that are no content, as one record. */
const restOf = (others: readonly Other[]): readonly PostedRecord[] => {
  if (others.length === 0) return [];
  const text = `{${others.map((part) => `${JSON.stringify(part.name)}:${part.text}`).join(',')}}`;
  return [{ value: Object.fromEntries(others.map(({ name, value }) => [name, value])), text }];
};
