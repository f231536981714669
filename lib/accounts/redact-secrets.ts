import { once } from '../core/collections.ts';
import { percentDecoded } from '../core/encoding.ts';
import { depthChanges, isFarTooDeep, stringOr, tryParseJson } from '../core/json.ts';
import { redactCallbackSecrets } from './callback-secret.ts';
import { type KeyReplacement, knownKeys, redactedText } from './known-secrets.ts';

/** What replaces a key that is known, and the value of a field that is named like a key. */
export interface Masks {
  readonly known: (key: string) => string;
  readonly named: (key: string) => string;
}

const redacted = (): string => redactedText;

/** Redacts a text: with its masks, or with asterisks. */
export type Redactor = (text: string, masks?: Masks) => string;

/**
 * Prepares the redaction of texts: of the given keys wherever they occur, and of every field that is named like a key.
 * JSON is parsed, and each of its strings and numbers is redacted by itself. So it keeps its fields, and every other
 * character as it was sent. In a text that is no JSON only the key is replaced. The time is linear in the length of the text.
 */
export const secretRedactor = (keys: readonly string[]): Redactor => redactorFor(knownKeys(keys));

/** The same with prepared keys. Also redacts callback secrets in addresses, by their hashes from `callbackSecretHash`. */
export const redactorFor =
  (replaceKeys: KeyReplacement, secretHashes?: string): Redactor =>
  (sent, masks = { known: redacted, named: redacted }) => {
    const redactKnown = (text: string) =>
      redactCallbackSecrets(replaceKeys(text, masks.known), secretHashes, redactedText);
    const redact = (text: string): string =>
      isJson(text) ? redactJson(text, rules) : redactNamed(redactKnown(text), masks.named);
    const rules: Rules = { redact, redactKnown, redactNamed: masks.named };
    return redact(sent);
  };

/** How the parts of a JSON text are redacted. */
interface Rules {
  readonly redact: (text: string) => string;
  readonly redactKnown: (text: string) => string;
  readonly redactNamed: (key: string) => string;
}

/** Whether a text is a JSON string, list or object. A number is redacted like any other text. */
const isJson = (text: string): boolean =>
  /^\s*[[{"]/.test(text) && !isFarTooDeep(text) && tryParseJson(text) !== undefined;

/** A string, a number, or a bracket. */
const jsonToken = stringOr(String.raw`-?\d[\d.eE+-]*|[[\]{}]`);
const colonAfter = /\s*:/y;
const isNameOfKey = (name: string): boolean => /api[_-]?key\s*$/i.test(name);

/** Redacts the strings and numbers of a JSON text one by one. A redacted number becomes a string. */
const redactJson = (json: string, { redact, redactKnown, redactNamed: redactKey }: Rules): string => {
  const uniqueName = once(() => namesBeside(json));
  const place = jsonPlace();

  const redactName = (name: string): string => {
    place.atName(name);
    const left = redact(name);
    return left === name ? name : uniqueName()(left);
  };
  const redactValue = (value: string, redactOther: (text: string) => string): string => {
    if (!place.isInKeyField()) return redactOther(value);
    return value.trim() === '' ? value : redactKey(value.trim());
  };

  return json.replace(jsonToken, (token: string, at: number) => {
    if (place.isMoved(token)) return token;
    const isString = token.startsWith('"');
    const text = isString ? textOf(token) : token;
    colonAfter.lastIndex = at + token.length;
    const isName = isString && colonAfter.test(json);
    const left = isName ? redactName(text) : redactValue(text, isString ? redact : redactKnown);
    return left === text ? token : JSON.stringify(left);
  });
};

/** Where in a JSON text a reader is: every value in a field that is named like a key is a key, however deep it is. */
const jsonPlace = () => {
  let depth = 0;
  let keyDepth = Number.POSITIVE_INFINITY;
  return {
    /** Moves on if the token is a bracket. */
    isMoved: (token: string): boolean => {
      const change = depthChanges.get(token);
      if (change === undefined) return false;
      depth += change;
      if (depth < keyDepth) keyDepth = Number.POSITIVE_INFINITY;
      return true;
    },
    atName: (name: string): void => {
      if (depth <= keyDepth) keyDepth = isNameOfKey(name) ? depth : Number.POSITIVE_INFINITY;
    },
    isInKeyField: (): boolean => depth >= keyDepth,
  };
};

const textOf = (token: string): string => (token.includes('\\') ? JSON.parse(token) : token.slice(1, -1));

/** Makes names that no field of a JSON text has, so that a redacted name hides no other field. */
const namesBeside = (json: string) => {
  const taken = new Set([...json.matchAll(stringOr('(?!)'))].map(([token]) => textOf(token)));
  const uses = new Map<string, number>();
  return (name: string): string => {
    for (let use = (uses.get(name) ?? 0) + 1; ; use += 1) {
      const unique = use === 1 ? name : `${name} (${use})`;
      uses.set(name, use);
      if (!taken.has(unique)) return unique;
    }
  };
};

/** A name for keys in a text that is no JSON: broken JSON, a form, an address, or what somebody wrote. */
const keyName = /api[_-]?key/gi;

/** What may stand between such a name and its key, where one of the second makes it a name. */
const between = new Set(' \t\r\n"\'\\+:=[{>');
const assigning = new Set(':=>');

/** What ends a key, and one whose name and value are in quotes. */
const marks = new Set(' \t\r\n"\'\\&,;<>()[]{}');
const quotes = new Set('\r\n"\'\\');
const isInQuotes = (beforeKey: string): boolean => /^\\*["'].*[:=[\s+]\\*["']$/s.test(percentDecoded(beforeKey));

/** Redacts what follows each name for keys, up to the next mark. An unknown key is redacted too: it is somebody's secret. */
const redactNamed = (text: string, redactKey: (key: string) => string): string => {
  const parts: string[] = [];
  let end = 0;
  for (const { 0: name, index } of text.matchAll(keyName)) {
    const start = index < end ? undefined : startOfKey(text, index + name.length);
    if (start === undefined) continue;
    const ends = isInQuotes(text.slice(index + name.length, start)) ? quotes : marks;
    const endOfKey = endOfRun(text, start, (character) => !ends.has(character));
    const key = text.slice(start, endOfKey);
    if (!/[a-z\d]/i.test(key)) continue;
    parts.push(text.slice(end, start), redactKey(keyOf(key)));
    end = endOfKey;
  }
  return `${parts.join('')}${text.slice(end)}`;
};

/** Where the key of a name begins; undefined if nothing assigns one. */
const startOfKey = (text: string, endOfName: number): number | undefined => {
  let isAssigned = false;
  const start = endOfRun(text, endOfName, (character) => {
    isAssigned ||= assigning.has(character);
    return between.has(character);
  });
  return isAssigned ? start : undefined;
};

/** Where a run of such characters ends. */
const endOfRun = (text: string, start: number, isPart: (character: string) => boolean): number => {
  let at = start;
  for (;;) {
    const [character, length] = characterAt(text, at);
    if (character === '' || !isPart(character)) return at;
    at += length;
  }
};

/** The character at a position, and its length in the text; empty at the end. JSON may have a backslash before a slash. */
const characterAt = (text: string, at: number): readonly [character: string, length: number] => {
  const [character, length] = byteAt(text, at);
  const [next, more] = character === '\\' ? byteAt(text, at + length) : ['', 0];
  return next === '/' ? [next, length + more] : [character, length];
};

/** The same for one that a form may have percent-encoded. */
const byteAt = (text: string, at: number): readonly [character: string, length: number] => {
  const plain = text.charAt(at);
  const code = plain === '%' ? text.slice(at + 1, at + 3) : '';
  return /^[\da-f]{2}$/i.test(code) ? [String.fromCharCode(Number.parseInt(code, 16)), 3] : [plain, 1];
};

/** A key as it was before its text was escaped or encoded. */
const keyOf = (sent: string): string => {
  const decoded = percentDecoded(sent);
  const key = tryParseJson(`"${decoded}"`);
  return typeof key === 'string' ? key : decoded;
};
