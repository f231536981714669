import { describe, expect, it } from 'vitest';
import { nonBlank, splitChain, splitRecordings } from '../../../lib/core/text.ts';

describe('nonBlank', () => {
  it.each(['', ' ', '\t\n', 'None', 'none', 'NONE', 'null', 'Null', 'NULL', '-', ' - ', ' None '])(
    'is undefined for "%s", which the sender writes for a missing value',
    (text) => {
      expect(nonBlank(text)).toBeUndefined();
    },
  );

  it('is undefined for a missing key', () => {
    expect(nonBlank(undefined)).toBeUndefined();
  });

  it.each([
    ['0', '0'],
    ['--', '--'],
    ['nil', 'nil'],
    ['Nonesuch', 'Nonesuch'],
    ['no', 'no'],
    [' 1001 ', '1001'],
    ['None of them', 'None of them'],
  ])('of "%s" is "%s"', (text, expected) => {
    expect(nonBlank(text)).toBe(expected);
  });
});

describe('splitChain', () => {
  it.each([
    ['a single value', '1001', ['1001']],
    ['values joined by an arrow', '1001 -> 1002 -> 1003', ['1001', '1002', '1003']],
    ['an arrow at the beginning', ' -> 1001 -> 1002', ['1001', '1002']],
    ['an arrow at the beginning, trimmed', '-> 1001', ['1001']],
    ['an arrow at the end', '1001 ->', ['1001']],
    ['blanks between, which are omitted', 'a -> None ->  -> - -> b', ['a', 'b']],
    ['the same value twice, since one agent may be in a call twice', 'a -> a', ['a', 'a']],
    ['an arrow without spaces as part of the value', 'a->b', ['a->b']],
    ['line breaks around the arrow', 'a\n->\nb', ['a', 'b']],
  ])('splits %s', (_title, text, expected) => {
    expect(splitChain(text)).toEqual(expected);
  });

  it.each([undefined, '', ' -> ', '-> - -> None'])('is undefined for %j', (text) => {
    expect(splitChain(text)).toBeUndefined();
  });
});

const one = 'https://r.example.com/1.mp3';
const two = 'http://r.example.com/2.mp3';

describe('splitRecordings', () => {
  it.each([
    ['one URL', one, [one]],
    ['URLs joined by a comma', `${one},${two}`, [one, two]],
    ['URLs joined by a comma and space', `${one}, ${two}`, [one, two]],
    ['URLs joined by an arrow', `${one} -> ${two}`, [one, two]],
    ['the same URL twice', `${one},${one}`, [one]],
    ['a comma at the end', `${one},`, [one]],
    ['a comma within a URL', `${one}?parts=1,2`, [`${one}?parts=1,2`]],
    ['a scheme in capitals', `${one},S3://bucket/2`, [one, 'S3://bucket/2']],
    ['text that is no URL', 'on request', ['on request']],
    ['an arrow before all URLs', `-> ${one} -> ${two}`, [one, two]],
    ['an arrow behind all URLs', `${one} -> ${two} ->`, [one, two]],
    ['a blank among URLs', `None -> ${one}`, [one]],
  ])('splits %s', (_title, text, expected) => {
    expect(splitRecordings(text)).toEqual(expected);
  });

  it.each([undefined, '', ' -> ', ','])('is undefined for %j', (text) => {
    expect(splitRecordings(text)).toBeUndefined();
  });

  it('splits 256 KB of commas in linear time', () => {
    expect(splitRecordings(`${one}${','.repeat(256_000)}`)).toEqual([`${one}${','.repeat(255_999)}`]);
  });
});
