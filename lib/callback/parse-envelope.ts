import { isObject } from '../core/collections.ts';
import { fail, ok, type Result } from '../core/result.ts';
import { isKeyField } from '../telephony/fold-keys.ts';
import type { PostedRecord } from './classify-records.ts';
import { isData, isLikeJson, parseContent } from './parse-content.ts';
import { maxContentBytes, maxRecords, type RejectionReason } from './rejections.ts';
import type { QuarantineEntry } from './schema.ts';

/** A post without its HTTP: a form, a text that should be JSON, or one that is not read; and the query of the address. */
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

/** For content that an operator waits for. */
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
  const { data, beside, envelopeKeys, sent, isEmpty } = fieldsOf(content, query);
  const problem = (reason: RejectionReason) => fail({ reason, sent, envelopeKeys });
  const [text = ''] = data;
  if (Buffer.byteLength(sent.text) > limits.bytes) return problem('body-too-large');
  if (data.length > 1) return problem('data-repeated');
  if (data.length === 0) return problem(isEmpty ? 'body-empty' : 'data-missing');
  if (text.trim() === '') return problem('data-empty');

  const contents = [text, ...beside].map((part) => parseContent(part, limits.records));
  const failed = contents.find((part) => !part.ok);
  if (failed !== undefined) return problem(failed.problem);
  const found = contents.flatMap((part) => (part.ok ? part.value : []));
  const records = found.flatMap((part) => part.records);
  if (records.length > limits.records) return problem('too-many-records');
  return ok({ records, sent, envelopeKeys: [...envelopeKeys, ...found.flatMap(({ keys }) => keys)] });
};

/** What a post consists of. */
interface PostFields {
  /** The texts of the content. */
  readonly data: readonly string[];
  /** Lists and objects in other fields. */
  readonly beside: readonly string[];
  readonly envelopeKeys: readonly string[];
  /** All of it as one text: the content alone, or all fields where there is more or less than one. */
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

/** Whether a parser made a form of a body. */
export const isForm = (body: unknown): body is Form => isObject(body) && Object.values(body).every(isField);
