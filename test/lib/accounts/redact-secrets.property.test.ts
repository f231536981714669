import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { secretRedactor } from '../../../lib/accounts/redact-secrets.ts';
import { holds } from '../../support/arbitraries.ts';

/** Texts around a key: words, characters with a meaning in some encoding, and anything else. */
const words = fc.oneof(fc.string({ maxLength: 12 }), fc.constantFrom('', '"', '\\', '{', '}', '&', ',', '%', ' ', "'"));

/** Keys of an account. Quotes and backslashes are left to the table of encodings: each encoding changes them. */
const knownKey = fc
  .string({ minLength: 8, maxLength: 40, unit: fc.constantFrom(..."abcXYZ019-_.~+/=!*'() &%,:") })
  .filter((key) => key === key.trim() && /[a-zA-Z0-9]{3}/.test(key) && new Set(key).size > 5);

/** Keys of unknown senders. Their characters are unknown; URL-safe ones and those of base 64 are likely. */
const unknownKey = fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9_./+=~-]{7,39}$/);

const name = fc.constantFrom('Apikey', 'ApiKey', 'apikey', 'api_key', 'API-KEY');

const form = (fields: Record<string, string>) => new URLSearchParams(fields).toString();

/** Encodings in which a record with a key may reach us. */
const encodings: Readonly<Record<string, (record: Record<string, string>) => string>> = {
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
const encoding = fc.constantFrom(...Object.values(encodings));

const texts = { before: words, after: words };

describe('secretRedactor', () => {
  it('redacts a known key anywhere in a text, in any encoding', () => {
    holds(
      fc.property(knownKey, fc.record(texts), (key, { before, after }) => {
        // Compiling the patterns of a key takes milliseconds, so every encoding uses the same redactor.
        const redact = secretRedactor([key]);

        for (const encode of Object.values(encodings))
          expect(readable(redact(encode({ note: `${before} ${key} ${after}` })))).not.toContain(key);
      }),
      250,
    );
  });

  it('redacts an unknown key in a field of that name, even if the text is truncated after it', () => {
    holds(
      fc.property(
        unknownKey,
        name,
        encoding,
        fc.record(texts),
        fc.nat(),
        (key, field, encode, { before, after }, length) => {
          const whole = encode({ first: before, [field]: key, last: after });
          const keyEnd = Math.max(
            ...[key, key.replaceAll('/', '\\/'), encodeURIComponent(key)].map((k) => endOf(whole, k)),
          );
          const text = secretRedactor(['another-key'])(whole.slice(0, keyEnd + (length % (whole.length - keyEnd + 1))));

          expect(readable(text)).not.toContain(key);
        },
      ),
      2_000,
    );
  });
});

describe('redacted JSON', () => {
  const jsonEncodings = ['json', 'pretty', 'list', 'json in json', 'json in a list in json'];

  it('is still valid at every level, so that a redrive can parse it', () => {
    const encoding = fc.constantFrom(
      ...Object.entries(encodings).flatMap(([title, encode]) => (jsonEncodings.includes(title) ? encode : [])),
    );
    holds(
      fc.property(unknownKey, name, encoding, fc.record(texts), (key, field, encode, { before, after }) => {
        const url = `https://r.example.com/1.mp3?x=1&${field}=${key}`;
        const text = secretRedactor(['another-key'])(encode({ first: before, [field]: key, url, last: after }));

        expect(levelsIn(text).at(-1)).toMatchObject({
          first: before,
          url: `https://r.example.com/1.mp3?x=1&${field}=***`,
        });
      }),
      1_000,
    );
  });

  /** The value of a JSON text, and the values of JSON texts inside it. */
  const levelsIn = (text: string): readonly unknown[] => {
    const value = JSON.parse(text);
    const [inner] = Array.isArray(value) ? value : [];
    if (inner !== undefined) return [value, inner];
    if (!('data' in value)) return [value];
    return [value, ...levelsIn([value.data].flat()[0])];
  };
});

/** Marks of JSON and of key fields, keys, and pieces of keys, of which people and programs could make texts. */
const marks = (key: string) =>
  fc
    .array(
      fc.oneof(
        fc.constantFrom(...'"\'\\{}[]:=,&% +\n'),
        fc.constantFrom(
          'apikey=',
          'apikey:',
          "Apikey='",
          'api_key="',
          'API-KEY=[',
          'apikey:{',
          '"Apikey":"',
          '%22Apikey%22%3A%22',
        ),
        fc.constantFrom('zz', "Men's wear", '***', '\\u0041pikey', '/callDetails', '12345678901234567890', '__proto__'),
        fc.constantFrom(key, key.slice(0, 5), key.slice(5), encodeURIComponent(key)),
      ),
      { maxLength: 6 },
    )
    .map((parts) => parts.join(''));

/** Names and values as they were parsed, in order. */
const leavesOf = (value: unknown): readonly string[] =>
  value === null || typeof value !== 'object'
    ? [String(value)]
    : Object.entries(value).flatMap(([name, inner]) => [name, ...leavesOf(inner)]);

/** What follows a name for keys could be a key: anything in quotes, or else something with a letter or a digit. */
const claimedKey =
  /api[_-]?key(?:(?:\\*["']|%22)[^:=]*?(?:[:=]|%3A|%3D)[^"'%]*(?:\\*["']|%22).|[^:=]*?(?:[:=]|%3A|%3D).*?[^\s"'\\{}[\]&,;<>()%+:=])/is;

const mayHoldKey = (text: string, key: string): boolean =>
  [text, readable(text)].some(
    (reading) => reading.includes(key) || reading.includes(encodeURIComponent(key)) || claimedKey.test(reading),
  ) || /[\w.~-]{16}\/+callDetails/.test(text);

describe('redacted records and polls', () => {
  const fields = (key: string) =>
    fc.uniqueArray(fc.tuple(fc.oneof(marks(key), fc.constantFrom('Comments', 'Skill', 'AgentName')), marks(key)), {
      selector: ([field]) => field,
      maxLength: 6,
    });
  const written = fc.constantFrom(
    (value: unknown) => JSON.stringify(value),
    (value: unknown) => JSON.stringify(value, null, 1),
    (value: unknown) => JSON.stringify(value).replaceAll('/', '\\/'),
    (value: unknown) => JSON.stringify(value).replaceAll('k', '\\u006b'),
  );
  const inputs = knownKey.chain((key) => fc.tuple(fc.constant(key), fc.array(fields(key), { maxLength: 3 }), written));

  it('have the fields of before and every text that holds no key, and hold the key nowhere', () => {
    holds(
      fc.property(inputs, ([key, records, write]) => {
        const sent = records.map((entries) =>
          Object.fromEntries([['Apikey', key], ...entries, ['last', [{ of: 'all' }]]]),
        );
        const answer = JSON.parse(write({ status: 'success', message: sent }));
        const redacted = JSON.parse(secretRedactor([key])(write({ status: 'success', message: sent })));
        const [before, after] = [leavesOf(answer), leavesOf(redacted)];

        expect(after).toHaveLength(before.length);
        before.forEach((text, index) => {
          const isOfKey = index > 0 && /api[_-]?key\s*$/i.test(before[index - 1] ?? '');
          if (!isOfKey && !mayHoldKey(text, key)) expect(after[index]).toBe(text);
        });
        expect(readable(after.join('\n'))).not.toContain(key);
      }),
      2_000,
    );
  });
});

const endOf = (text: string, part: string): number => {
  const at = text.indexOf(part);
  return at === -1 ? -1 : at + part.length;
};

/** A text, followed by the same text with one and two levels of escapes undone. */
const readable = (text: string): string => {
  const unescaped = (from: string) => from.replace(/\\(["\\/])/g, '$1');
  const decoded = text
    .replaceAll('+', ' ')
    .replace(/%[0-9a-f]{2}/gi, (byte) => String.fromCharCode(Number.parseInt(byte.slice(1), 16)));
  return [text, unescaped(text), unescaped(unescaped(text)), decoded, unescaped(decoded)].join('\n');
};
