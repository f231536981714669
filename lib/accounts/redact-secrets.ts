import { timingSafeEqual } from 'node:crypto';
import * as z from 'zod/mini';
import { once } from '../core/collections.ts';
import { percentDecoded, sha256 } from '../core/encoding.ts';
import { depthChanges, isFarTooDeep, jsonNumber, stringOr, tryParseJson } from '../core/json.ts';
import { uniqueNames } from '../telephony/posted-fields.ts';

export const redactedText = '***';

/** A shorter key is redacted in its own field only: other texts may contain it by chance, and would be spoilt. */
const minStrayKeyLength = 8;

type KeyReplacement = (text: string, maskOf: (key: string) => string) => string;

/** Finds keys of eight characters or more by plain search: as they are, as in JSON and forms, and one inside another. */
export const keyReplacement = (keys: readonly string[]): KeyReplacement => {
  const longestFirst = [...new Set(keys)]
    .filter(({ length }) => length >= minStrayKeyLength)
    .sort((a, b) => b.length - a.length)
    .map((key) => ({ key, plainPart: plainPartOf(key), spellings: once(() => spellingsOf(key)) }));
  const shortest = Math.min(...longestFirst.map(({ plainPart }) => plainPart.length));
  return (text, maskOf) => {
    let redacted = text;
    // Most texts are a name or a number, too short for any key.
    for (const { key, plainPart, spellings } of text.length < shortest ? [] : longestFirst)
      if (redacted.includes(plainPart))
        for (const spelling of spellings()) redacted = redacted.replaceAll(spelling, () => maskOf(key));
    return redacted;
  };
};

/** The longest part of a key that each spelling has as it is. Nearly every text lacks it, and needs no other search. */
const plainPartOf = (key: string): string =>
  (key.match(/[\w.-]+/g) ?? ['']).reduce((longest, part) => (part.length > longest.length ? part : longest));

/** The longest first: one may be a part of another. */
const spellingsOf = (key: string): readonly string[] => {
  if (plainPartOf(key) === key) return [key];
  const written = (text: string) => [text, ...writtenInJson(text), ...writtenInForms(text)];
  return [...new Set(written(key).flatMap(written))].sort((a, b) => b.length - a.length);
};

/** As JavaScript, PHP, Python and Ruby, Go, Gson, .NET and scripts in HTML write a text. */
const writtenInJson = (text: string): readonly string[] => {
  const json = JSON.stringify(text).slice(1, -1);
  const inAscii = escaped(json, /[^ -~]/g);
  return [
    ...[json, json.replaceAll('/', '\\/'), inAscii, inAscii.replaceAll('/', '\\/')],
    ...[escaped(json, /[<>&]/g), escaped(json, /[<>&='\u2028\u2029]/g)],
    ...[/[^ -~]|["&'+<>`]/g, /[<>/]/g].map((characters) => escaped(json, characters, 'in capitals')),
  ];
};

const escaped = (json: string, characters: RegExp, digits?: 'in capitals'): string =>
  json.replace(characters, (unit) => {
    const hex = unit.charCodeAt(0).toString(16).padStart(4, '0');
    return `\\u${digits === undefined ? hex : hex.toUpperCase()}`;
  });

/** As browsers, Java, PHP and .NET write a text into forms and addresses. */
const writtenInForms = (text: string): readonly string[] => {
  const form = new URLSearchParams({ '': text }).toString().slice(1);
  const asRfc3986 = form.replaceAll('+', '%20').replaceAll('%7E', '~').replaceAll('*', '%2A');
  return [encodeURIComponent(text.toWellFormed()), form, asRfc3986].flatMap((written) => [
    written,
    written.replace(/%../g, (byte) => byte.toLowerCase()),
  ]);
};

/** What replaces a key: a live one, or the value of a field that is named like a key. */
type MaskOf = (key: string, isLive: boolean) => string;

const asterisks = () => redactedText;

export type Redactor = (text: string, maskOf?: MaskOf) => string;

/**
 * Redacts the keys wherever they occur, and every field named like a key. In JSON each string and number is redacted by
 * itself, and all else stays as sent; in other text only the key is replaced. Takes time linear in the length.
 */
export const secretRedactor = (keys: readonly string[]): Redactor => redactorFor(keyReplacement(keys));

/** The same with prepared keys. Also redacts callback secrets in addresses, by their hashes from `callbackSecretHash`. */
export const redactorFor =
  (replaceKeys: KeyReplacement, secretHashes?: string): Redactor =>
  (sent, maskOf = asterisks) => {
    const maskNamed = (key: string) => maskOf(key, false);
    const redactLive = (text: string, mask: (key: string) => string = (key) => maskOf(key, true)) =>
      redactCallbackSecrets(replaceKeys(text, mask), secretHashes);
    const redact = (text: string): string => {
      // Nearly every text is clean: no escape hides a secret in it, no name announces a key, and no live key occurs.
      const isClean = !text.includes('\\') && text.search(keyName) < 0 && redactLive(text, asterisks) === text;
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

  return json.replace(jsonToken, (token: string, at: number) => {
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
  const taken = new Set([...json.matchAll(stringOr('(?!)'))].map(([token]) => textOf(token)));
  const numbered = uniqueNames();
  return (name: string): string => {
    for (;;) {
      const unique = numbered(name);
      if (!taken.has(unique)) return unique;
    }
  };
};

/** A name for keys in a text that is no JSON: broken JSON, a form, an address, or what somebody wrote. */
const keyName = /api[_-]?key/gi;

/** What may stand between such a name and its key. One of `assigning` must. */
const between = new Set(' \t\r\n"\'\\+:=[{>');
const assigning = new Set(':=>');

/** What ends a key, and what ends one whose name and value are in quotes. */
const marks = new Set(' \t\r\n"\'\\&,;<>()[]{}');
const quotes = new Set('\r\n"\'\\');
const isInQuotes = (beforeKey: string): boolean => /^\\*["'].*[:=[\s+]\\*["'][^"']*$/s.test(percentDecoded(beforeKey));

/** Redacts what follows each name for keys, up to the next mark. An unknown key is redacted too: it is somebody's secret. */
const redactNamed = (text: string, maskNamed: Redactions['maskNamed']): string => {
  const parts: string[] = [];
  let end = 0;
  for (const { 0: name, index } of text.matchAll(keyName)) {
    const key = index < end ? undefined : keyAfterName(text, index + name.length);
    if (key === undefined) continue;
    parts.push(text.slice(end, key.start), maskNamed(keyOf(text.slice(key.start, key.end))));
    end = key.end;
  }
  return `${parts.join('')}${text.slice(end)}`;
};

const keyAfterName = (text: string, endOfName: number) => {
  let isAssigned = false;
  const start = endOfRun(text, endOfName, (character) => {
    isAssigned ||= assigning.has(character);
    return between.has(character);
  });
  if (!isAssigned) return undefined;
  const ends = isInQuotes(text.slice(endOfName, start)) ? quotes : marks;
  const end = endOfRun(text, start, (character) => !ends.has(character));
  return /[a-z\d]/i.test(text.slice(start, end)) ? { start, end } : undefined;
};

const endOfRun = (text: string, start: number, isPart: (character: string) => boolean): number => {
  for (let at = start; ; ) {
    const [character, length] = characterAt(text, at);
    if (character === '' || !isPart(character)) return at;
    at += length;
  }
};

/** The character at a position, and its length in the text; empty at the end. JSON may have a backslash before a slash. */
const characterAt = (text: string, at: number): readonly [character: string, length: number] => {
  const [character, length] = byteAt(text, at);
  const isBeforeSlash = character === '\\' && byteAt(text, at + length)[0] === '/';
  return [isBeforeSlash ? '/' : character, length];
};

/** The same for one that a form may have percent-encoded. */
const byteAt = (text: string, at: number): readonly [character: string, length: number] => {
  const code = text.charAt(at) === '%' ? text.slice(at + 1, at + 3) : '';
  return /^[\da-f]{2}$/i.test(code) ? [String.fromCharCode(Number.parseInt(code, 16)), 3] : [text.charAt(at), 1];
};

/** A key as it was before its text was escaped or encoded. */
const keyOf = (sent: string): string => {
  const decoded = percentDecoded(sent);
  const key = tryParseJson(`"${decoded}"`);
  return typeof key === 'string' ? key : decoded;
};

const secretHint = 'must be 16 to 128 characters that need no escape in an address: A-Z a-z 0-9 - . _ ~';

/** The secret part of the callback address. Only the telephony service is given that address. */
export const CallbackSecret = z.string(secretHint).check(z.regex(/^[A-Za-z0-9._~-]{16,128}$/, secretHint));

/** Deployed in place of the secrets. */
export const callbackSecretHash = (...secrets: readonly string[]): string =>
  secrets.map((secret) => sha256(secret).toString('hex')).join(',');

/** The check takes as long for a wrong secret as for a right one. */
export const isCallbackSecret = (sent: string, hashes: string): boolean => {
  const digest = sha256(sent);
  const matches = hashes.split(',').map((hash) => timingSafeEqual(digest, Buffer.from(hash, 'hex')));
  return matches.includes(true);
};

/** A part of a path that may be a callback secret, behind a slash as it is or as a form writes it. */
const pathPart = /(?<=\/|%2F|%252F)[\w.~-]{16,128}(?![\w.~-])/gi;

/** Replaces the callback secrets in addresses that somebody wrote. Only their hashes are known. */
const redactCallbackSecrets = (text: string, hashes: string | undefined): string =>
  hashes === undefined
    ? text
    : text.replace(pathPart, (part) => (isCallbackSecret(part, hashes) ? redactedText : part));
