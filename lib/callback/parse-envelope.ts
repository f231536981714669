import { isObject } from '../core/collections.ts';
import { withBlanks } from '../core/encoding.ts';
import { holdsNestedJson, isLikeJson } from '../core/json.ts';
import { fail, ok, type Result } from '../core/result.ts';
import { isKeyField } from '../telephony/posted-fields.ts';
import { kindOf, namesCall } from './classify-records.ts';
import {
  type Content,
  type ContentLimits,
  type EnvelopeKey,
  holdsCall,
  isData,
  limitsOfContent,
  parseContent,
} from './json-content.ts';
import { maxContentBytes, type RejectionReason } from './reply.ts';
import type { QuarantineEntry } from './schema.ts';

/** A post without its HTTP. Its content is a form, JSON, or a text that is not read. */
export interface Posted {
  readonly content:
    | { readonly form: Form }
    | { readonly json: string }
    | { readonly unread: string; readonly reason: RejectionReason };
  readonly query: Form;
}

export interface SentText extends Pick<QuarantineEntry, 'carriedAs'> {
  readonly text: string;
}

interface Envelope {
  readonly sent: SentText;
  readonly envelopeKeys: readonly EnvelopeKey[];
}

interface EnvelopeLimits extends ContentLimits {
  readonly bytes: number;
}

const limitsOfPosts: EnvelopeLimits = { ...limitsOfContent, bytes: maxContentBytes };

/** An operator waits for content from quarantine, and no sender for a reply. */
export const withoutLimits: EnvelopeLimits = {
  bytes: Number.POSITIVE_INFINITY,
  records: Number.POSITIVE_INFINITY,
  fields: Number.POSITIVE_INFINITY,
};

/**
 * Finds the records in a post. By specification their JSON is in one form field named `data`. Posts of the service differ:
 *
 * - The JSON is the whole body, or is in a `data` of that body, or in a `data` of the query.
 * - An account key is beside `data`.
 * - JSON is in other fields too, or only there.
 * - The fields of a call are the fields of the form or, without a form, of the query.
 *
 * Any other field is a parameter, such as the code of a tenant, and is ignored.
 */
export const parseEnvelope = (
  { content, query }: Posted,
  limits = limitsOfPosts,
): Result<Envelope & Pick<Content, 'records'>, Envelope & { readonly reason: RejectionReason }> => {
  if ('unread' in content) {
    const hasData = valuesOf(query, isData).length > 0;
    const text = hasData ? JSON.stringify({ ...query, body: content.unread }) : content.unread;
    return fail({ reason: content.reason, sent: { text, carriedAs: 'unread' }, envelopeKeys: keysIn(query) });
  }
  const post = textsOf(content, query);
  const { texts, sent, envelopeKeys } = post;
  const problem = (reason: RejectionReason, kept = sent) => fail({ reason, sent: kept, envelopeKeys });
  const unusable = problemOf(post, limits.bytes);
  if (unusable !== undefined) return problem(unusable);

  const found: Content[] = [];
  for (const text of texts) {
    const parsed = parseContent(text, limits);
    // What looks like parameters may be the rest of a text with a “&” in it.
    if (!parsed.ok) return problem(parsed.problem, post.withParameters());
    found.push(parsed.value);
  }
  const records = found.flatMap((part) => part.records);
  if (records.length > limits.records) return problem('too-many-records');
  return ok({ records, sent, envelopeKeys: [...envelopeKeys, ...found.flatMap(({ keys }) => keys)] });
};

interface PostedTexts {
  readonly texts: readonly string[];
  /** How many texts were posted as `data` or as the body: of these there may be one. */
  readonly posted: number;
  readonly envelopeKeys: readonly EnvelopeKey[];
  /** The text if it stands alone, and otherwise all fields, as one text. */
  readonly sent: SentText;
  /** What was sent, with all that a form or query had beside the content. */
  readonly withParameters: () => SentText;
  readonly isEmpty: boolean;
}

const problemOf = ({ texts, posted, sent, isEmpty }: PostedTexts, maxBytes: number): RejectionReason | undefined => {
  const [text] = texts;
  if (Buffer.byteLength(sent.text) > maxBytes) return 'body-too-large';
  if (posted > 1) return 'data-repeated';
  if (text === undefined) return isEmpty ? 'body-empty' : 'data-missing';
  return text.trim() === '' ? 'data-empty' : undefined;
};

const textsOf = (content: { readonly form: Form } | { readonly json: string }, query: Form): PostedTexts => {
  const form = 'form' in content ? content.form : {};
  const body = 'json' in content && content.json.trim() !== '' ? [content.json] : [];
  const values = (matches: (name: string) => boolean) => [form, query].flatMap((fields) => valuesOf(fields, matches));
  const dataOrBody = [...values(isData), ...body];
  const beside = values(isOther).filter(isLikeJson);
  const hasText = dataOrBody.some((text) => text.trim() !== '');
  const inPlace = hasText ? undefined : contentInPlace(form, query, beside);
  const data = inPlace === undefined ? dataOrBody : [];
  const texts = inPlace === undefined ? [...data, ...beside] : [inPlace];
  const hasParameters = Object.keys(form).some(isOther);

  const allFields = (): SentText => ({
    text: JSON.stringify({ ...query, ...form, ...((data.length > 1 || body.length > 0) && { data }) }),
    carriedAs: 'form',
  });
  const sent = textAlone(texts) ?? allFields();
  return {
    texts,
    posted: data.length,
    envelopeKeys: [...keysIn(form), ...keysIn(query)],
    sent,
    withParameters: () => (data.length > 0 && hasParameters ? allFields() : sent),
    isEmpty: Object.keys(form).length === 0,
  };
};

const isOther = (name: string): boolean => !isData(name) && !isKeyField(name);

const textAlone = ([text = '', ...others]: readonly string[]): SentText | undefined =>
  text.trim() === '' || others.length > 0 ? undefined : { text: text.replace(/^\uFEFF/, ''), carriedAs: 'json' };

/** The form itself as content. Beside a form the query has parameters of the address, even those that look like a call. */
const contentInPlace = (form: Form, query: Form, inJson: readonly string[]): string | undefined =>
  jsonTakenForForm(form) ?? flatCall(Object.keys(form).some(isOther) ? form : query, inJson);

/**
 * Puts JSON together again that was posted as a form: the parser of forms had cut it into fields, at each `&` and at the first
 * `=` behind. Undefined if the form does not begin with JSON. The plus signs are lost, as the parser made blanks of them.
 */
const jsonTakenForForm = (form: Form): string | undefined => {
  const fields = Object.entries(form);
  if (!isLikeJson(fields[0]?.[0] ?? '')) return undefined;
  return fields
    .flatMap(([name, values = []]) => [values].flat().map((value) => (value === '' ? name : `${name}=${value}`)))
    .join('&');
};

/**
 * A call or participant whose fields are those of a form, as JSON without its key; undefined if they are none. Without the
 * call's id they are parameters if a call is in JSON beside them.
 */
const flatCall = (form: Form, inJson: readonly string[]): string | undefined => {
  const fields = Object.entries(form).flatMap(([name, values = []]) => {
    const [value = '', ...more] = [values].flat();
    return isKeyField(name) ? [] : [[name, more.length === 0 ? value : [value, ...more]] as const];
  });
  const record = Object.fromEntries(fields);
  const isParameters = kindOf(record) === undefined || (!namesCall(record) && inJson.some(holdsCall));
  return isParameters ? undefined : JSON.stringify(record);
};

const valuesOf = (form: Form, matches: (name: string) => boolean): readonly string[] =>
  Object.keys(form)
    .filter(matches)
    .flatMap((name) => form[name] ?? []);

const keysIn = (form: Form): readonly EnvelopeKey[] =>
  Object.keys(form)
    .filter(isKeyField)
    .flatMap((name) => [form[name] ?? []].flat().map((key) => ({ name, key })));

/** The parsers give a list for a repeated name. */
export type Form = Readonly<Record<string, string | readonly string[] | undefined>>;

const isField = (value: unknown): boolean =>
  typeof value === 'string' || (Array.isArray(value) && value.every((text) => typeof text === 'string'));

/** The fields of a query, or of a form that was sent as something else. */
export const formOf = (encoded: string): Form =>
  Object.fromEntries(
    [...Map.groupBy(new URLSearchParams(withBlanks(encoded)), ([name]) => name)].map(([name, fields]) => [
      name,
      fields.map(([, value]) => value),
    ]),
  );

export const isForm = (body: unknown): body is Form => isObject(body) && Object.values(body).every(isField);

/**
 * Whether a form or query has `data` or JSON. The query of an address that is checked may have fields of a call as
 * parameters, with placeholders such as `{ucid}`.
 */
export const hasJson = (form: Form): boolean =>
  Object.keys(form).some(isData) ||
  jsonTakenForForm(form) !== undefined ||
  valuesOf(form, isOther).some(holdsNestedJson);

export const hasContent = (form: Form): boolean => hasJson(form) || flatCall(form, []) !== undefined;
