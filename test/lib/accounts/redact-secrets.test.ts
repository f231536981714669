import { describe, expect, it } from 'vitest';
import { claimedKeyIn, secretRedactor } from '../../../lib/accounts/redact-secrets.ts';

const masked = secretRedactor(['demo-key-1', 'demo-key-12', 'short', 'it!s a/"key"']);

describe('keyMask', () => {
  it.each([
    ['alone', 'demo-key-1', '***'],
    ['within a text', 'see demo-key-1.', 'see ***.'],
    ['twice', 'demo-key-1 demo-key-1', '*** ***'],
    ['in the query of a URL', 'https://r/1.mp3?token=demo-key-1&x=1', 'https://r/1.mp3?token=***&x=1'],
    ['that begins with another', 'demo-key-12', '***'],
    ['with special characters', 'it!s a/"key"', '***'],
    ['in JSON', JSON.stringify({ x: 'it!s a/"key"' }), '{"x":"***"}'],
    ['in JSON with escaped slashes', '{"x":"it!s a\\/\\"key\\""}', '{"x":"***"}'],
    ['in an address', `x=${encodeURIComponent('it!s a/"key"')}`, 'x=***'],
    ['in a form', new URLSearchParams({ x: 'it!s a/"key"' }).toString(), 'x=***'],
    ['in a form with small hexadecimal digits', 'x=it%21s+a%2f%22key%22', 'x=***'],
  ])('masks a known key %s', (_title, text, expected) => {
    expect(masked(text)).toBe(expected);
  });

  it('masks a known key that is short in its own field only, since it would spoil other texts', () => {
    expect(masked('a short call, Apikey=short')).toBe('a short call, Apikey=***');
  });

  it.each([
    ['JSON', '{"Apikey":"STRANGER","a":1}', '{"Apikey":"***","a":1}'],
    ['pretty-printed JSON', '{\n "Apikey" : "STRANGER"\n}', '{\n "Apikey" : "***"\n}'],
    ['JSON that breaks off', '{"Apikey":"STRANG', '{"Apikey":"***"'],
    ['JSON, as a number', '{"Apikey":12345,"a":1}', '{"Apikey":"***","a":1}'],
    ['pretty-printed JSON, as a number', '{"Apikey" : 12345}', '{"Apikey" : "***"}'],
    ['a sentence that quotes it', 'the apikey: "STRANGER" is new', 'the apikey: "***" is new'],
    ['single quotes', "{'Apikey':'STRANGER','a':1}", `{'Apikey':'***','a':1}`],
    ['a form', 'Apikey=STRANGER&a=1', 'Apikey=***&a=1'],
    ['a percent-encoded form', '%22Apikey%22%3A%22STRANGER%22%2C%22a', '%22Apikey%22%3A%22***%22%2C%22a'],
    ['a form of spaced JSON', '%22Apikey%22%3A+%22STRANGER%22%2C+%22a', '%22Apikey%22%3A+%22***%22%2C+%22a'],
    ['JSON within JSON', JSON.stringify({ x: '{"Apikey":"STRANGER"}' }), JSON.stringify({ x: '{"Apikey":"***"}' })],
    ['any spelling', '{"api_key":"STRANGER","API-KEY":"STRANGER"}', '{"api_key":"***","API-KEY":"***"}'],
  ])('masks a stranger’s key in %s, and nothing beside it', (_title, text, expected) => {
    expect(masked(text)).toBe(expected);
  });

  it.each([
    ['a URL at the end of a text', { a: 'https://r/1.mp3?apikey=STRANGER' }],
    ['a URL in JSON within JSON', { a: JSON.stringify({ b: 'https://r/1.mp3?apikey=STRANGER' }) }],
    ['a URL in JSON within JSON within JSON', { a: JSON.stringify({ b: JSON.stringify({ c: '?apikey=STRANGER' }) }) }],
    ['a sentence', { a: 'his apikey: STRANGER' }],
    ['a number, in JSON within JSON', { a: JSON.stringify({ Apikey: 12_345_678 }) }],
  ])('leaves JSON what it was where a stranger’s key is in %s', (_title, value) => {
    const expected = JSON.parse(
      JSON.stringify(value)
        .replace(/STRANGER/, '***')
        .replace('12345678', String.raw`\"***\"`),
    );
    const text = masked(JSON.stringify(value));

    expect(text).not.toMatch(/STRANGER|12345678/);
    expect(JSON.parse(text)).toEqual(expected);
  });

  it.each([
    ['a comma', '{"Apikey":"a,STRANGER"}'],
    ['a space', '{"Apikey":"a STRANGER"}'],
    ['a brace', '{"Apikey":"a}STRANGER"}'],
    ['an ampersand', '{"Apikey":"a&STRANGER"}'],
    ['another kind of quote', '{"Apikey":"a\'STRANGER"}'],
    ['an escaped quote', '{"Apikey":"a\\"STRANGER"}'],
    ['an escaped backslash at its end', '{"Apikey":"STRANGER\\\\","a":1}'],
    ['an escaped quote, in JSON within JSON', JSON.stringify({ data: '{"Apikey":"a\\"STRANGER"}' })],
    ['JSON within JSON within JSON', JSON.stringify(JSON.stringify({ data: '{"Apikey":"STRANGER"}' }))],
    ['a list', '{"Apikey":["STRANGER","STRANGER"]}'],
    ['an object', '{"Apikey":{"value":"STRANGER"}}'],
    ['an encoded list', '%7B%22Apikey%22%3A%5B%22STRANGER%22%5D%7D'],
    ['an encoded comma within encoded quotes', '%7B%22Apikey%22%3A%22a%2CSTRANGER%22%7D'],
  ])('masks the whole of a stranger’s key with %s', (_title, text) => {
    expect(masked(text)).not.toContain('STRANGER');
  });

  it.each(['', 'no key here', '{"key":"value"}', 'apikey', '{"Apikey":""}'])('leaves "%s" readable', (text) => {
    expect(masked(text).replace('***', '')).toBe(text);
  });

  it.each(['apikey', 'apikey:', 'apikey:"', 'apikey:\\"', 'apikey: ', 'apikey\\', 'apikey:[', 'apikey:%22', '\\', '+'])(
    'takes 256 KB of %s in time that grows with their number',
    (unit) => {
      expect(() => masked(`apikey:"${unit.repeat(256_000 / unit.length)}`)).not.toThrow();
      expect(() => masked(unit.repeat(256_000 / unit.length))).not.toThrow();
    },
    2_000,
  );
});

describe('claimedKeyIn', () => {
  it.each([
    ['broken JSON', '{"Apikey":"demo-key-1","a":', 'demo-key-1'],
    ['JSON within JSON', '{"data":"{\\"Apikey\\":\\"demo-key-1\\",', 'demo-key-1'],
    ['a form', 'Apikey=demo-key-1&a=1', 'demo-key-1'],
    ['a number', '{"Apikey": 12345}', '12345'],
  ])('finds the key in %s', (_title, text, key) => {
    expect(claimedKeyIn(text)).toBe(key);
  });

  it.each(['', '{"key":"x"}', '{"Apikey":""}'])('finds none in "%s"', (text) => {
    expect(claimedKeyIn(text)).toBeUndefined();
  });
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
];

const inJson = (text: string): string => JSON.stringify(text).slice(1, -1);
const asPhp = (text: string): string => inJson(text).replaceAll('/', '\\/');
const asEscapes = (text: string): string =>
  [...text.split('')].map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');
const upperCase = (text: string): string =>
  asEscapes(text).replace(/u(\w{4})/g, (_, hex: string) => `u${hex.toUpperCase()}`);
const inForm = (text: string): string => new URLSearchParams({ text }).toString().slice('text='.length);
const lowerCase = (text: string): string => encodeURIComponent(text).replace(/%../g, (byte) => byte.toLowerCase());

const everyOther = (text: string): string =>
  text.replace(/[^%]/g, (character, at: number) =>
    at % 2 === 0 ? character : [...Buffer.from(character)].map((byte) => `%${byte.toString(16)}`).join(''),
  );

const writings: Readonly<Record<string, (key: string) => string>> = {
  'as it is': (key) => key,
  'in JSON': inJson,
  'in JSON of PHP': asPhp,
  'in JSON of PHP in JSON': (key) => inJson(asPhp(key)),
  'in JSON in JSON in JSON': (key) => inJson(inJson(asPhp(key))),
  'in escapes': asEscapes,
  'in escapes of capitals': upperCase,
  'in escapes in JSON': (key) => inJson(asEscapes(key)),
  'in an address': encodeURIComponent,
  'in an address, bytes in small letters': lowerCase,
  'in a form': inForm,
  'in a form in a form': (key) => inForm(inForm(key)),
  'in escapes in a form': (key) => inForm(asEscapes(key)),
  'in escapes, of which every other character is one of a form': (key) => everyOther(asEscapes(key)),
  'in escapes of capitals, every byte of them one of an address': (key) =>
    upperCase(key).replace(/./g, (character) => `%${character.charCodeAt(0).toString(16)}`),
  'in JSON of PHP in a form': (key) => inForm(asPhp(key)),
  'in JSON in JSON of PHP in an address': (key) => encodeURIComponent(inJson(asPhp(key))),
  'in a form in JSON of PHP': (key) => asPhp(inForm(key)),
};

describe('keyReplacer', () => {
  it.each(Object.entries(writings))('finds a key %s', (_title, write) => {
    const replaced = secretRedactor(keys);

    for (const key of keys) expect(replaced(`{"a":"x ${write(key)} y"}`)).toMatch(/^\{"a":"x (?:\*\*\*)+ y"\}$/);
  });

  it.each(['', 'plain-key-', 'plain%2dkey%2d2', '\\u0070lain', '\\\\', '%', '%25', '+'])(
    'leaves “%s” as it is',
    (text) => {
      expect(secretRedactor(keys)(text)).toBe(text);
    },
  );

  it('replaces the longer of two keys that begin alike', () => {
    expect(secretRedactor(['12345678', '1234567890'])('1234567890 12345678 \\')).toBe('*** *** \\');
  });

  it('leaves all as it is where there is no key', () => {
    expect(secretRedactor([])('\\ abc')).toBe('\\ abc');
  });
});
