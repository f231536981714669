import { unescape as formDecoded } from 'node:querystring';
import { mendedJson } from '../../../lib/callback/json-content.ts';
import { isLikeJson, tryParseJson } from '../../../lib/core/json.ts';
import { instantOf, secondsFrom } from '../../../lib/core/time.ts';
import type { Row } from '../../../lib/storage/rows.ts';
import { callFields } from '../../../lib/telephony/call-fields.ts';
import { idOf, nonBlank } from '../../../lib/telephony/posted-fields.ts';
import { isFields, type JsonNode, nodeOf } from './json-nodes.ts';
import { accounts, percentDecoded, readings, secrets, type Trial, textsIn, unescaped } from './receiver.ts';
import { bodyTextOf, type Posted, receivedTypeOf, textOf } from './requests.ts';

const words = Object.values(callFields).flatMap(({ vocabulary = [] }) => vocabulary);
const folded = (text: string): string => text.toLowerCase().replace(/[\s_-]+/g, '');

/** What a value may have been normalised to: a word of a vocabulary, seconds, an instant. */
const meaningsOf = (text: string): readonly (string | undefined)[] => [
  secondsFrom(text)?.toString(),
  ...accounts.map(({ timeZone }) => instantOf(text, timeZone)?.at),
  ...words.map(({ byFolding }) => byFolding.get(folded(text))),
];

/** What separates the parts of a chain: an arrow between blanks, or else any; and the comma before an address. */
const separators = [/\s->\s/, /->|,(?=\s*(?:[a-z][a-z\d+.-]*:\/\/|$))/i];

const inJson = (text: string): string => JSON.stringify(text).slice(1, -1);

/** Shorter texts occur within others by chance. */
const shortest = 4;

const withReading = (texts: readonly string[]): string => {
  const joined = texts.join('\n');
  return joined.includes('\\') ? `${joined}\n${unescaped(joined)}` : joined;
};

const finder = ({ calls, quarantine }: Trial) => {
  // A body may be JSON as it was sent, or the normalised form of a record that no row can hold.
  const records = quarantine.map(({ body }) => tryParseJson(String(body)));
  const texts = textsIn([calls, quarantine, records]);
  const whole = new Set(texts);
  const all = withReading(texts);
  // A body that is not read as a form is quarantined with its percent-encoding.
  const bodies = withReading(
    quarantine.flatMap(({ body }) => [String(body), formDecoded(String(body).replaceAll('+', ' '))]),
  );
  const isWithin = (text: string) =>
    [text, inJson(text), inJson(inJson(text))].some((writing) =>
      // A name that is too long is stored as the beginning of its value.
      [
        bodies.includes(writing),
        ...(text.length < shortest ? ['"', ': '] : ['']).map((before) => all.includes(before + writing)),
      ].includes(true),
    );
  const isFound = (text: string): boolean => {
    // A placeholder is blank in place of an id.
    if (idOf(text) === undefined || whole.has(text) || whole.has(text.trim())) return true;
    if (isWithin(text) || isWithin(text.trim())) return true;
    // A chain that is too long stays one text, without what is empty at its ends. The end is looked for from its beginning
    // only, or a long run of blanks takes quadratic time.
    if (whole.has(text.replace(/^(?:\s|->)+|(?<!\s|->)(?:\s|->)+$/g, ''))) return true;
    if (meaningsOf(text.trim()).some((meaning) => meaning !== undefined && whole.has(meaning))) return true;
    return separators.some((separator) => {
      const parts = text.split(separator).flatMap((part) => nonBlank(part) ?? []);
      return (parts.length !== 1 || parts[0] !== text.trim()) && parts.every(isFound);
    });
  };
  return isFound;
};

/** Texts with keys are stored with the keys redacted. So are texts with an unknown key of their own post. */
const isRedacted = (text: string, keys: readonly string[]): boolean =>
  readings(text).some(
    (reading) => /api[_-]?key/i.test(reading) || [...secrets, ...keys].some((secret) => reading.includes(secret)),
  );

/** Bodies that are too large for a row are truncated, and their length shows it. */
export const isTruncated = ({ bytes, body }: Row): boolean => Number(bytes) > Buffer.byteLength(String(body));

/** Values that were sent and acknowledged, and are found nowhere. */
export const lostValues = (sent: Sent, trial: Trial): readonly string[] => {
  if (trial.quarantine.some(isTruncated)) return [];
  const isFound = finder(trial);
  const missing = (sent.values ?? sent.texts).filter(
    (text) => !isRedacted(text, sent.keys) && !isFound(text.toWellFormed()) && !isFound(text),
  );
  return missing.map((text) => `Lost: ${JSON.stringify(text.slice(0, 60))} of ${text.length} characters`);
};

/** What was sent, read without the code under test. */
interface Sent {
  /** The values of a JSON text; undefined if it is not JSON. */
  readonly values: readonly string[] | undefined;
  /** What must be found if it is not JSON: the text, or the fields of a form. */
  readonly texts: readonly string[];
  /** The values of the fields for keys, if they are long enough to be searched for. */
  readonly keys: readonly string[];
}

/** Shorter keys are redacted in their own fields only. */
const minKeyLength = 8;

const isKeyName = (name: string): boolean => /api[_-]?key/i.test(name);
const isUserName = (name: string): boolean => name.toLowerCase() === 'username';

/** Every value in fields that are selected by their names; numbers with all their digits. */
const leavesOf = (root: JsonNode, isSelected: (name: string) => boolean = () => true): readonly string[] => {
  const leaves: string[] = [];
  const open: JsonNode[] = [root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (typeof node === 'string') leaves.push(node);
    else if (isFields(node)) open.push(...node.fields.filter(([name]) => isSelected(name)).map(([, value]) => value));
    else if ('raw' in node) leaves.push(node.raw);
    else open.push(...node);
  }
  return leaves;
};

const isContent = (name: string): boolean => !isKeyName(name) && !isUserName(name);

/** The account keys of the records. */
const keysIn = (root: JsonNode): readonly string[] =>
  [Array.isArray(root) ? root : [root]]
    .flat(2)
    .filter(isFields)
    .flatMap(({ fields }) => fields.filter(([name]) => isKeyName(name)).flatMap(([, value]) => leavesOf(value)));

const isDeclaredForm = ({ headers }: Posted): boolean =>
  /^\s*$|^application\/x-www-form-urlencoded\s*(?:;|$)/i.test(receivedTypeOf(headers));

/** What begins like JSON is JSON, and what has `data` or JSON in a field is a form, whatever the content type says. */
const isForm = (posted: Posted): boolean => {
  if (isLikeJson(bodyTextOf(posted))) return false;
  return (
    isDeclaredForm(posted) ||
    formFields(posted).some(([name, value]) => name.toLowerCase() === 'data' || isLikeJson(value))
  );
};

/** The values of JSON, or of a text that is mended to it; undefined if it is none, or nested too deeply for this reader. */
const nodeIn = (text: string): JsonNode | undefined => {
  const json = text.replace(/^\uFEFF/, '');
  const read = tryParseJson(json) === undefined ? mendedJson(json) : json;
  try {
    return read === undefined || tryParseJson(read) === undefined ? undefined : nodeOf(read);
  } catch {
    return undefined;
  }
};

/** JSON in a field `data` of JSON, or in a text of JSON, is the content of the post. */
const innermost = (node: JsonNode): JsonNode | undefined => {
  if (typeof node === 'string') return (isLikeJson(node) && nodeIn(node)) || node;
  const data = dataIn(node);
  if (typeof data !== 'string' || data.trim() === '') return node;
  const inner = nodeIn(data);
  return inner === undefined ? undefined : innermost(inner);
};

const dataIn = (node: JsonNode): JsonNode | undefined =>
  isFields(node) ? node.fields.find(([name]) => name.toLowerCase() === 'data')?.[1] : undefined;

/** JSON that is read as a form falls apart, and pieces that look like a key’s value are redacted. */
const hasKeyOfPieces = (text: string): boolean =>
  /api[_-]?key(?:\\*["'])?\s*(?::|=\s*[[{])/i.test(percentDecoded(text));

/** The fields of a form, from its bytes. */
const fieldsOf = (form: Buffer): readonly (readonly [name: string, value: string])[] =>
  form
    .toString('latin1')
    .split('&')
    .flatMap((field) => {
      const [name = '', ...value] = field.split('=');
      return field === '' ? [] : [[decoded(name), decoded(value.join('='))] as const];
    });

/** What is no form by its type is decoded by the charset of that type before it is read as one. */
const formFields = (posted: Posted) =>
  fieldsOf(isDeclaredForm(posted) ? (posted.body ?? Buffer.alloc(0)) : Buffer.from(bodyTextOf(posted)));

/** The values in a field of a form: those of its JSON, if it is any, and of JSON in a field `data` of that. */
const valuesIn = (field: string): readonly string[] => {
  const node = isLikeJson(field) ? nodeIn(field) : undefined;
  if (node === undefined) return [field];
  const data = dataIn(node);
  return leavesOf(node, isContent).flatMap((value) => (value === data ? valuesIn(value) : [value]));
};

const decoded = (part: string): string => textOf(Buffer.from(percentDecoded(part), 'latin1'));

/** No address has a raw zero. A zero within an escape completes it: zeros are left out before escapes are read. */
const hasOddZero = ({ query, body }: Posted): boolean =>
  query.includes('\0') || /%[\da-f]?(?:%00|\0)/i.test(`${query} ${body?.toString('latin1')}`);

const longEnough = ({ length }: string): boolean => length >= minKeyLength;

/** What the fields of a form and a query are without a content. Beside JSON the others are parameters, which are ignored. */
const sentFields = (fields: ReturnType<typeof fieldsOf>): Sent => {
  const valuesOf = (isKey: boolean) => fields.filter(([name]) => isKeyName(name) === isKey).map(([, value]) => value);
  const others = valuesOf(false);
  const inJson = others.filter(isLikeJson);
  const texts = (inJson.length > 0 ? inJson : others).flatMap(valuesIn);
  return { values: undefined, texts, keys: valuesOf(true).filter(longEnough) };
};

/** What a request contains; undefined if that depends on the rules of the receiver. */
export const sentValues = (posted: Posted): Sent | undefined => {
  if (posted.bodyEncoding !== undefined || hasOddZero(posted)) return undefined;
  const text = bodyTextOf(posted);
  const query = fieldsOf(Buffer.from(posted.query.replace(/^\?/, '')));
  const form = isForm(posted) ? formFields(posted) : [];
  const data = [...form, ...query].filter(([name]) => name.toLowerCase() === 'data').map(([, value]) => value);
  const beside = [...form, ...query].filter(([name]) => isKeyName(name)).map(([, value]) => value);
  const contents = [...data, ...(isForm(posted) || text.trim() === '' ? [] : [text])];
  const [only = ''] = contents;
  if (contents.length !== 1 || only.trim() === '')
    return hasKeyOfPieces(`${text}\n${posted.query}`) ? undefined : sentFields([...form, ...query]);

  const node = nodeIn(only);
  const meant = node && innermost(node);
  // What is wrapped and then broken is stored as the innermost text, which only the receiver knows.
  if (node !== undefined && meant === undefined) return undefined;
  return {
    values: meant === undefined ? undefined : leavesOf(meant, isContent),
    texts: [only.replace(/^\uFEFF/, '')],
    keys: [...beside, ...(meant === undefined ? [] : keysIn(meant))].filter(longEnough),
  };
};
