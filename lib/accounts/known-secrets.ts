import { once } from '../core/collections.ts';

/** The text that replaces a key. */
export const redactedText = '***';

/** A shorter key is redacted in its own field only: other texts may contain it by chance, and would be spoilt. */
const minStrayKeyLength = 8;

/** Replaces known keys in a text, each by the mask that it is given. */
export type KeyReplacement = (text: string, maskOf: (key: string) => string) => string;

/**
 * Finds keys of eight characters or more as they are and, by a plain search, in a fixed list of spellings: as writers of
 * JSON and forms write them, and one inside the other. JSON that can be parsed needs none of these.
 */
export const knownKeys = (keys: readonly string[]): KeyReplacement => {
  const longestFirst = [...new Set(keys)]
    .filter(({ length }) => length >= minStrayKeyLength)
    .sort((a, b) => b.length - a.length)
    .map((key) => ({ key, plainPart: plainPartOf(key), spellings: once(() => spellingsOf(key)) }));

  return (text, maskOf) => {
    let left = text;
    for (const { key, plainPart, spellings } of longestFirst)
      if (left.includes(plainPart))
        for (const spelling of spellings())
          if (left.includes(spelling)) left = left.replaceAll(spelling, () => maskOf(key));
    return left;
  };
};

/** The longest part of a key that each spelling has as it is. Nearly every text lacks it, and needs no other search. */
const plainPartOf = (key: string): string =>
  (key.match(/[\w.-]+/g) ?? ['']).reduce((longest, part) => (part.length > longest.length ? part : longest));

type Writer = (text: string) => string;

/** The longest first: one may be a part of another. */
const spellingsOf = (key: string): readonly string[] => {
  if (plainPartOf(key) === key) return [key];
  const inEach = (text: string) => [text, ...writers.map((write) => write(text))];
  return [...new Set(inEach(key).flatMap(inEach))].sort((a, b) => b.length - a.length);
};

const inJson: Writer = (text) => JSON.stringify(text).slice(1, -1);

/** JSON in which these characters are escapes too. */
const withEscapes =
  (characters: RegExp, upperCase = false): Writer =>
  (text) =>
    inJson(text).replace(characters, (unit) => {
      const hex = unit.charCodeAt(0).toString(16).padStart(4, '0');
      return `\\u${upperCase ? hex.toUpperCase() : hex}`;
    });

const slashesEscaped =
  (write: Writer): Writer =>
  (text) =>
    write(text).replaceAll('/', '\\/');

const inAscii = withEscapes(/[^ -~]/g);
const inAddress: Writer = (text) => encodeURIComponent(text.toWellFormed());
const inForm: Writer = (text) => new URLSearchParams({ '': text }).toString().slice(1);
const asRfc3986: Writer = (text) => inForm(text).replaceAll('+', '%20').replaceAll('%7E', '~').replaceAll('*', '%2A');
const withSmallDigits =
  (write: Writer): Writer =>
  (text) =>
    write(text).replace(/%../g, (byte) => byte.toLowerCase());

/** JavaScript, PHP, Python and Ruby, Go, Gson, .NET and scripts in HTML for JSON; browsers, Java, PHP and .NET for forms and addresses. */
const writers: readonly Writer[] = [
  ...[inJson, slashesEscaped(inJson), inAscii, slashesEscaped(inAscii)],
  ...[withEscapes(/[<>&]/g), withEscapes(/[<>&='\u2028\u2029]/g), withEscapes(/[^ -~]|["&'+<>`]/g, true)],
  withEscapes(/[<>/]/g, true),
  ...[inAddress, inForm, asRfc3986].flatMap((write) => [write, withSmallDigits(write)]),
];
