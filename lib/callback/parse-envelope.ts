import * as z from 'zod/mini';
import { textsOfJson } from '../core/canonical-json.ts';
import { isJsonObject, type Json, parseJson } from '../core/parse-json.ts';
import { fail, ok, type Result } from '../core/result.ts';
import { isKeyField } from '../telephony/fold-keys.ts';
import { kindOf } from './classify-records.ts';
import { maxContentBytes, type RejectionReason } from './rejections.ts';

/** What was posted, apart from HTTP: a form, or a text that should be JSON, and the query of the address. */
export interface Posted {
  readonly content: { readonly form: Form } | { readonly json: string };
  readonly query: Form;
}

/** What the envelope holds, and the keys that stand beside it rather than in it. */
export interface ParsedEnvelope {
  readonly value: Json;
  readonly envelopeKeys: readonly string[];
}

/** Why it could not be opened, and the text that could not be read. */
export interface EnvelopeProblem {
  readonly reason: RejectionReason;
  readonly text: string;
}

/**
 * Finds the JSON in a post. By specification it is the one form field `data`; practice adds JSON bodies, with or
 * without a `data` of their own, `data` in the query, and the account key beside `data`.
 */
export const parseEnvelope = ({ content, query }: Posted): Result<ParsedEnvelope, EnvelopeProblem> => {
  const form = 'form' in content ? content.form : {};
  const json = 'json' in content ? content.json : '';
  const data = [...valuesOf(form, isData), ...valuesOf(query, isData), ...(json.trim() === '' ? [] : [json])];
  const keys = [...valuesOf(form, isKeyField), ...valuesOf(query, isKeyField)];
  const [text] = data;
  if (text !== undefined && text.trim() !== '' && data.length === 1) return parseContent(text, keys);

  const whole = JSON.stringify({ ...query, ...form });
  if (Buffer.byteLength(whole) > maxContentBytes) return fail({ reason: 'body-too-large', text: '' });
  if (data.length > 1) return fail({ reason: 'data-repeated', text: JSON.stringify({ ...query, ...form, data }) });
  if (text !== undefined) return fail({ reason: 'data-empty', text: whole });
  return fail({ reason: Object.keys(form).length === 0 ? 'body-empty' : 'data-missing', text: whole });
};

const isData = (name: string): boolean => name.length === 4 && name.toLowerCase() === 'data';

const valuesOf = (form: Form, isWanted: (name: string) => boolean): readonly string[] =>
  Object.keys(form)
    .filter(isWanted)
    .flatMap((name) => form[name] ?? []);

const parseContent = (sent: string, envelopeKeys: readonly string[]): Result<ParsedEnvelope, EnvelopeProblem> => {
  if (Buffer.byteLength(sent) > maxContentBytes) return fail({ reason: 'body-too-large', text: '' });

  const text = sent.replace(/^\uFEFF/, '');
  const parsed = parseJson(text);
  if (!parsed.ok) return fail({ reason: parsed.problem, text });
  const { value } = parsed;
  if (!isJsonObject(value)) return ok({ value, envelopeKeys });

  const name = Object.keys(value).find(isData);
  const inner = name === undefined ? undefined : value[name];
  if (inner === undefined || inner === null || kindOf(value) !== undefined) return ok({ value, envelopeKeys });
  const keys = [
    ...envelopeKeys,
    ...Object.entries(value).flatMap(([name, key]) => (isKeyField(name) ? textsOfJson(key) : [])),
  ];
  if (typeof inner !== 'string') return ok({ value: inner, envelopeKeys: keys });
  // An escape in the outer text can be half of a character, which no row and no message takes.
  return inner.trim() === '' ? fail({ reason: 'data-empty', text }) : parseContent(inner.toWellFormed(), keys);
};

/** Fields of a form or query: the parsers give a list where a name is repeated. */
export type Form = Readonly<Record<string, string | readonly string[] | undefined>>;

const isField = (value: unknown): boolean =>
  typeof value === 'string' || (Array.isArray(value) && value.every((text) => typeof text === 'string'));

/** A form as a parser made it, of which a field `__proto__` is one like any other: zod's own records leave it out. */
export const Form = z.custom<Form>(
  (fields) =>
    typeof fields === 'object' && fields !== null && !Array.isArray(fields) && Object.values(fields).every(isField),
);
