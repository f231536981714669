import {
  isJsonObject,
  isLikeJson,
  type Json,
  type JsonObject,
  type JsonPart,
  jsonParts,
  parseJson,
  textOfJson,
  textsOfJson,
} from '../core/json.ts';
import { fail, ok, type Result } from '../core/result.ts';
import { isKeyField, nonBlank } from '../telephony/posted-fields.ts';
import { kindOf, namesEvent, type PostedRecord } from './classify-records.ts';
import { maxRecords as maxRecordsOfPost, type RejectionReason } from './reply.ts';

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

export const isData = (name: string): boolean => name.length === 4 && name.toLowerCase() === 'data';

/** A list of more than `maxRecords` is rejected before anything is done for each of its entries. */
export const parseContent = (sent: string, maxRecords: number, isInEvent?: true): ReadContent => {
  const text = sent.replace(/^\uFEFF/, '');
  const parsed = parseJson(text);
  if (parsed.ok) return contentOf({ value: parsed.value, text, isInEvent }, maxRecords);
  const mended = parsed.problem === 'broken-json' ? mendedJson(text) : undefined;
  if (mended === undefined) return parsed;
  const again = parseJson(mended);
  return again.ok ? contentOf({ value: again.value, text: mended, isInEvent }, maxRecords) : again;
};

const contentOf = (record: PostedRecord, maxRecords: number): ReadContent => {
  const { value } = record;
  if (Array.isArray(value)) return contentOfList(record, value, maxRecords);
  return contentWithin(record, maxRecords) ?? ok({ records: [record], keys: [] });
};

const contentOfList = ({ text, isInEvent }: PostedRecord, values: readonly Json[], maxRecords: number): ReadContent => {
  if (values.length > maxRecords) return fail('too-many-records');
  const parts = jsonParts(text);
  const found: Content[] = [];
  for (const [index, value] of values.entries()) {
    const record = { value, text: parts[index]?.text ?? '', isInEvent };
    const inner = contentWithin(record, maxRecords);
    // An entry that wraps nothing readable spoils no other: it is put away as it is.
    if (inner?.ok === false && inner.problem === 'too-many-records') return inner;
    found.push(inner?.ok ? inner.value : { records: [record], keys: [] });
  }
  return ok(together(found));
};

const together = (parts: readonly Content[]): Content => ({
  records: parts.flatMap(({ records }) => records),
  keys: parts.flatMap(({ keys }) => keys),
});

/** What a value wraps that is no record itself: a list within a list, an object around a record, JSON within JSON. */
const contentWithin = (record: PostedRecord, maxRecords: number): ReadContent | undefined => {
  const { value } = record;
  if (isJsonObject(value)) return contentOfObject(record, value, maxRecords);
  if (!mayWrap(value)) return undefined;
  return ifContent(Array.isArray(value) ? contentOfList(record, value, maxRecords) : textContent(record, maxRecords));
};

const mayWrap = (value: Json): boolean =>
  typeof value === 'string' ? isLikeJson(value) : value !== null && typeof value === 'object';

const holdsRecord = ({ records }: Content): boolean =>
  records.some(({ value, isInEvent }) => isJsonObject(value) && kindOf(value, isInEvent) !== undefined);

/** Whether a text is JSON with a call in it, or with more records than a post may have. */
export const holdsCall = (text: string): boolean => {
  const content = parseContent(text, maxRecordsOfPost);
  if (!content.ok) return content.problem === 'too-many-records';
  return content.value.records.some(
    ({ value, isInEvent }) => isJsonObject(value) && kindOf(value, isInEvent) === 'call',
  );
};

/** The content of a text. An escape in the outer text can be half of a character, which neither a row nor a message may contain. */
const textContent = ({ value, isInEvent }: PostedRecord, maxRecords: number): ReadContent =>
  parseContent(String(value).toWellFormed(), maxRecords, isInEvent);

interface WrappedField extends JsonPart {
  readonly value: Json;
}

/** A wrapper is no record, and has `data` or a record in any field. Its other fields become one record. */
const contentOfObject = (record: PostedRecord, value: JsonObject, maxRecords: number): ReadContent | undefined => {
  const hasData = Object.keys(value).some((name) => isData(name) && value[name] !== null);
  if (!hasData && !Object.values(value).some(mayWrap)) return undefined;
  if (kindOf(value, record.isInEvent) !== undefined) return undefined;

  const fields = fieldsWithin(record.text, value);
  if (!fields.ok) return fields;
  const isInEvent = record.isInEvent ?? (namesEvent(value) || undefined);
  const keys = fields.value
    .filter(({ name }) => isKeyField(name))
    .flatMap((field) => textsOfJson(field.value).map((key) => ({ name: field.name, key })));
  const found: Content[] = [{ records: [], keys }];
  const others: WrappedField[] = [];
  for (const field of fields.value.filter(({ name }) => !isKeyField(name))) {
    const inner = innerContent(field, { isInEvent, maxRecords, hasData });
    if (inner === undefined) others.push(field);
    else if (!inner.ok) return inner;
    else found.push(inner.value);
  }
  // The first of `found` has only the object’s own keys: with no other, the object wraps nothing.
  if (!hasData && found.length === 1) return undefined;
  const content = together(found);
  return ok({ ...content, records: [...content.records, ...restOf(others)] });
};

/** The fields of an object. Of several with one name, a parser of JSON keeps only the last. */
const fieldsWithin = (text: string, value: JsonObject): Result<readonly WrappedField[], RejectionReason> => {
  const parts = jsonParts(text);
  const isRepeating = parts.length > Object.keys(value).length;
  const fields: WrappedField[] = [];
  for (const part of parts) {
    const parsed = isRepeating ? parseJson(part.text) : ok(value[part.name] ?? null);
    if (!parsed.ok) return parsed;
    fields.push({ ...part, value: parsed.value });
  }
  return ok(fields);
};

interface Wrapper {
  readonly isInEvent: true | undefined;
  readonly maxRecords: number;
  readonly hasData: boolean;
}

const innerContent = (
  { name, value, text }: WrappedField,
  { isInEvent, maxRecords, hasData }: Wrapper,
): ReadContent | undefined => {
  // Only `data` holds calls by specification, whatever the object around it names itself.
  const record = { value, text, isInEvent: isData(name) ? undefined : isInEvent };
  if (typeof value !== 'string') return mayWrap(value) ? ifContent(contentOf(record, maxRecords), hasData) : undefined;
  if (!isData(name) && !isLikeJson(value)) return undefined;
  if (value.trim() === '') return fail('data-empty');
  return ifContent(textContent(record, maxRecords), hasData);
};

/** Beside `data` every list, object and text in brackets is content. Elsewhere it may be anything, unless it holds a record. */
const ifContent = (inner: ReadContent, hasData = false): ReadContent | undefined => {
  const isContent = inner.ok ? holdsRecord(inner.value) : inner.problem === 'too-many-records';
  return hasData || isContent ? inner : undefined;
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
  const parts: string[] = [];
  let end = 0;
  const replace: Replace = (from, to, by) => {
    parts.push(broken.slice(end, from), by);
    end = to;
  };
  let previous = '';
  let comma: number | undefined;

  for (let at = 0; at < broken.length; at++) {
    const character = broken.charAt(at);
    if (' \t\n\r'.includes(character)) continue;
    if (comma !== undefined && (character === ']' || character === '}')) replace(comma, comma + 1, '');
    // A comma behind no entry leaves a gap, in which something may be missing.
    comma = character === ',' && !'[{,:'.includes(previous) ? at : undefined;
    previous = character;
    if (character === '"') at = mendString(broken, at + 1, replace);
  }
  return end === 0 ? undefined : parts.join('') + broken.slice(end);
};

type Replace = (from: number, to: number, by: string) => void;

/** Returns the index of the quote that ends the string. */
const mendString = (text: string, start: number, replace: Replace): number => {
  for (let at = start; at < text.length; at++) {
    const character = text.charAt(at);
    if (character === '"') return at;
    if (character < ' ') {
      let to = at + 1;
      while (to < text.length && text.charAt(to) < ' ') to += 1;
      replace(at, to, JSON.stringify(text.slice(at, to)).slice(1, -1));
      at = to - 1;
    } else if (character === '\\') {
      if (text[at + 1] === "'") replace(at, at + 1, '');
      at += 1;
    }
  }
  return text.length;
};
