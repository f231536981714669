import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ownMasks, withOwnKey } from '../../../lib/accounts/account-index.ts';
import { callbackSecretHash } from '../../../lib/accounts/callback-secret.ts';
import { keyReplacement } from '../../../lib/accounts/find-keys.ts';
import { redactorFor, secretRedactor } from '../../../lib/accounts/redact-secrets.ts';
import { holds } from '../../support/arbitraries.ts';

const redact = secretRedactor(['demo-key-1', 'demo-key-12', 'short', 'it!s a/"key"']);

describe('secretRedactor', () => {
  it.each([
    ['a known key alone', 'demo-key-1', '***'],
    ['a known key within a text', 'see demo-key-1.', 'see ***.'],
    ['a known key twice', 'demo-key-1 demo-key-1', '*** ***'],
    ['a known key in the query of a URL', 'https://r/1.mp3?token=demo-key-1&x=1', 'https://r/1.mp3?token=***&x=1'],
    ['a known key that begins with another', 'demo-key-12', '***'],
    ['a known key with special characters', 'it!s a/"key"', '***'],
    ['a short known key in its own field only', 'a short call, Apikey=short', 'a short call, Apikey=***'],
    ['an unknown key in JSON', '{"Apikey":"UNKNOWN","a":1}', '{"Apikey":"***","a":1}'],
    ['an unknown key in indented JSON', '{\n "Apikey" : "UNKNOWN"\n}', '{\n "Apikey" : "***"\n}'],
    ['an unknown key in truncated JSON', '{"Apikey":"UNKN', '{"Apikey":"***'],
    ['an unknown key as a number in JSON', '{"Apikey":12345,"a":1}', '{"Apikey":"***","a":1}'],
    ['an unknown key as a number in indented JSON', '{"Apikey" : 12345}', '{"Apikey" : "***"}'],
    ['an unknown key in a sentence', 'the apikey: "UNKNOWN" is new', 'the apikey: "***" is new'],
    ['an unknown key with a name for keys in it', 'the apikey=my-apikey:UNKNOWN is new', 'the apikey=*** is new'],
    ['an unknown key in single quotes', "{'Apikey':'UNKNOWN','a':1}", `{'Apikey':'***','a':1}`],
    ['an unknown key in a form', 'Apikey=UNKNOWN&/a=1', 'Apikey=***&/a=1'],
    ['an unknown key in an encoded form', '%22Apikey%22%3A%22UNKNOWN%22%2C%22a', '%22Apikey%22%3A%22***%22%2C%22a'],
    ['an unknown key in a form of JSON', '%22Apikey%22%3A+%22UNKNOWN%22%2C+%22a', '%22Apikey%22%3A+%22***%22%2C+%22a'],
    ['one in JSON in JSON', String.raw`{"x":"{\"Apikey\":\"UNKNOWN\"}"}`, String.raw`{"x":"{\"Apikey\":\"***\"}"}`],
    [
      'keys in names that become equal',
      '{"a demo-key-1":1,"a demo-key-12":2,"a ***":3}',
      '{"a *** (2)":1,"a *** (3)":2,"a ***":3}',
    ],
    ['unknown keys in any spelling', '{"api_key":"UNKNOWN","API-KEY":"UNKNOWN"}', '{"api_key":"***","API-KEY":"***"}'],
  ])('redacts %s, and nothing else', (_title, text, expected) => {
    expect(redact(text)).toBe(expected);
  });

  it.each([
    ['a URL at the end of a text', { a: 'https://r/1.mp3?apikey=UNKNOWN' }],
    ['a URL in JSON in JSON', { a: JSON.stringify({ b: 'https://r/1.mp3?apikey=UNKNOWN' }) }],
    ['a URL in JSON in JSON in JSON', { a: JSON.stringify({ b: JSON.stringify({ c: '?apikey=UNKNOWN' }) }) }],
    ['a sentence', { a: 'his apikey: UNKNOWN' }],
    ['a number in JSON in JSON', { a: JSON.stringify({ Apikey: 12_345_678 }) }],
  ])('leaves JSON valid where an unknown key is in %s', (_title, value) => {
    const expected = JSON.stringify(value)
      .replace(/UNKNOWN/, '***')
      .replace('12345678', String.raw`\"***\"`);
    const text = redact(JSON.stringify(value));

    expect(text).not.toMatch(/UNKNOWN|12345678/);
    expect(JSON.parse(text)).toEqual(JSON.parse(expected));
  });

  it.each([
    ['a comma', '{"Apikey":"a,UNKNOWN"}'],
    ['a comma, in broken JSON of several lines', '{"Apikey"\n:\n"a,UNKNOWN"'],
    ['a space', '{"Apikey":"a UNKNOWN"}'],
    ['a brace', '{"Apikey":"a}UNKNOWN"}'],
    ['an ampersand', '{"Apikey":"a&UNKNOWN"}'],
    ['another kind of quote', '{"Apikey":"a\'UNKNOWN"}'],
    ['an escaped quote', '{"Apikey":"a\\"UNKNOWN"}'],
    ['an escaped backslash at its end', '{"Apikey":"UNKNOWN\\\\","a":1}'],
    ['an escaped quote, in JSON in JSON', JSON.stringify({ data: '{"Apikey":"a\\"UNKNOWN"}' })],
    ['three levels of JSON around it', JSON.stringify(JSON.stringify({ data: '{"Apikey":"UNKNOWN"}' }))],
    ['a list around it', '{"Apikey":["UNKNOWN","UNKNOWN"]}'],
    ['an object around it', '{"Apikey":{"value":"UNKNOWN"}}'],
    ['an encoded list around it', '%7B%22Apikey%22%3A%5B%22UNKNOWN%22%5D%7D'],
    ['a blank before and in it, in broken JSON', '{"Apikey":" a UNKNOWN"'],
    ['an escaped slash, in broken JSON', '{"Apikey":"a\\/UNKNOWN"'],
    ['an escaped slash, in a form', '%22Apikey%22%3A%22a%5C%2FUNKNOWN%22'],
    ['broken JSON in JSON around it', String.raw`{"x":"{\"Apikey\":\"a UNKNOWN\"}`],
    ['a tag around it', '<call><Apikey>UNKNOWN</Apikey></call>'],
  ])('redacts the whole of an unknown key with %s', (_title, text) => {
    expect(redact(text)).not.toContain('UNKNOWN');
  });

  it.each([
    ['a single quote', { Comments: "apikey='", Skill: "Men's wear" }],
    ['a double quote', { Comments: 'apikey="', Skill: '5" pipe' }],
    ['a bracket', { Comments: 'apikey=[', Skill: 'A]' }],
    ['a brace', { Comments: 'apikey:{', Skill: 'B}' }],
    ['an escape', { Comments: 'apikey:"\\', Skill: '"' }],
  ])('leaves every field as it is after a name for keys and %s', (_title, record) => {
    expect(redact(JSON.stringify(record))).toBe(JSON.stringify(record));
    expect(redact(`${JSON.stringify(record)},`), 'in broken JSON').toBe(`${JSON.stringify(record)},`);
  });

  it.each([
    ['https://x.example/0123456789-secret/callDetails', 'https://x.example/***/callDetails'],
    ['{"a":"https:\\/\\/x.example\\/former-secret-0123"}', '{"a":"https://x.example/***"}'],
    ['see x.example%2F0123456789-secret%2FcallDetails', 'see x.example%2F***%2FcallDetails'],
    ['see x.example%252F0123456789-secret%252FcallDetails', 'see x.example%252F***%252FcallDetails'],
    [
      'see x.example/012345678%39%2dsecret?x=1, x.example%2F%30123456789%252Dsecret%3F',
      'see x.example/***?x=1, x.example%2F***%3F',
    ],
    ['{"a":"\\u002f0123456789-secret\\u002fcallDetails"}', '{"a":"/***/callDetails"}'],
    ['https://x.example/0123456789-secret-2/callDetails', 'https://x.example/0123456789-secret-2/callDetails'],
  ])('redacts the callback secrets whose hashes it knows in %s, and nothing else', (text, expected) => {
    expect(redactorFor(keyReplacement([]), callbackSecretHash('0123456789-secret', 'former-secret-0123'))(text)).toBe(
      expected,
    );
  });

  it.each(['', 'no key here', '{"key":"value"}', 'apikey', '{"Apikey":""}'])(
    'does not change the rest of "%s"',
    (text) => {
      expect(redact(text).replace('***', '')).toBe(text);
    },
  );
});

const token = Array.from({ length: 900 }, (_, index) => `part/${index}+`).join('');

const keys = [
  'plain-key-1',
  '100%-key-%41',
  'back\\\\slashed"key',
  token,
  'base64+key/with=all&of it',
  '/begins-with-a-slash',
  'ключ-😀/key',
  '100%5c"key%5cé',
  "rfc ~(3986)* key!'",
];

const inJson = (text: string): string => JSON.stringify(text).slice(1, -1);
const inEscapes = (text: string, characters: RegExp, write = (hex: string) => hex): string =>
  inJson(text).replace(characters, (unit) => `\\u${write(unit.charCodeAt(0).toString(16).padStart(4, '0'))}`);
const inForm = (text: string): string => new URLSearchParams({ text }).toString().slice('text='.length);
const lowerCase = (text: string): string => text.replace(/%../g, (byte) => byte.toLowerCase());

const inPercents = (text: string, characters: RegExp): string =>
  text.replace(characters, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`);

/** How programs write a text in JSON, and in a form or an address. */
const json: Readonly<Record<string, (key: string) => string>> = {
  JSON: inJson,
  'JSON of PHP': (key) => inEscapes(key, /[^ -~]/g).replaceAll('/', '\\/'),
  'JSON of PHP with other characters as they are': (key) => inJson(key).replaceAll('/', '\\/'),
  'JSON of Python': (key) => inEscapes(key, /[^ -~]/g),
  'JSON of Go': (key) => inEscapes(key, /[<>&]/g),
  'JSON of Gson': (key) => inEscapes(key, /[<>&=']/g),
  'JSON of scripts in HTML': (key) => inEscapes(key, /[<>/]/g, (hex) => hex.toUpperCase()),
  'JSON of .NET': (key) => inEscapes(key, /[^ -~]|["&'+<>`]/g, (hex) => hex.toUpperCase()),
};
const form: Readonly<Record<string, (key: string) => string>> = {
  'an address': encodeURIComponent,
  'an address of .NET': (key) => lowerCase(encodeURIComponent(key)),
  'a form': inForm,
  'a form of .NET': (key) => lowerCase(inForm(key)),
  'an address of PHP': (key) => inPercents(encodeURIComponent(key), /[!'()*]/g),
  'an address of Python': (key) => inPercents(encodeURIComponent(key), /[!'()*]/g).replaceAll('%2F', '/'),
  'an address of an earlier Python': (key) => inPercents(encodeURIComponent(key), /[!'()*~]/g).replaceAll('%2F', '/'),
};
const once = { ...json, ...form };
const encodings: Readonly<Record<string, (key: string) => string>> = {
  'plain text': (key) => key,
  ...once,
  ...Object.fromEntries(
    Object.entries(once).flatMap(([outer, write]) =>
      Object.entries(once).map(([inner, writeInner]) => [`${inner} in ${outer}`, (key) => write(writeInner(key))]),
    ),
  ),
};

describe('secretRedactor for known keys', () => {
  const redactKeys = secretRedactor(keys);

  it.each(Object.entries(encodings))('finds a key in %s', (_title, encode) => {
    for (const key of keys) {
      expect(redactKeys(`{"a":${JSON.stringify(`x ${encode(key)} y`)}}`)).toBe('{"a":"x *** y"}');
      expect(redactKeys(`x ${encode(key)} y`), 'in a text').toBe('x *** y');
      expect(redactKeys(`{"a":"x ${encode(key)} y"`), 'in broken JSON').toBe('{"a":"x *** y"');
    }
  });

  it('finds a key in JSON within JSON however its characters are escaped', () => {
    for (const key of keys) {
      const asEscapes = key.replace(/./gs, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

      expect(redactKeys(`{"a":${JSON.stringify(`["x ${asEscapes} y"]`)}}`)).toBe('{"a":"[\\"x *** y\\"]"}');
    }
  });

  it.each<[string, readonly string[], string, string]>([
    [
      'a plus sign for another character than a space',
      ['plain-key-1'],
      'plain-key-1 plain+key+1 \\',
      '*** plain+key+1 \\',
    ],
    ['a plus sign for a space', ['key with space'], 'key with space key+with+space', '*** ***'],
    ['a character of two units beside an escape', ['ключ-😀-key'], 'ключ-😀-key +', '*** +'],
    ['the longer of two keys that begin alike', ['12345678', '1234567890'], '1234567890 12345678 \\', '*** *** \\'],
    ['a key that has no letter or digit', ['!¡!¡!¡!¡'], `!¡!¡!¡!¡ ${encodeURIComponent('!¡!¡!¡!¡')} !`, '*** *** !'],
    ['a key of which letters are encoded', ['plain-key-1'], '%70lain%2dkey%2D1 %2570lain-key-1', '*** ***'],
    [
      'a key that ends with a percent sign, before digits',
      ['key/of/100%'],
      'key%2Fof%2F100%2512 key/of/100%12',
      '***12 ***12',
    ],
    ['nothing for a key of backslashes in other texts', ['\\'.repeat(9)], 'a\\b%5C', 'a\\b%5C'],
    ['nothing without keys', [], '\\ abc', '\\ abc'],
  ])('replaces %s', (_title, known, text, expected) => {
    expect(secretRedactor(known)(text)).toBe(expected);
  });

  it.each(['', 'plain-key-', 'plain%2dkey%2d', '\\u0070lain-key-1', '\\\\', '%', '%25', '+'])(
    'does not change “%s”',
    (text) => {
      expect(redactKeys(text)).toBe(text);
    },
  );
});

describe('ownMasks', () => {
  const key = 'demo-key-1';
  const links = (count: number) => `https://r/?token=${key} `.repeat(count);

  it.each([
    ['nothing of the fields named like a key', '{"Apikey":"demo-key-1"}', undefined],
    ['nothing of such a field in any spelling', '{"api_key " : "demo-key-1","api-key":" demo-key-1"}', undefined],
    ['nothing without a mask', '{"a":1}', undefined],
    ['a mask in a link', '{"Apikey":"demo-key-1","url":"https://r/?token=demo-key-1"}', [0, 1]],
    ['a mask in an encoded link', 'https://r/?token%3Ddemo-key-1', [0]],
    ['a mask before the end of the key again', 'https://r/demo-key-1-1', [0]],
    ['a mask behind a text that ends like a name for keys', '{"a":"an \\"apikey\\":\\"demo-key-1\\""}', [0]],
    ['a mask in a field of another name', '{"Apikey":"demo-key-1","apikey":"","note":"demo-key-1"}', [0, 1]],
    ['no mask that hides the key of somebody else', '{"Apikey":"UNKNOWN"}', []],
    ['no asterisks that were sent', '{"Apikey":"***","url":"https://r/?token=demo-key-1"}', [1]],
    ['no asterisks that were sent alone', '{"Apikey":"***"}', []],
    ['a mask behind an escape', '{"a":"\\u0041 demo-key-1","Apikey":"UNKNOWN"}', [0]],
    ['a mask before an escape', '{"a":"demo-key-1","b":"\\u0041 demo-key-1"}', [0, 1]],
    ['nothing of such a field whose key has escapes', '{"Apikey":"\\u0064emo-key-1"}', undefined],
    ['no longer asterisks that were sent', '{"meta":{"apikey":"*****"},"Apikey":"demo-key-1"}', [1]],
    ['20 masks', links(20), Array.from({ length: 20 }, (_, mask) => mask)],
    ['nothing of more than 20 masks', links(21), undefined],
  ])('notes %s', (_title, sent, expected) => {
    const redact = secretRedactor([key]);

    expect(ownMasks(redact, sent, [key])).toEqual(expected);
    if (expected !== undefined)
      expect(withOwnKey(redact(sent), key, expected)).toBe(
        sent.replaceAll(/UNKNOWN|\*+/g, '***').replace('\\u0041', 'A'),
      );
  });
});

describe('withOwnKey', () => {
  it.each([
    ['{"Apikey":"***","a":"***"}', '{"Apikey":"a\\"b","a":"***"}'],
    ['{"api_key " : "***","api-key"\n:\n"***"}', '{"api_key " : "a\\"b","api-key"\n:\n"a\\"b"}'],
    ['{"apikey":"***, see","apikeys":"***","apixkey":"***"}', '{"apikey":"***, see","apikeys":"***","apixkey":"***"}'],
    ['{"a":"b=c","Apikey":"***"}', '{"a":"b=c","Apikey":"a\\"b"}'],
    ['{"a":"***","apikey":"', '{"a":"***","apikey":"'],
    ['{"apikey":"" ,"a":"***"}', '{"apikey":"" ,"a":"***"}'],
  ])('fills only the fields named like a key of %s without a note', (redacted, expected) => {
    expect(withOwnKey(redacted, 'a"b')).toBe(expected);
  });

  it('encodes a key in an address', () => {
    expect(withOwnKey('a=b&token=*** ***', 'a"b', [0, 1])).toBe('a=b&token=a%22b a\\"b');
  });
});

/** Texts around a key: words, characters with a meaning in some encoding, and anything else. */
const words = fc.oneof(fc.string({ maxLength: 12 }), fc.constantFrom('', '"', '\\', '{', '}', '&', ',', '%', ' ', "'"));

/** Keys of an account. Quotes and backslashes are left to the table of recordEncodings: each encoding changes them. */
const knownKey = fc
  .string({ minLength: 8, maxLength: 40, unit: fc.constantFrom(..."abcXYZ019-_.~+/=!*'() &%,:") })
  .filter((key) => key === key.trim() && /[a-zA-Z0-9]{3}/.test(key) && new Set(key).size > 5);

/** Keys of unknown senders. Their characters are unknown; URL-safe ones and those of base 64 are likely. */
const unknownKey = fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9_./+=~-]{7,39}$/);

const name = fc.constantFrom('Apikey', 'ApiKey', 'apikey', 'api_key', 'API-KEY');

const formOf = (fields: Record<string, string>) => new URLSearchParams(fields).toString();

/** Encodings in which a record with a key may reach us. */
const recordEncodings: Readonly<Record<string, (record: Record<string, string>) => string>> = {
  json: (record) => JSON.stringify(record),
  pretty: (record) => JSON.stringify(record, null, 2),
  'escaped slashes': (record) => JSON.stringify(record).replaceAll('/', '\\/'),
  list: (record) => JSON.stringify([record, record]),
  'json in json': (record) => JSON.stringify({ data: JSON.stringify(record) }),
  'json in a list in json': (record) => JSON.stringify({ data: [JSON.stringify(record), 'x'] }),
  form: (record) => formOf(record),
  'json in a form': (record) => formOf({ data: JSON.stringify(record), x: '1' }),
  'form in json': (record) => JSON.stringify({ body: formOf(record) }),
};
const encoding = fc.constantFrom(...Object.values(recordEncodings));

const texts = { before: words, after: words };

/** A text of which some characters are encoded, with digits in either case. A percent sign always is, or it would be ambiguous. */
const partlyEncoded = (text: string): fc.Arbitrary<string> =>
  fc
    .array(fc.constantFrom('as it is', 'in capitals', 'in small letters'), {
      minLength: text.length,
      maxLength: text.length,
    })
    .map((ways) =>
      Array.from(text, (character, index) => {
        if (character !== '%' && ways[index] === 'as it is') return character;
        const written = Array.from(Buffer.from(character), (byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
        return ways[index] === 'in capitals' ? written.toUpperCase() : written;
      }).join(''),
    );

describe('secretRedactor', () => {
  it('redacts a known key, whichever of its characters are encoded, once or twice, and nothing else', () => {
    const written = fc.oneof(knownKey, fc.constantFrom(...keys.filter(({ length }) => length < 100))).chain((key) =>
      fc.tuple(
        fc.constant(key),
        fc.oneof(
          partlyEncoded(key),
          partlyEncoded(key).chain(partlyEncoded),
          fc.constantFrom(...Object.values(once)).chain((write) => partlyEncoded(write(key))),
        ),
      ),
    );
    holds(
      fc.property(written, ([key, spelling]) => {
        expect(secretRedactor([key, 'another-key'])(`x ${spelling} y`)).toBe('x *** y');
        expect(secretRedactor([key, 'another-key'])(JSON.stringify({ a: `x=${spelling}&y` }))).toBe('{"a":"x=***&y"}');
      }),
      3_000,
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
      ...Object.entries(recordEncodings).flatMap(([title, encode]) => (jsonEncodings.includes(title) ? encode : [])),
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
        const before = leavesOf(answer);
        const after = leavesOf(redacted);

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
