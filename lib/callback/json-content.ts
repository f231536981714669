import {
  isJsonObject,
  isLikeJson,
  type Json,
  type JsonObject,
  parseJson,
  textOfJson,
  textsOfJson,
} from '../core/json.ts';
import { hasMoreFields, type JsonPart, jsonParts } from '../core/json-text.ts';
import { fail, ok, type Result } from '../core/result.ts';
import { isKeyField, nonBlank } from '../telephony/posted-fields.ts';
import { kindOf, namesEvent, type PostedRecord } from './classify-records.ts';
import { maxRecordFields, maxRecords, type RejectionReason } from './reply.ts';

/** A field beside the records that is named like a key. */
export interface EnvelopeKey {
  readonly name: string;
  readonly key: string;
}

/** The field beside the records that held a key: what forwards the post puts the key there again. */
export const keyFieldOf = (keys: readonly EnvelopeKey[]): string | undefined =>
  keys.find(({ key }) => nonBlank(key) !== undefined)?.name;

export interface Content {
  readonly records: readonly PostedRecord[];
  readonly keys: readonly EnvelopeKey[];
}

type ReadContent = Result<Content, RejectionReason>;

export interface ContentLimits {
  /** Of a post. */
  readonly records: number;
  /** Of a record. */
  readonly fields: number;
}

export const limitsOfContent: ContentLimits = { records: maxRecords, fields: maxRecordFields };

/*
 * How the records in JSON are found. The JSON is a list or one value. A value that wraps something stands for what it wraps, at
 * any depth: an object with `data` or with a record in a field, and a list or a text of JSON with a record in it. Any other value
 * is a record itself, whatever it is.
 */

export const isData = (name: string): boolean => name.length === 4 && name.toLowerCase() === 'data';

/** A list of too many records is rejected before anything is done for each of its entries. */
export const parseContent = (sent: string, limits: ContentLimits, isInEvent?: true): ReadContent => {
  const text = sent.replace(/^\uFEFF/, '');
  const parsed = parseJson(text);
  const mended = parsed.ok ? undefined : mendedJson(text);
  const read = mended === undefined ? parsed : parseJson(mended);
  if (!read.ok) return read;
  const record = { value: read.value, text: mended ?? text, isInEvent };
  return Array.isArray(read.value) ? contentOfList(record, read.value, limits) : wrappedOrAlone(record, limits);
};

const contentOfList = (
  { text, isInEvent }: PostedRecord,
  values: readonly Json[],
  limits: ContentLimits,
): ReadContent => {
  if (values.length > limits.records) return fail('too-many-records');
  const parts = jsonParts(text);
  const found: Content[] = [];
  for (const [index, value] of values.entries()) {
    const record = { value, text: parts[index]?.text ?? '', isInEvent };
    const content = wrappedOrAlone(record, limits);
    if (!content.ok && content.problem === 'too-many-records') return content;
    // An entry that wraps nothing readable spoils no other: it is put away as it is.
    found.push(content.ok ? content.value : recordAlone(record));
  }
  return ok(joined(found));
};

const recordAlone = (record: PostedRecord): Content => ({ records: [record], keys: [] });

const joined = (parts: readonly Content[]): Content => ({
  records: parts.flatMap(({ records }) => records),
  keys: parts.flatMap(({ keys }) => keys),
});

/** A list and JSON within JSON may be anything, unless a record is in it. */
const wrappedOrAlone = (record: PostedRecord, limits: ContentLimits): ReadContent => {
  const inner = wrappedIn(record, limits);
  const isContent = inner !== undefined && (isJsonObject(record.value) || holdsRecord(inner));
  return isContent ? inner : ok(recordAlone(record));
};

/** Only a list, an object and a text that begins like one of them can wrap something. */
const wrappedIn = (record: PostedRecord, limits: ContentLimits): ReadContent | undefined => {
  const { value, isInEvent } = record;
  if (typeof value === 'string') return isLikeJson(value) ? contentOfInnerText(value, limits, isInEvent) : undefined;
  if (isJsonObject(value)) return objectContent(record, value, limits);
  return Array.isArray(value) ? contentOfList(record, value, limits) : undefined;
};

/** What has too many fields may be a record, or wrap some. Nothing in it is looked at. */
const objectContent = (record: PostedRecord, value: JsonObject, limits: ContentLimits): ReadContent =>
  hasMoreFields(record.text, limits.fields)
    ? ok(recordAlone({ ...record, hasTooManyFields: true }))
    : (wrappedInObject(record, value, limits) ?? ok(recordAlone(record)));

/** An escape in the outer text can be half of a character, which neither a row nor a message may have. */
const contentOfInnerText = (text: string, limits: ContentLimits, isInEvent: true | undefined): ReadContent =>
  text.trim() === '' ? fail('data-empty') : parseContent(text.toWellFormed(), limits, isInEvent);

type Kind = ReturnType<typeof kindOf>;

/** More records than a post may have are not looked at, nor is one of too many fields: what they are does not matter then. */
const holds = (content: ReadContent, isWanted: (kind: Kind) => boolean): boolean =>
  content.ok
    ? content.value.records.some(
        ({ value, isInEvent, hasTooManyFields }) =>
          isJsonObject(value) && (hasTooManyFields || isWanted(kindOf(value, isInEvent))),
      )
    : content.problem === 'too-many-records';

const holdsRecord = (content: ReadContent): boolean => holds(content, (kind) => kind !== undefined);

/** Whether a text is JSON with a call in it, or with more records than a post may have. */
export const holdsCall = (text: string): boolean =>
  holds(parseContent(text, limitsOfContent), (kind) => kind === 'call');

/**
 * A wrapper is no record, and has `data` or a record in any field. Beside `data` every list, object and text in brackets is
 * content too. The other fields become one record. Of several fields with one name, a parser of JSON keeps only the last.
 */
const wrappedInObject = (record: PostedRecord, value: JsonObject, limits: ContentLimits): ReadContent | undefined => {
  const hasData = Object.keys(value).some((name) => isData(name) && value[name] !== null);
  const isWrapper = hasData || Object.values(value).some((field) => typeof field !== 'string' || isLikeJson(field));
  if (!isWrapper || kindOf(value, record.isInEvent) !== undefined) return undefined;

  const fields = fieldsWithin(record.text, value);
  if (!fields.ok) return fields;
  const keys = fields.value.filter(({ name }) => isKeyField(name)).flatMap(keysOf);
  const isInEvent = record.isInEvent ?? inEvent(value);
  const found: Content[] = [];
  const others: WrappedField[] = [];
  for (const field of fields.value.filter(({ name }) => !isKeyField(name))) {
    const inner = wrappedInField(field, limits, isInEvent);
    if (inner === undefined || !(hasData || holdsRecord(inner))) others.push(field);
    else if (inner.ok) found.push(inner.value);
    else return inner;
  }
  if (!hasData && found.length === 0) return undefined;
  return ok(joined([{ records: [], keys }, ...found, { records: restOf(others), keys: [] }]));
};

const inEvent = (value: JsonObject): true | undefined => namesEvent(value) || undefined;

interface WrappedField extends JsonPart {
  readonly value: Json;
}

const fieldsWithin = (text: string, value: JsonObject): Result<readonly WrappedField[], RejectionReason> => {
  const parts = jsonParts(text);
  const isRepeating = parts.length > Object.keys(value).length;
  const fields: WrappedField[] = [];
  for (const part of parts) {
    const read = isRepeating ? parseJson(part.text) : ok(value[part.name] ?? null);
    if (!read.ok) return read;
    fields.push({ ...part, value: read.value });
  }
  return ok(fields);
};

const keysOf = ({ name, value }: WrappedField): readonly EnvelopeKey[] =>
  textsOfJson(value).map((key) => ({ name, key }));

/** Only `data` holds calls by specification, whatever the object around it names itself. */
const wrappedInField = ({ name, value, text }: WrappedField, limits: ContentLimits, isInEvent: true | undefined) => {
  if (!isData(name)) return wrappedIn({ value, text, isInEvent }, limits);
  return typeof value === 'string' ? contentOfInnerText(value, limits, undefined) : wrappedIn({ value, text }, limits);
};

const restOf = (others: readonly WrappedField[]): readonly PostedRecord[] => {
  const rest = others.filter(({ value }) => nonBlank(textOfJson(value)) !== undefined);
  if (rest.length === 0) return [];
  const text = `{${rest.map((part) => `${JSON.stringify(part.name)}:${part.text}`).join(',')}}`;
  return [{ value: Object.fromEntries(rest.map(({ name, value }) => [name, value])), text }];
};

/**
 * JSON as meant beyond doubt: control characters without an escape in strings, `\'`, and a comma behind the last entry.
 * Undefined if the text has none of them. Only for what is no JSON; an error of any other kind stays.
 */
export const mendedJson = (broken: string): string | undefined => {
  const mended = broken.replace(stringOrLastComma, (token) => (token === ',' ? '' : mendedString(token)));
  return mended === broken ? undefined : mended;
};

/** A string may lack its end. A comma behind no entry leaves a gap, in which something may be missing. */
const stringOrLastComma = /"[^"\\]*(?:\\.?[^"\\]*)*"?|,(?=[ \t\n\r]*[\]}])(?<![[{,:][ \t\n\r]*,)/gs;

const mendedString = (string: string): string =>
  string.replace(/\\.|\p{Cc}+/gsu, (found) => {
    if (found === "\\'") return "'";
    return found.startsWith('\\') ? found : JSON.stringify(found).slice(1, -1);
  });
