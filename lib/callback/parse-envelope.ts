import { isObject } from '../core/collections.ts';
import { isJsonObject, type Json, jsonParts, parseJson, textsOfJson } from '../core/json.ts';
import { fail, ok, type Result } from '../core/result.ts';
import { isKeyField } from '../telephony/fold-keys.ts';
import { kindOf, type PostedRecord } from './classify-records.ts';
import { maxContentBytes, type RejectionReason } from './rejections.ts';

/** A post without its HTTP: a form, a text that should be JSON, or one that is not read; and the query of the address. */
export interface Posted {
  readonly content:
    | { readonly form: Form }
    | { readonly json: string }
    | { readonly unread: string; readonly reason: RejectionReason };
  readonly query: Form;
}

/** The records of a post, its content as it was sent, and the account keys that were outside of the content. */
export interface ParsedEnvelope {
  readonly records: readonly PostedRecord[];
  readonly text: string;
  readonly envelopeKeys: readonly string[];
}

/** Why a post has no readable content, the text to quarantine, and the account keys that were outside of the text. */
interface EnvelopeProblem {
  readonly reason: RejectionReason;
  readonly text: string;
  readonly envelopeKeys: readonly string[];
}

/**
 * Finds the JSON in a post. By specification it is in one form field named `data`. Practice adds JSON bodies, with or
 * without a `data` of their own, `data` in the query, and an account key beside `data`. Content of more than `maxBytes`
 * is not parsed.
 */
export const parseEnvelope = (
  { content, query }: Posted,
  maxBytes = maxContentBytes,
): Result<ParsedEnvelope, EnvelopeProblem> => {
  if ('unread' in content) {
    const hasData = valuesOf(query, isData).length > 0;
    const text = hasData ? JSON.stringify({ ...query, body: content.unread }) : content.unread;
    return fail({ reason: content.reason, text, envelopeKeys: valuesOf(query, isKeyField) });
  }

  const form = 'form' in content ? content.form : {};
  const json = 'json' in content ? content.json : '';
  const data = [...valuesOf(form, isData), ...valuesOf(query, isData), ...(json.trim() === '' ? [] : [json])];
  const keys = [...valuesOf(form, isKeyField), ...valuesOf(query, isKeyField)];
  const [text] = data;
  const problem = (reason: RejectionReason, text: string) => fail({ reason, text, envelopeKeys: keys });
  if (text !== undefined && text.trim() !== '' && data.length === 1)
    return Buffer.byteLength(text) > maxBytes ? problem('body-too-large', text) : parseContent(text, keys);

  const allFields = JSON.stringify({ ...query, ...form, ...(data.length > 1 && { data }) });
  if (Buffer.byteLength(allFields) > maxBytes) return problem('body-too-large', allFields);
  if (data.length > 1) return problem('data-repeated', allFields);
  if (text !== undefined) return problem('data-empty', allFields);
  return problem(Object.keys(form).length === 0 ? 'body-empty' : 'data-missing', allFields);
};

const isData = (name: string): boolean => name.length === 4 && name.toLowerCase() === 'data';

const valuesOf = (form: Form, matches: (name: string) => boolean): readonly string[] =>
  Object.keys(form)
    .filter(matches)
    .flatMap((name) => form[name] ?? []);

const parseContent = (sent: string, envelopeKeys: readonly string[]): Result<ParsedEnvelope, EnvelopeProblem> => {
  const text = sent.replace(/^\uFEFF/, '');
  const parsed = parseJson(text);
  if (!parsed.ok) return fail({ reason: parsed.problem, text, envelopeKeys });
  const { value } = parsed;
  const name = isJsonObject(value) ? Object.keys(value).find(isData) : undefined;
  const inner = isJsonObject(value) && name !== undefined && kindOf(value) === undefined ? value[name] : undefined;
  if (!isJsonObject(value) || inner === undefined || inner === null)
    return ok({ records: recordsOf(value, text), text, envelopeKeys });

  const keys = [
    ...envelopeKeys,
    ...Object.entries(value).flatMap(([name, key]) => (isKeyField(name) ? textsOfJson(key) : [])),
  ];
  if (typeof inner !== 'string') {
    const { text: innerText = '' } = jsonParts(text).findLast((part) => part.name === name) ?? {};
    return ok({ records: recordsOf(inner, innerText), text: innerText, envelopeKeys: keys });
  }
  // An escape in the outer text can be half of a character, which neither a row nor a message may contain.
  return inner.trim() === ''
    ? fail({ reason: 'data-empty', text, envelopeKeys })
    : parseContent(inner.toWellFormed(), keys);
};

/** The records of a parsed text, each with its part of the text. */
export const recordsOf = (value: Json, text: string): readonly PostedRecord[] => {
  if (!Array.isArray(value)) return [{ value, text }];
  const parts = jsonParts(text);
  return value.map((record: Json, index) => ({ value: record, text: parts[index]?.text ?? '' }));
};

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

/** Whether a parser made a form of a body. */
export const isForm = (body: unknown): body is Form => isObject(body) && Object.values(body).every(isField);
