import { percentDecoded } from '../core/encoding.ts';
import { tryParseJson } from '../core/json.ts';

/** A name for keys in a text that is no JSON: broken JSON, a form, an address, or what somebody wrote. */
const keyName = /api[_-]?key/gi;

/** What may stand between such a name and its key. One of `assigns` must. */
const beforeKey = new Set(' \t\r\n"\'\\+:=[{>');
const assigns = new Set(':=>');
export const announcesKey = (text: string): boolean => text.search(keyName) >= 0 && /[:=>%]/.test(text);

/** What ends a key, and what ends one whose name and value are in quotes. */
const endsKey = new Set(' \t\r\n"\'\\&,;<>()[]{}');
const endsQuotedKey = new Set('\r\n"\'\\');
const isInQuotes = (text: string): boolean => /^\\*["'].*[:=[\s+]\\*["'][^"']*$/s.test(percentDecoded(text));

/** Redacts what follows each name for keys, up to the next one that ends a key. An unknown key is redacted too: it is somebody's secret. */
export const redactNamed = (text: string, maskNamed: (key: string) => string): string => {
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
    isAssigned ||= assigns.has(character);
    return beforeKey.has(character);
  });
  if (!isAssigned) return undefined;
  const ends = isInQuotes(text.slice(endOfName, start)) ? endsQuotedKey : endsKey;
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

/** The character at a position, which a form may have percent-encoded, and its length in the text. */
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
