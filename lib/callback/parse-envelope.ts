import { isObject } from '../core/collections.ts';
import { isJsonObject, type Json, type JsonPart, jsonParts, parseJson, textOfJson, textsOfJson } from '../core/json.ts';
import { fail, ok, type Result } from '../core/result.ts';
import { isKeyField, nonBlank } from '../telephony/posted-fields.ts';
import { kindOf, type PostedRecord } from './classify-records.ts';
import { maxContentBytes, maxRecords, type RejectionReason } from './reply.ts';
import type { QuarantineEntry } from './schema.ts';

/**
 * A post without its HTTP: its content and the query of its address. The content is a form, JSON, or a text that is not
 * read.
 */
export interface Posted {
  readonly content:
    | { readonly form: Form }
    | { readonly json: string }
    | { readonly unread: string; readonly reason: RejectionReason };
  readonly query: Form;
}

/** The content of a post as one text, and how it was carried. */
export interface SentText extends Pick<QuarantineEntry, 'carriedAs'> {
  readonly text: string;
}

/** The records of a post, its content as it was sent, and the account keys that were outside of the content. */
interface ParsedEnvelope {
  readonly records: readonly PostedRecord[];
  readonly sent: SentText;
  readonly envelopeKeys: readonly string[];
  /** The first form field beside the content that held a key. */
  readonly keyField: string | undefined;
}

/** Why a post has no readable content, what was sent, and the account keys that were outside of it. */
interface EnvelopeProblem {
  readonly reason: RejectionReason;
  readonly sent: SentText;
  readonly envelopeKeys: readonly string[];
}

/** How much of a post is parsed. */
interface EnvelopeLimits {
  readonly bytes: number;
  readonly records: number;
}

const limitsOfPosts: EnvelopeLimits = { bytes: maxContentBytes, records: maxRecords };

/** For content from quarantine: an operator waits for it, and no sender for a reply. */
export const withoutLimits: EnvelopeLimits = { bytes: Number.POSITIVE_INFINITY, records: Number.POSITIVE_INFINITY };

/**
 * Finds the JSON in a post. By specification it is in one form field named `data`. The service also sends JSON bodies, with
 * or without a `data` of their own, `data` in the query, and an account key beside `data`. A list or an object beside `data`
 * is read as well. Other fields of a form or query are parameters, such as the code of a tenant, and are ignored.
 */
export const parseEnvelope = (
  { content, query }: Posted,
  limits = limitsOfPosts,
): Result<ParsedEnvelope, EnvelopeProblem> => {
  if ('unread' in content) {
    const hasData = valuesOf(query, isData).length > 0;
    const text = hasData ? JSON.stringify({ ...query, body: content.unread }) : content.unread;
    return fail({
      reason: content.reason,
      sent: { text, carriedAs: 'unread' },
      envelopeKeys: valuesOf(query, isKeyField),
    });
  }
  const { data, beside, envelopeKeys, keyField, sent, isEmpty } = fieldsOf(content, query);
  const problem = (reason: RejectionReason) => fail({ reason, sent, envelopeKeys });
  const [text = ''] = data;
  if (Buffer.byteLength(sent.text) > limits.bytes) return problem('body-too-large');
  if (data.length > 1) return problem('data-repeated');
  if (data.length === 0) return problem(isEmpty ? 'body-empty' : 'data-missing');
  if (text.trim() === '') return problem('data-empty');

  const found: Content[] = [];
  for (const part of [text, ...beside]) {
    const parsed = parseContent(part, limits.records);
    if (!parsed.ok) return problem(parsed.problem);
    found.push(parsed.value);
  }
  const records = found.flatMap((part) => part.records);
  if (records.length > limits.records) return problem('too-many-records');
  return ok({ records, sent, keyField, envelopeKeys: [...envelopeKeys, ...found.flatMap(({ keys }) => keys)] });
};

/** What a post consists of. */
interface PostFields {
  /** The texts of the content. */
  readonly data: readonly string[];
  /** Lists and objects in other fields. */
  readonly beside: readonly string[];
  readonly envelopeKeys: readonly string[];
  readonly keyField: string | undefined;
  /** What was sent, as one text: the content if it stands alone, and otherwise all fields. */
  readonly sent: SentText;
  readonly isEmpty: boolean;
}

const fieldsOf = (content: { readonly form: Form } | { readonly json: string }, query: Form): PostFields => {
  const form = 'form' in content ? content.form : {};
  const json = 'json' in content && content.json.trim() !== '' ? [content.json] : [];
  const values = (matches: (name: string) => boolean) => [...valuesOf(form, matches), ...valuesOf(query, matches)];
  const data = [...values(isData), ...json];
  const beside = values((name) => !isData(name) && !isKeyField(name)).filter(isLikeJson);
  const [text] = data;
  const isAlone = data.length === 1 && text !== undefined && text.trim() !== '' && beside.length === 0;
  return {
    data,
    beside,
    envelopeKeys: values(isKeyField),
    keyField: Object.keys(form).find(isKeyField),
    sent: isAlone
      ? { text: text.replace(/^\uFEFF/, ''), carriedAs: 'json' }
      : {
          text: JSON.stringify({ ...query, ...form, ...((data.length > 1 || json.length > 0) && { data }) }),
          carriedAs: 'form',
        },
    isEmpty: Object.keys(form).length === 0,
  };
};

const valuesOf = (form: Form, matches: (name: string) => boolean): readonly string[] =>
  Object.keys(form)
    .filter(matches)
    .flatMap((name) => form[name] ?? []);

/** The fields of a form or query. The parsers give a list for a repeated name. */
export type Form = Readonly<Record<string, string | readonly string[] | undefined>>;

const isField = (value: unknown): boolean =>
  typeof value === 'string' || (Array.isArray(value) && value.every((text) => typeof text === 'string'));

/** Reads a text that is encoded as a query or a form: the values of each name, in the order sent. */
export const formOf = (encoded: string): Form =>
  Object.fromEntries(
    [...Map.groupBy(new URLSearchParams(encoded), ([name]) => name)].map(([name, fields]) => [
      name,
      fields.map(([, value]) => value),
    ]),
  );

/** Whether a body is a parsed form. */
export const isForm = (body: unknown): body is Form => isObject(body) && Object.values(body).every(isField);

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
 * Finds the records in a JSON text. An object that has a field `data` and is no record itself is a wrapper. Its other fields
 * are read as well. Those that are no list and no object become one record. A list of more than `maxRecords` is rejected
 * before anything is done for each of its entries.
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

/** Reads every field of a wrapper. Of several fields with one name, a parser of JSON would keep only the last. */
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
