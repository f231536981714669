import { once } from '../core/collections.ts';
import { tryParseJson } from '../core/json.ts';
import { depthChanges, isFarTooDeep, jsonNumber, replaceTokens, stringOr, visitTokens } from '../core/json-text.ts';
import { uniqueNames } from '../telephony/posted-fields.ts';
import { redactCallbackSecrets } from './callback-secret.ts';
import { type KeyReplacement, keyReplacement } from './find-keys.ts';
import { announcesKey, redactNamed } from './named-keys.ts';

export const redactedText = '***';

/** What replaces a key: a live one, or the value of a field that is named like a key. */
type MaskOf = (key: string, isLive: boolean) => string;

const asterisks = () => redactedText;

export type Redactor = (text: string, maskOf?: MaskOf) => string;

/**
 * Redacts the keys wherever they occur, and every field named like a key. In JSON each string and number is redacted by
 * itself, and all else stays as sent; in other text only the key is replaced. Takes time linear in the length.
 */
export const secretRedactor = (keys: readonly string[]): Redactor => redactorFor(keyReplacement(keys));

/** The redactor of prepared keys. Also redacts callback secrets in addresses, by their hashes from `callbackSecretHash`. */
export const redactorFor =
  (replaceKeys: KeyReplacement, secretHashes?: string): Redactor =>
  (sent, maskOf = asterisks) => {
    const maskNamed = (key: string) => maskOf(key, false);
    const redactLive = (text: string, mask: (key: string) => string = (key) => maskOf(key, true)) =>
      redactCallbackSecrets(replaceKeys(text, mask), secretHashes, redactedText);
    const redact = (text: string): string => {
      // Nearly every text is clean: no escape hides a secret in it, no name announces a key, and no live key occurs.
      const isClean = !text.includes('\\') && !announcesKey(text) && redactLive(text, asterisks) === text;
      if (isClean) return text;
      return isJson(text)
        ? redactJson(text, { redact, redactLive, maskNamed })
        : redactNamed(redactLive(text), maskNamed);
    };
    return redact(sent);
  };

/** Whether a text is a JSON string, list or object. A number is redacted like any other text. */
const isJson = (text: string): boolean =>
  /^\s*[[{"]/.test(text) && !isFarTooDeep(text) && tryParseJson(text) !== undefined;

/** How a string, a number and the value of a field that is named like a key are redacted. */
type Redactions = Readonly<Record<'redact' | 'redactLive' | 'maskNamed', (text: string) => string>>;

const jsonToken = stringOr(String.raw`${jsonNumber}|[[\]{}]`);
const colonAfter = /\s*:/y;

/** Every value in a field that is named like a key is a key, however deep. A redacted number becomes a string. */
const redactJson = (json: string, { redact, redactLive, maskNamed }: Redactions): string => {
  const uniqueName = once(() => namesBeside(json));
  let depth = 0;
  /** The depth of the field named like a key that the reader is in. */
  let keyDepth = Number.POSITIVE_INFINITY;

  const redactName = (name: string): string => {
    if (depth <= keyDepth) keyDepth = /api[_-]?key\s*$/i.test(name) ? depth : Number.POSITIVE_INFINITY;
    const redacted = redact(name);
    return redacted === name ? name : uniqueName()(redacted);
  };
  const redactValue = (value: string, isString: boolean): string => {
    if (depth < keyDepth) return isString ? redact(value) : redactLive(value);
    return value.trim() === '' ? value : maskNamed(value.trim());
  };

  return replaceTokens(json, jsonToken, (token, at) => {
    const change = depthChanges.get(token);
    if (change !== undefined) {
      depth += change;
      if (depth < keyDepth) keyDepth = Number.POSITIVE_INFINITY;
      return token;
    }
    const isString = token.startsWith('"');
    const text = isString ? textOf(token) : token;
    colonAfter.lastIndex = at + token.length;
    const redacted = isString && colonAfter.test(json) ? redactName(text) : redactValue(text, isString);
    return redacted === text ? token : JSON.stringify(redacted);
  });
};

const textOf = (token: string): string => (token.includes('\\') ? JSON.parse(token) : token.slice(1, -1));

/** Makes names that no field of a JSON text has, so that a redacted name hides no other field. */
const namesBeside = (json: string) => {
  const taken = new Set<string>();
  visitTokens(json, stringOr('(?!)'), (token) => taken.add(textOf(token)));
  const numbered = uniqueNames();
  return (name: string): string => {
    for (;;) {
      const unique = numbered(name);
      if (!taken.has(unique)) return unique;
    }
  };
};
