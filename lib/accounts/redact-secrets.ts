import { once } from '../core/collections.ts';
import { percentDecoded } from '../core/encoding.ts';
import { depthChanges, stringOr, tryParseJson } from '../core/json.ts';
import { type KnownKeys, knownKeys, redactCallbackSecrets, redactedText } from './known-secrets.ts';

/**
 * Prepares the redaction of texts: of the given keys wherever they occur, and of every field that is named like a key.
 * JSON is parsed, and each of its strings and numbers is redacted by itself. So it keeps its fields, and every other
 * character as it was sent. In a text that is no JSON only the key is replaced. The time is linear in the length of the text.
 */
export const secretRedactor = (keys: readonly string[]): ((text: string) => string) => redactorFor(knownKeys(keys));

/** The same with prepared keys. Also redacts callback secrets in addresses, by their hashes from `callbackSecretHash`. */
export const redactorFor = (known: KnownKeys, secretHashes?: string): ((text: string) => string) => {
  const redactKnown = (text: string) => redactCallbackSecrets(known.redact(text), secretHashes, redactedText);
  return redactorOf({ redactKnown, onKey: () => undefined });
};

/** The most keys that a text is searched for. A post has one key, or the same one in each record. */
export const maxClaimedKeys = 20;

/**
 * The different keys in a text that was not understood. The live ones come first, wherever they are; then the values of
 * fields that are named like a key. Both are found in JSON at any depth, in its strings, and in a form that is still
 * percent-encoded. They show whether the text came from an account or an unknown sender.
 */
export const claimedKeysIn = (text: string, liveKeysIn: KnownKeys['foundIn']): readonly string[] => {
  const live = new Set<string>();
  const claimed = new Set<string>();
  const findLive = (reading: string): string => {
    for (const key of liveKeysIn(reading)) live.add(key);
    return reading;
  };
  const onKey = (key: string): void => {
    findLive(key);
    claimed.add(key);
  };
  redactorOf({ redactKnown: findLive, onKey })(text);
  return [...new Set([...live, ...claimed])].slice(0, maxClaimedKeys);
};

/** How keys are found: `redactKnown` replaces known ones, and `onKey` gets each value of a field that is named like a key. */
interface KeyRules {
  readonly redactKnown: (text: string) => string;
  readonly onKey: (key: string) => unknown;
}

const redactorOf = (rules: KeyRules) => {
  const redact = (text: string): string => {
    if (!mayNameKey.test(text) && rules.redactKnown(text) === text) return text;
    return isJson(text) ? redactJson(text, redact, rules) : redactText(text, rules);
  };
  return redact;
};

/** Nearly every string of a record is without any of these, and needs only a search for the known keys. */
const mayNameKey = /key|[\\%]/i;

/** Whether a text is a JSON string, list or object. A number is redacted like any other text. */
const isJson = (text: string): boolean => /^\s*[[{"]/.test(text) && tryParseJson(text) !== undefined;

/** A string, a number, or a bracket. */
const jsonToken = stringOr(String.raw`-?\d[\d.eE+-]*|[[\]{}]`);
const colonAfter = /\s*:/y;
const keyName = /api[_-]?key\s*$/i;

/** Redacts the strings and numbers of a JSON text one by one. A redacted number becomes a string. */
const redactJson = (json: string, redact: (text: string) => string, { redactKnown, onKey }: KeyRules): string => {
  const uniqueName = once(() => namesBeside(json));
  const place = jsonPlace();

  const redactName = (name: string): string => {
    place.atName(name);
    const redacted = redact(name);
    return redacted === name ? name : uniqueName()(redacted);
  };
  const redactKey = (key: string): string => {
    if (key.trim() === '') return key;
    onKey(key);
    return redactedText;
  };
  const redactString = (text: string): string => (place.isInKeyField() ? redactKey : redact)(text);
  const redactNumber = (digits: string): string => (place.isInKeyField() ? redactKey : redactKnown)(digits);

  return json.replace(jsonToken, (token: string, at: number) => {
    if (place.isMoved(token)) return token;
    colonAfter.lastIndex = at + token.length;
    const isString = token.startsWith('"');
    const redactToken = !isString ? redactNumber : colonAfter.test(json) ? redactName : redactString;
    const text = isString ? textOf(token) : token;
    const redacted = redactToken(text);
    return redacted === text ? token : JSON.stringify(redacted);
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
      if (depth <= keyDepth) keyDepth = keyName.test(name) ? depth : Number.POSITIVE_INFINITY;
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

const space = String.raw`(?:\s|%20|\+)*`;
const equals = `${space}(?:[:=]|%3A|%3D)${space}`;

/**
 * A key in a text that is no JSON: broken JSON, a form, an address, or what somebody wrote. What precedes the key is
 * captured. A key ends with the quote that it began with, or else where a word ends. So a quote that somebody wrote cannot
 * hide what other fields hold. An unknown key is redacted too, since it is somebody's secret.
 */
const keyField = new RegExp(
  [
    // JSON: "Apikey": "key", or the first of a list
    String.raw`(?<json>api[_-]?key"${equals}(?:\[\s*)?")(?:[^"\\\n]|\\.)+(?=")`,
    // the same with quotes that are escaped or single
    String.raw`(?<quoted>api[_-]?key(?<quote>\\*["'])${equals}(?:\[\s*)?\k<quote>)[^"'\n]+(?=\k<quote>)`,
    // the same in a form
    String.raw`(?<encoded>api[_-]?key%22${equals}(?:%5B${space})?%22)(?:(?!%22)[^"'&\s])+(?=%22)`,
    // Apikey=key
    String.raw`(?<plain>api[_-]?key(?:\\*["']|%22)?${equals}(?:[[{]\s*)?(?:\\*["']|%22)?)(?=[^\w&,;\s"'\\{}[\]<>()]*\w)(?:\\/|(?!%(?:22|26|2C|5D|7D))[^&,;\s"'\\{}[\]<>()])+`,
  ].join('|'),
  'gi',
);

const redactText = (text: string, { redactKnown, onKey }: KeyRules): string =>
  redactKnown(text).replace(keyField, (field: string, ...captured: readonly unknown[]) => {
    const before = precedingKey(captured.at(-1));
    onKey(keyOf(field.slice(before.length)));
    return `${before}${redactedText}`;
  });

const precedingKey = (groups: unknown): string => {
  const { json, quoted, encoded, plain } = groups as Readonly<Record<string, string | undefined>>;
  return String(json ?? quoted ?? encoded ?? plain);
};

/** A key as it was before its text was escaped or encoded. */
const keyOf = (sent: string): string => {
  const decoded = percentDecoded(sent);
  const key = tryParseJson(`"${decoded}"`);
  return typeof key === 'string' ? key : decoded;
};
