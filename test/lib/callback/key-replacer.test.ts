import { describe, expect, it } from 'vitest';
import { keyReplacer } from '../../../lib/callback/key-replacer.ts';

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
    const replaced = keyReplacer(keys, '***');

    for (const key of keys) expect(replaced(`{"a":"x ${write(key)} y"}`)).toMatch(/^\{"a":"x (?:\*\*\*)+ y"\}$/);
  });

  it.each(['', 'plain-key-', 'plain%2dkey%2d2', '\\u0070lain', '\\\\', '%', '%25', '+'])(
    'leaves “%s” as it is',
    (text) => {
      expect(keyReplacer(keys, '***')(text)).toBe(text);
    },
  );

  it('replaces the longer of two keys that begin alike', () => {
    expect(keyReplacer(['12345678', '1234567890'], '*')('1234567890 12345678 \\')).toBe('* * \\');
  });

  it('leaves all as it is where there is no key', () => {
    expect(keyReplacer([], '***')('\\ abc')).toBe('\\ abc');
  });
});
