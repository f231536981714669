import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { secretRedactor } from '../../../lib/accounts/redact-secrets.ts';
import { holds } from '../../support/property.ts';

/** Texts that may surround a key: words, marks that matter to some carrier, and anything else. */
const words = fc.oneof(fc.string({ maxLength: 12 }), fc.constantFrom('', '"', '\\', '{', '}', '&', ',', '%', ' ', "'"));

/** What keys may be made of, and more. Quotes and backslashes, of which each wrapping makes others, are in none. */
const knownKey = fc
  .string({ minLength: 8, maxLength: 40, unit: fc.constantFrom(..."abcXYZ019-_.~+/=!*'() &%,:") })
  .filter((key) => key === key.trim() && /[a-zA-Z0-9]{3}/.test(key) && new Set(key).size > 5);

/** What strangers' keys are made of as far as one can know: URL-safe and base 64. */
const unknownKey = fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9_./+=~-]{7,39}$/);

const name = fc.constantFrom('Apikey', 'ApiKey', 'apikey', 'api_key', 'API-KEY');

const form = (fields: Record<string, string>) => new URLSearchParams(fields).toString();

/** Ways in which a record with a key reaches us as text. */
const carriers: Readonly<Record<string, (record: Record<string, string>) => string>> = {
  json: (record) => JSON.stringify(record),
  pretty: (record) => JSON.stringify(record, null, 2),
  'escaped slashes': (record) => JSON.stringify(record).replaceAll('/', '\\/'),
  list: (record) => JSON.stringify([record, record]),
  'json in json': (record) => JSON.stringify({ data: JSON.stringify(record) }),
  'json in a list in json': (record) => JSON.stringify({ data: [JSON.stringify(record), 'x'] }),
  form: (record) => form(record),
  'json in a form': (record) => form({ data: JSON.stringify(record), x: '1' }),
  'form in json': (record) => JSON.stringify({ body: form(record) }),
};
const carrier = fc.constantFrom(...Object.values(carriers));

const texts = { before: words, after: words };

describe('keyMask', () => {
  it('lets no known key through, wherever it stands and in whatever it is wrapped', () => {
    holds(
      fc.property(knownKey, carrier, fc.record(texts), (key, wrap, { before, after }) => {
        const text = secretRedactor([key])(wrap({ note: `${before} ${key} ${after}` }));

        expect(readable(text)).not.toContain(key);
      }),
      2_000,
    );
  });

  it('lets no stranger’s key through in a field of its name, whole or cut anywhere behind it', () => {
    holds(
      fc.property(unknownKey, name, carrier, fc.record(texts), fc.nat(), (key, field, wrap, { before, after }, cut) => {
        const whole = wrap({ first: before, [field]: key, last: after });
        const keyEnd = Math.max(
          ...[key, key.replaceAll('/', '\\/'), encodeURIComponent(key)].map((k) => endOf(whole, k)),
        );
        const text = secretRedactor(['another-key'])(whole.slice(0, keyEnd + (cut % (whole.length - keyEnd + 1))));

        expect(readable(text)).not.toContain(key);
      }),
      2_000,
    );
  });
});

describe('a JSON text without its keys', () => {
  const ofJson = ['json', 'pretty', 'list', 'json in json', 'json in a list in json'];

  it('is JSON still, at every level, so that it can be read when it is redriven', () => {
    const wraps = fc.constantFrom(
      ...Object.entries(carriers).flatMap(([how, wrap]) => (ofJson.includes(how) ? wrap : [])),
    );
    holds(
      fc.property(unknownKey, name, wraps, fc.record(texts), (key, field, wrap, { before, after }) => {
        const url = `https://r.example.com/1.mp3?x=1&${field}=${key}`;
        const text = secretRedactor(['another-key'])(wrap({ first: before, [field]: key, url, last: after }));

        expect(levelsIn(text).at(-1)).toMatchObject({
          first: before,
          url: `https://r.example.com/1.mp3?x=1&${field}=***`,
        });
      }),
      1_000,
    );
  });

  /** What JSON holds, and what JSON in it holds. */
  const levelsIn = (text: string): readonly unknown[] => {
    const value = JSON.parse(text);
    const [inner] = Array.isArray(value) ? value : [];
    if (inner !== undefined) return [value, inner];
    if (!('data' in value)) return [value];
    return [value, ...levelsIn([value.data].flat()[0])];
  };
});

const endOf = (text: string, part: string): number => {
  const at = text.indexOf(part);
  return at === -1 ? -1 : at + part.length;
};

/** A text together with what a reader would make of its escapes, one and two levels deep. */
const readable = (text: string): string => {
  const unescaped = (from: string) => from.replace(/\\(["\\/])/g, '$1');
  const decoded = text
    .replaceAll('+', ' ')
    .replace(/%[0-9a-f]{2}/gi, (byte) => String.fromCharCode(Number.parseInt(byte.slice(1), 16)));
  return [text, unescaped(text), unescaped(unescaped(text)), decoded, unescaped(decoded)].join('\n');
};
