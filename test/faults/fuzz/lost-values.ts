import { instantOf, secondsFrom } from '../../../lib/core/instant.ts';
import { tryParseJson } from '../../../lib/core/parse-json.ts';
import { nonBlank } from '../../../lib/core/text.ts';
import * as vocabularies from '../../../lib/telephony/vocabularies.ts';
import { accounts, secrets } from './accounts.ts';
import type { Posted } from './carriers.ts';
import { isFields, type JsonNode, nodeOf } from './json.ts';
import { percentDecoded, readings, textsIn, unescaped } from './leaks.ts';
import type { Trial } from './receiver.ts';

const words = Object.values(vocabularies).filter((exported) => typeof exported !== 'function');
const folded = (text: string): string => text.toLowerCase().replace(/[\s_-]+/g, '');

/** What a value may have become: a word of ours, seconds, an instant. */
const meaningsOf = (text: string): readonly (string | undefined)[] => [
  secondsFrom(text)?.toString(),
  ...accounts.map(({ timeZone }) => instantOf(text, timeZone)?.at),
  ...words.map(({ bySpelling }) => bySpelling.get(folded(text))),
];

const separators = /(?:^|\s)->(?=\s|$)|,(?=\s*(?:[a-z][a-z\d+.-]*:\/\/|$))/i;

const inJson = (text: string): string => JSON.stringify(text).slice(1, -1);

/** Too short to be found within other texts otherwise than by chance. */
const shortest = 4;

const withReading = (texts: readonly string[]): string => {
  const joined = texts.join('\n');
  return joined.includes('\\') ? `${joined}\n${unescaped(joined)}` : joined;
};

const finder = ({ calls, quarantine }: Trial) => {
  // A record that no row could hold is kept as it was to be stored.
  const records = quarantine
    .filter(({ reason }) => reason === 'not-storable')
    .map(({ body }) => tryParseJson(String(body)));
  const texts = textsIn([calls, quarantine, records]);
  const whole = new Set(texts);
  const all = withReading(texts);
  const bodies = withReading(quarantine.map(({ body }) => String(body)));
  const isWithin = (text: string) =>
    [text, inJson(text), inJson(inJson(text))].some((writing) =>
      // A name that is too long for one is kept as the beginning of its value.
      [
        bodies.includes(writing),
        ...(text.length < shortest ? ['"', ': '] : ['']).map((before) => all.includes(before + writing)),
      ].includes(true),
    );
  const isFound = (text: string): boolean => {
    if (nonBlank(text) === undefined || whole.has(text) || whole.has(text.trim())) return true;
    if (isWithin(text) || isWithin(text.trim())) return true;
    if (meaningsOf(text.trim()).some((meaning) => meaning !== undefined && whole.has(meaning))) return true;
    const parts = text.split(separators).flatMap((part) => nonBlank(part) ?? []);
    return (parts.length !== 1 || parts[0] !== text.trim()) && parts.every(isFound);
  };
  return isFound;
};

/** Texts with keys in them are kept with the keys masked. */
const isMasked = (text: string): boolean =>
  readings(text).some((reading) => /api[_-]?key/i.test(reading) || secrets.some((secret) => reading.includes(secret)));

/** What strangers send, and what is too large for a row, is cut, and says so. */
const isCut = ({ quarantine }: Trial): boolean => quarantine.some(({ bytes }) => bytes !== undefined);

/** Values that were sent and taken in, and are found nowhere. */
export const lostValues = (sent: Sent, trial: Trial): readonly string[] => {
  if (isCut(trial)) return [];
  const isFound = finder(trial);
  const missing = (sent.values ?? sent.texts).filter(
    (text) => !isMasked(text) && !isFound(text.toWellFormed()) && !isFound(text),
  );
  return missing.map((text) => `Lost: ${JSON.stringify(text.slice(0, 60))} of ${text.length} characters`);
};

/** What was sent, read without any of the code that is tried. */
export interface Sent {
  /** The values of a JSON text, or undefined if it is none. */
  readonly values: readonly string[] | undefined;
  /** What is to be found if it is none: the text, or the fields of a form. */
  readonly texts: readonly string[];
}

const isKeyName = (name: string): boolean => /api[_-]?key/i.test(name);
const isUserName = (name: string): boolean => name.toLowerCase() === 'username';

/** Every value but those of keys, numbers digit by digit. */
const leavesOf = (root: JsonNode): readonly string[] => {
  const leaves: string[] = [];
  const open: JsonNode[] = [root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (typeof node === 'string') leaves.push(node);
    else if (isFields(node))
      open.push(...node.fields.filter(([name]) => !isKeyName(name) && !isUserName(name)).map(([, value]) => value));
    else if ('raw' in node) leaves.push(node.raw);
    else open.push(...node);
  }
  return leaves;
};

const isForm = ({ headers }: Posted): boolean => {
  const type = Object.entries(headers).findLast(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';
  return type.trim() === '' || /^application\/x-www-form-urlencoded/i.test(type);
};

const nodeIn = (text: string): JsonNode | undefined => {
  try {
    return nodeOf(text.replace(/^\uFEFF/, ''));
  } catch {
    return undefined;
  }
};

/** JSON in a field `data` of JSON is what the post is about. */
const innermost = (node: JsonNode): JsonNode | undefined => {
  const data = isFields(node) ? node.fields.find(([name]) => name.toLowerCase() === 'data')?.[1] : undefined;
  if (typeof data !== 'string' || data.trim() === '') return node;
  const inner = nodeIn(data);
  return inner === undefined ? undefined : innermost(inner);
};

/** JSON that is read as a form falls into pieces, some of which may be a key's value and are masked with the rest of it. */
const hasKeyOfPieces = (text: string): boolean =>
  /api[_-]?key(?:\\*["'])?\s*(?::|=\s*[[{])/i.test(percentDecoded(text));

/** What a request holds; undefined where that cannot be said without the rules of the receiver. */
export const sentValues = (posted: Posted): Sent | undefined => {
  if (posted.handedOver !== undefined) return undefined;
  const text = posted.body?.toString() ?? '';
  const query = [...new URLSearchParams(posted.query)];
  const form = isForm(posted) ? [...new URLSearchParams(text.replace(/^\?/, '%3F'))] : [];
  const data = [...form, ...query].filter(([name]) => name.toLowerCase() === 'data').map(([, value]) => value);
  const contents = [...data, ...(isForm(posted) || text.trim() === '' ? [] : [text])];
  const [only = ''] = contents;
  if (contents.length !== 1 || only.trim() === '') {
    if (hasKeyOfPieces(`${text}\n${posted.query}`)) return undefined;
    return {
      values: undefined,
      texts: [...form, ...query].filter(([name]) => !isKeyName(name)).map(([, value]) => value),
    };
  }

  const node = nodeIn(only);
  const meant = node && innermost(node);
  // What is wrapped and then broken is kept as the innermost text, which only the receiver can tell.
  if (node !== undefined && meant === undefined) return undefined;
  return { values: meant === undefined ? undefined : leavesOf(meant), texts: [only.replace(/^\uFEFF/, '')] };
};
