import { percentDecoded, withBlanks } from '../core/encoding.ts';

/** A shorter key is redacted in its own field only: other texts may contain it by chance, and would be spoilt. */
const minStrayKeyLength = 8;

export type KeyReplacement = (text: string, maskOf: (key: string) => string) => string;

/**
 * Finds keys of eight characters or more, plain or with escapes: of JSON, of a form or address, or of one inside another. Encoders
 * differ in what they escape, so any character may be escaped.
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
    // Most keys stand there plain. If nothing else is left, the slow search is skipped.
    const others = plainPart === key ? redacted.replaceAll(key, '') : redacted;
    if (!percentReadings(others)[escapes.length - 1]?.includes(plainPart)) return redacted;
    const parts: string[] = [];
    let end = 0;
    for (const place of placesOf(redacted, escapes, sought)) {
      parts.push(redacted.slice(end, place.start), mask());
      end = place.end;
    }
    return `${parts.join('')}${redacted.slice(end)}`;
  }, text);
};

interface Place {
  readonly start: number;
  readonly end: number;
}

/** Every occurrence of `sought`. Layers of escapes are removed first, the outermost first. */
const placesOf = (text: string, [outer, ...inner]: readonly Escapes[], sought: string): readonly Place[] => {
  if (outer === undefined) return occurrencesOf(sought, withBlanks(text));
  const places = placesOf(withoutEscapes(text, outer), inner, sought);
  return places.length === 0 ? places : originsOf(places, text, outer);
};

const occurrencesOf = (sought: string, text: string): readonly Place[] => {
  const places: Place[] = [];
  for (let start = text.indexOf(sought); start >= 0; start = text.indexOf(sought, start + sought.length))
    places.push({ start, end: start + sought.length });
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

/** Converts positions in the text without escapes to positions in the text with them. */
const originsOf = (places: readonly Place[], text: string, { written, meaningOf }: Escapes): readonly Place[] => {
  const escapes = text.matchAll(written);
  let next = escapes.next().value;
  let longer = 0;
  /** Positions must come in their order. */
  const originOf = (position: number): number => {
    while (next !== undefined && next.index - longer < position) {
      longer += next[0].length - meaningOf(next[0]).length;
      next = escapes.next().value;
    }
    return position + longer;
  };
  return places.map(({ start, end }) => ({ start: originOf(start), end: originOf(end) }));
};
