import type { Json } from '../json/parse-json.ts';
import { isJsonObject, parseJson } from '../json/parse-json.ts';
import { fail, ok, type Result } from '../result.ts';
import { isKeyField } from './fold-keys.ts';
import { isCallSummary } from './recognise.ts';
import { maxContentBytes, type RefusalReason } from './refusal.ts';

/** Fields of a form or query: the parsers give a list where a name is repeated. */
export type Form = Readonly<Record<string, string | readonly string[] | undefined>>;

/** What was posted, apart from HTTP: a form, or a text that should be JSON, and the query of the address. */
export interface Posted {
  readonly content: { readonly form: Form } | { readonly json: string };
  readonly query: Form;
}

/** What the envelope holds, and the keys that stand beside it rather than in it. */
export interface Opened {
  readonly value: Json;
  readonly keysBeside: readonly string[];
}

/** Why it could not be opened, and the text that could not be read. */
export interface Unopened {
  readonly reason: RefusalReason;
  readonly text: string;
}

/**
 * Finds the JSON in a post. By specification it is the one form field `data`; practice adds JSON bodies, with or
 * without a `data` of their own, `data` in the query, and the account key beside `data`.
 */
export const openEnvelope = ({ content, query }: Posted): Result<Opened, Unopened> => {
  const form = 'form' in content ? { ...query, ...content.form } : query;
  const keys = valuesOf(form, isKeyField);
  const data = [...('form' in content ? valuesOf(content.form, isData) : []), ...valuesOf(query, isData)];
  const whole = 'form' in content ? JSON.stringify(content.form) : content.json;
  if (Buffer.byteLength(whole) > 2 * maxContentBytes) return fail({ reason: 'body-too-large', text: '' });

  if ('json' in content && data.length === 0) {
    if (content.json.trim() === '') return fail({ reason: 'body-empty', text: '' });
    return parse(content.json, keys);
  }
  if (data.length > 1) return fail({ reason: 'data-repeated', text: whole });
  const [text] = data;
  if (text === undefined) return fail({ reason: isEmpty(content) ? 'body-empty' : 'data-missing', text: whole });
  if (text.trim() === '') return fail({ reason: 'data-empty', text: whole });
  return parse(text, keys);
};

const isData = (name: string): boolean => name.toLowerCase() === 'data';

const valuesOf = (form: Form, isWanted: (name: string) => boolean): readonly string[] =>
  Object.entries(form).flatMap(([name, value]) => (isWanted(name) ? (value ?? []) : []));

const isEmpty = (content: Posted['content']): boolean => 'form' in content && Object.keys(content.form).length === 0;

const parse = (sent: string, keysBeside: readonly string[]): Result<Opened, Unopened> => {
  if (Buffer.byteLength(sent) > maxContentBytes) return fail({ reason: 'body-too-large', text: '' });

  const text = sent.replace(/^\uFEFF/, '');
  const parsed = parseJson(text);
  if (!parsed.ok) return fail({ reason: parsed.problem, text });
  const { value } = parsed;
  if (!isJsonObject(value) || isCallSummary(value)) return ok({ value, keysBeside });

  const inner = Object.entries(value).find(([name]) => isData(name))?.[1];
  if (inner === undefined || inner === null) return ok({ value, keysBeside });
  const keys = [
    ...keysBeside,
    ...Object.entries(value).flatMap(([name, key]) => (isKeyField(name) ? String(key) : [])),
  ];
  return typeof inner === 'string' ? parse(inner, keys) : ok({ value: inner, keysBeside: keys });
};
