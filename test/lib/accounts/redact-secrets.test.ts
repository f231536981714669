import { describe, expect, it } from 'vitest';
import { callbackSecretHash, knownKeys, ownMasks, withOwnKey } from '../../../lib/accounts/known-secrets.ts';
import { claimedKeysIn, redactorFor, secretRedactor } from '../../../lib/accounts/redact-secrets.ts';

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
    ['an unknown key in single quotes', "{'Apikey':'UNKNOWN','a':1}", `{'Apikey':'***','a':1}`],
    ['an unknown key in a form', 'Apikey=UNKNOWN&a=1', 'Apikey=***&a=1'],
    ['an unknown key in an encoded form', '%22Apikey%22%3A%22UNKNOWN%22%2C%22a', '%22Apikey%22%3A%22***%22%2C%22a'],
    ['an unknown key in a form of JSON', '%22Apikey%22%3A+%22UNKNOWN%22%2C+%22a', '%22Apikey%22%3A+%22***%22%2C+%22a'],
    [
      'an unknown key in JSON in JSON',
      String.raw`{"x":"{\"Apikey\":\"UNKNOWN\"}"}`,
      String.raw`{"x":"{\"Apikey\":\"***\"}"}`,
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
    ['an encoded comma within encoded quotes', '%7B%22Apikey%22%3A%22a%2CUNKNOWN%22%7D'],
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

  it('keeps both of two fields whose names become equal', () => {
    expect(redact('{"a demo-key-1":1,"a demo-key-12":2,"a ***":3}')).toBe('{"a *** (2)":1,"a *** (3)":2,"a ***":3}');
  });

  it.each([
    ['https://x.example/0123456789-secret/callDetails', 'https://x.example/***/callDetails'],
    ['{"a":"https:\\/\\/x.example\\/former-secret-0123"}', '{"a":"https://x.example/***"}'],
    ['see x.example%2F0123456789-secret%2FcallDetails', 'see x.example%2F***%2FcallDetails'],
    ['see x.example%25252F0123456789-secret%25252FcallDetails', 'see x.example%25252F***%25252FcallDetails'],
    ['{"see \\u002f0123456789-secret\\u002fcallDetails', '{"see \\u002f***\\u002fcallDetails'],
    ['https://x.example/0123456789-secret-2/callDetails', 'https://x.example/0123456789-secret-2/callDetails'],
  ])('redacts the callback secrets whose hashes it knows in %s, and nothing else', (text, expected) => {
    expect(redactorFor(knownKeys([]), callbackSecretHash('0123456789-secret', 'former-secret-0123'))(text)).toBe(
      expected,
    );
  });

  it.each(['', 'no key here', '{"key":"value"}', 'apikey', '{"Apikey":""}'])(
    'does not change the rest of "%s"',
    (text) => {
      expect(redact(text).replace('***', '')).toBe(text);
    },
  );

  it.each([
    'apikey',
    'apikey:',
    'apikey:"',
    'apikey:\\"',
    'apikey: ',
    'apikey\\',
    'apikey:[',
    'apikey:%22',
    '\\',
    '+',
    '1',
    '{},',
    '"demo-key-1":1,',
  ])(
    'reads 256 KB of %s in linear time',
    (unit) => {
      expect(() => redact(`apikey:"${unit.repeat(256_000 / unit.length)}`)).not.toThrow();
      expect(() => redact(unit.repeat(256_000 / unit.length))).not.toThrow();
      expect(() => redact(`{"a":"apikey=zz","b":[${unit.repeat(256_000 / unit.length)}1]}`)).not.toThrow();
    },
    2_000,
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
  'ключ-😀-key',
  '100%5c"key%5cé',
];

const inJson = (text: string): string => JSON.stringify(text).slice(1, -1);
const asPhp = (text: string): string => inJson(text).replaceAll('/', '\\/');
const asEscapes = (text: string): string =>
  [...text.split('')].map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');
const upperCase = (text: string): string =>
  asEscapes(text).replace(/u(\w{4})/g, (_, hex: string) => `u${hex.toUpperCase()}`);
const asAscii = (text: string): string =>
  inJson(text).replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
const inForm = (text: string): string => new URLSearchParams({ text }).toString().slice('text='.length);
const lowerCase = (text: string): string => encodeURIComponent(text).replace(/%../g, (byte) => byte.toLowerCase());
const everyOther = (text: string): string =>
  text.replace(/[^%]/g, (character, at: number) =>
    at % 2 === 0 ? character : [...Buffer.from(character)].map((byte) => `%${byte.toString(16)}`).join(''),
  );

const encodings: Readonly<Record<string, (key: string) => string>> = {
  'in plain text': (key) => key,
  'in JSON': inJson,
  'in JSON of PHP': asPhp,
  'in JSON of PHP in JSON': (key) => inJson(asPhp(key)),
  'in JSON in JSON in JSON': (key) => inJson(inJson(asPhp(key))),
  'in JSON of ASCII only': asAscii,
  'in escapes': asEscapes,
  'in escapes with capital digits': upperCase,
  'in escapes in JSON': (key) => inJson(asEscapes(key)),
  'in a URL': encodeURIComponent,
  'in a URL, with small hexadecimal digits': lowerCase,
  'in a form': inForm,
  'in a form in a form': (key) => inForm(inForm(key)),
  'in escapes in a form': (key) => inForm(asEscapes(key)),
  'in escapes, with every other character percent-encoded': (key) => everyOther(asEscapes(key)),
  'in escapes with capital digits, every byte percent-encoded': (key) =>
    upperCase(key).replace(/./g, (character) => `%${character.charCodeAt(0).toString(16)}`),
  'in JSON of PHP in a form': (key) => inForm(asPhp(key)),
  'in JSON in JSON of PHP in a URL': (key) => encodeURIComponent(inJson(asPhp(key))),
  'in a form in JSON of PHP': (key) => asPhp(inForm(key)),
};

describe('secretRedactor for known keys', () => {
  it.each(Object.entries(encodings))('finds a key %s', (_title, encode) => {
    for (const key of keys)
      expect(secretRedactor(keys)(`{"a":"x ${encode(key)} y"}`)).toMatch(/^\{"a":"x (?:\*\*\*)+ y"\}$/);
  });

  it.each(Object.entries(encodings))('finds a key in broken JSON, %s', (_title, encode) => {
    for (const key of keys)
      expect(secretRedactor(keys)(`{"a":"x ${encode(key)} y"`)).toMatch(/^\{"a":"x (?:\*\*\*)+ y"$/);
  });

  it.each<readonly [title: string, encode: (key: string) => string]>([
    ['a URL in JSON', (key) => asEscapes(encodeURIComponent(key))],
    ['a URL in JSON in a form', (key) => inForm(asEscapes(encodeURIComponent(key)))],
  ])('finds a key behind all escapes of %s, wherever else it is', (_title, encode) => {
    for (const key of keys.filter((one) => !one.includes('%'))) {
      expect(secretRedactor(keys)(`x ${encode(key)} ${key} y"`)).toMatch(/^x (?:\*\*\*)+ (?:\*\*\*)+ y"$/);
      expect(knownKeys(keys).foundIn(encode(key))).toEqual([key]);
    }
  });

  it('leaves the escapes of a text without a key', () => {
    const text = inForm(asEscapes(encodeURIComponent('a b/c')));

    expect(secretRedactor(keys)(text)).toBe(text);
  });

  it.each([
    ['a plus sign for another character than a space', 'plain-key-1 plain+key+1 \\', '*** plain+key+1 \\'],
    ['a plus sign for a space', 'key with space key+with+space', '*** ***'],
    ['a character of two units beside an escape', 'ключ-😀-key +', '*** +'],
  ])('reads %s', (_title, text, expected) => {
    expect(secretRedactor(['plain-key-1', 'key with space', 'ключ-😀-key'])(text)).toBe(expected);
  });

  it('reads a long run of backslashes in linear time', () => {
    const text = `${'\\'.repeat(128_000)}x /begins-with-a-slash`;

    expect(secretRedactor(keys)(text)).toBe(text.replace('/begins-with-a-slash', '***'));
  }, 2_000);

  it('reads an escape in little time, however many keys the text does not have', () => {
    const many = Array.from({ length: 2_000 }, (_, index) => `key-${index}-`.repeat(16));

    expect(secretRedactor(many)('a\\/b')).toBe('a\\/b');
  }, 2_000);

  it.each(['', 'plain-key-', 'plain%2dkey%2d2', '\\u0070lain', '\\\\', '%', '%25', '+'])(
    'does not change “%s”',
    (text) => {
      expect(secretRedactor(keys)(text)).toBe(text);
    },
  );

  it('replaces the longer of two keys that begin alike', () => {
    expect(secretRedactor(['12345678', '1234567890'])('1234567890 12345678 \\')).toBe('*** *** \\');
  });

  it('changes nothing without keys', () => {
    expect(secretRedactor([])('\\ abc')).toBe('\\ abc');
  });
});

describe('claimedKeysIn', () => {
  it.each([
    ['broken JSON', '{"Apikey":"demo-key-1","a":', ['demo-key-1']],
    ['JSON in JSON', '{"data":"{\\"Apikey\\":\\"demo-key-1\\",', ['demo-key-1']],
    ['a form', 'Apikey=demo-key-1&a=1', ['demo-key-1']],
    ['a number', '{"Apikey": 12345}', ['12345']],
    ['a form of JSON', 'data=%7B%22Apikey%22%3A%22cl%C3%A9-1%22&x=100%', ['clé-1']],
    ['several records', '[{"Apikey":"one"},{"apikey":"one"},{"API_KEY":"two"}', ['one', 'two']],
  ])('finds the keys in %s', (_title, text, keys) => {
    expect(claimedKeysIn(text, () => [])).toEqual(keys);
  });

  it.each(['', '{"key":"x"}', '{"Apikey":""}'])('finds none in "%s"', (text) => {
    expect(claimedKeysIn(text, () => [])).toEqual([]);
  });

  it('finds no live key in a text that only resembles it', () => {
    expect(claimedKeysIn('akeywithspaces +', knownKeys(['a key with spaces']).foundIn)).toEqual([]);
    expect(claimedKeysIn('a key with spaces +', knownKeys(['a key with spaces']).foundIn)).toEqual([
      'a key with spaces',
    ]);
  });

  it('finds the first 20 of many', () => {
    const text = Array.from({ length: 30 }, (_, index) => `Apikey=key-${index}&`).join('');

    expect(claimedKeysIn(text, () => [])).toEqual(Array.from({ length: 20 }, (_, index) => `key-${index}`));
  });
});

describe('ownMasks', () => {
  const key = 'demo-key-1';
  const links = (count: number) => `https://r/?token=${key} `.repeat(count);

  it.each([
    ['nothing of the fields named like a key', '{"Apikey":"demo-key-1"}', undefined],
    ['nothing of such a field in any spelling', '{"api_key " : "demo-key-1","api-key":"demo-key-1"}', undefined],
    ['nothing without a mask', '{"a":1}', undefined],
    ['a mask in a link', '{"Apikey":"demo-key-1","url":"https://r/?token=demo-key-1"}', [0, 1]],
    ['a mask in an encoded link', 'https://r/?token%3Ddemo-key-1', [0]],
    ['a mask before the end of the key again', 'https://r/demo-key-1-1', [0]],
    ['a mask behind a text that ends like a name for keys', '{"a":"an \\"apikey\\":\\"demo-key-1\\""}', [0]],
    ['a mask in a field of another name', '{"Apikey":"demo-key-1","apikey":"","note":"demo-key-1"}', [0, 1]],
    ['no mask that hides the key of somebody else', '{"Apikey":"UNKNOWN"}', []],
    ['no asterisks that were sent', '{"Apikey":"***","url":"https://r/?token=demo-key-1"}', [1]],
    ['no asterisks that were sent alone', '{"Apikey":"***"}', []],
    [
      'nothing of a text whose escapes before a mask were lost',
      '{"a":"\\u0041 demo-key-1","Apikey":"UNKNOWN"}',
      undefined,
    ],
    [
      'nothing of a text whose escapes behind a mask were lost',
      '{"a":"demo-key-1","b":"\\u0041 demo-key-1"}',
      undefined,
    ],
    ['nothing of a text whose last escapes were lost', '{"a":"demo-key-1 \\u0041"}', undefined],
    ['20 masks', links(20), Array.from({ length: 20 }, (_, mask) => mask)],
    ['nothing of more than 20 masks', links(21), undefined],
  ])('notes %s', (_title, sent, expected) => {
    const redacted = secretRedactor([key])(sent);

    expect(ownMasks(sent, redacted, [key])).toEqual(expected);
    if (expected !== undefined) expect(withOwnKey(redacted, key, expected)).toBe(sent.replaceAll('UNKNOWN', '***'));
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
