import { timingSafeEqual } from 'node:crypto';
import * as z from 'zod/mini';
import { once } from '../core/collections.ts';
import { percentDecoded, sha256, withBlanks } from '../core/encoding.ts';
import {
  depthChanges,
  isFarTooDeep,
  jsonNumber,
  replaceTokens,
  stringOr,
  tryParseJson,
  visitTokens,
} from '../core/json.ts';
import { uniqueNames } from '../telephony/posted-fields.ts';

export const redactedText = '***';

/** A shorter key is redacted in its own field only: other texts may contain it by chance, and would be spoilt. */
const minStrayKeyLength = 8;

type KeyReplacement = (text: string, maskOf: (key: string) => string) => string;

/**
 * Finds keys of eight characters or more: as they are, in JSON, in forms and addresses, and in one of these inside another. Every
 * encoder leaves other characters as they are, so each character may have an escape.
 */
export const keyReplacement = (keys: readonly string[]): KeyReplacement => {
  const longestFirst = [...new Set(keys)]
    .filter(({ length }) => length >= minStrayKeyLength)
    .sort((a, b) => b.length - a.length)
    .map((key) => ({ key, plainPart: plainPartOf(key) }));
  const shortest = Math.min(...longestFirst.map(({ plainPart }) => plainPart.length));
  return (text, maskOf) => {
    // Most texts are a name or a number, too short for any key.
    if (text.length < shortest) return text;
    const readings = percentReadings(text);
    let redacted = text;
    for (const { key, plainPart } of longestFirst)
      if (readings.some((reading) => reading.includes(plainPart)))
        redacted = replaceEscaped(redacted, key, plainPart, () => maskOf(key)).replaceAll(key, () => maskOf(key));
    return redacted;
  };
};

/** The longest part of a key that no JSON escapes. Nearly every text lacks it, and needs no other search. */
const plainPartOf = (key: string): string =>
  (key.match(/[\w.-]+/g) ?? ['']).reduce((longest, part) => (part.length > longest.length ? part : longest));

/** A text as it is, and as it was before its characters were percent-encoded, once or in a form within a form. */
const percentReadings = (text: string): readonly [string, string, string] => {
  const decoded = percentDecoded(text);
  return [text, decoded, percentDecoded(decoded)];
};

/** Replaces a key whose characters have escapes: of JSON, in a form or an address, and in a form once more. */
const replaceEscaped = (text: string, key: string, plainPart: string, mask: () => string): string => {
  const sought = withBlanks(withoutEscapes(key, ofJson));
  if (sought === '' || !/[\\%+ ]/.test(text)) return text;
  const layers = [[percents, percents, ofJson], [percents, ofJson], [ofJson]];
  return layers.reduce((redacted, escapes) => {
    // Nearly every key is there as it is. The search for others takes thirty times as long as to see that there is none.
    const others = plainPart === key ? redacted.replaceAll(key, '') : redacted;
    if (!percentReadings(others)[escapes.length - 1]?.includes(plainPart)) return redacted;
    const parts: string[] = [];
    let end = 0;
    for (const [index, place] of placesOf(redacted, escapes, sought).entries()) {
      parts.push(index % 2 === 0 ? redacted.slice(end, place) : mask());
      end = place;
    }
    return `${parts.join('')}${redacted.slice(end)}`;
  }, text);
};

/** Where a text begins and ends in another that has escapes within escapes, again and again. */
const placesOf = (text: string, [outer, ...inner]: readonly Escapes[], sought: string): readonly number[] => {
  if (outer === undefined) return occurrencesOf(sought, withBlanks(text));
  const places = placesOf(withoutEscapes(text, outer), inner, sought);
  return places.length === 0 ? places : originsOf(places, text, outer);
};

const occurrencesOf = (sought: string, text: string): readonly number[] => {
  const places: number[] = [];
  for (let at = text.indexOf(sought); at >= 0; at = text.indexOf(sought, at + sought.length))
    places.push(at, at + sought.length);
  return places;
};

/** How a kind of encoder writes characters, and what that means. */
interface Escapes {
  readonly written: RegExp;
  readonly meaningOf: (written: string) => string;
}

/** The bytes of one character. */
const percents: Escapes = {
  written: /%[0-7][\da-f]|%[c-f][\da-f](?:%[89ab][\da-f]){1,3}/gi,
  meaningOf: (bytes) =>
    bytes.length === 3
      ? String.fromCharCode(Number.parseInt(bytes.slice(1), 16))
      : Buffer.from(bytes.replaceAll('%', ''), 'hex').toString(),
};

/** All backslashes, as each JSON around another doubles them. */
const ofJson: Escapes = {
  written: /\\+(?:u[\da-f]{4}|["/])?/gi,
  meaningOf(written) {
    const escaped = written.replace(/^\\+/, '');
    return escaped.length > 1 ? String.fromCharCode(Number.parseInt(escaped.slice(1), 16)) : escaped;
  },
};

const withoutEscapes = (text: string, { written, meaningOf }: Escapes): string => text.replace(written, meaningOf);

/** Where places of a text without escapes, in their order, are in the text with them. */
const originsOf = (places: readonly number[], text: string, { written, meaningOf }: Escapes): readonly number[] => {
  const origins: number[] = [];
  let longer = 0;
  const addUpTo = (end: number): void => {
    for (let place = places[origins.length]; place !== undefined && place <= end; place = places[origins.length])
      origins.push(place + longer);
  };
  for (const { 0: found, index } of text.matchAll(written)) {
    addUpTo(index - longer);
    longer += found.length - meaningOf(found).length;
  }
  addUpTo(text.length);
  return origins;
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

/** A name for keys in a text that is no JSON: broken JSON, a form, an address, or what somebody wrote. */
const keyName = /api[_-]?key/gi;

/** What may stand between such a name and its key. One of `assigning` must. */
const between = new Set(' \t\r\n"\'\\+:=[{>');
const assigning = new Set(':=>');
const announcesKey = (text: string): boolean => text.search(keyName) >= 0 && /[:=>%]/.test(text);

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
  const character = text.charAt(at);
  if (character !== '%') return [character, 1];
  const code = text.slice(at + 1, at + 3);
  return /^[\da-f]{2}$/i.test(code) ? [String.fromCharCode(Number.parseInt(code, 16)), 3] : [character, 1];
};

/** A key as it was before its text was escaped or encoded. */
const keyOf = (sent: string): string => {
  const decoded = percentDecoded(sent);
  const key = decoded.includes('\\') ? tryParseJson(`"${decoded}"`) : undefined;
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

/** A part of a path that may be a callback secret, behind a slash. A form or an address may have encoded any character of it. */
const pathPart =
  /(?<=\/|%(?:25){0,2}2F)(?:[\w.~-]|%(?:25){0,2}(?:2[DE]|3\d|[46][1-9A-F]|[57][\dA]|5F|7E)){16,128}(?![\w.~-])/gi;

/** Replaces the callback secrets in addresses that somebody wrote. Only their hashes are known. */
const redactCallbackSecrets = (text: string, hashes: string | undefined): string =>
  hashes === undefined
    ? text
    : text.replace(pathPart, (part) => {
        const secret = part.replace(/%(?:25)*(..)/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
        return isCallbackSecret(secret, hashes) ? redactedText : part;
      });
