import { describe, expect, it } from 'vitest';
import { idOf, nonBlank, splitChain, splitRecordings, splitTextChain } from '../../../lib/core/text.ts';

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

describe('idOf', () => {
  it.each([
    '',
    'None',
    '-',
    '0',
    '00000',
    '-0',
    '+0',
    ' 0 ',
    '-1',
    'NA',
    'na',
    'N/A',
    'n/a',
    'NaN',
    'nil',
    'Unknown',
    'undefined',
  ])('is undefined for the placeholder "%s"', (text) => {
    expect(idOf(text)).toBeUndefined();
  });

  it.each(['1', '01', '10', '0.5', '-2', '00000000000000001', 'A0', 'NA1', 'Anna', 'unknown-1', '[]', '--'])(
    'is "%s" unchanged',
    (text) => {
      expect(idOf(` ${text} `)).toBe(text);
    },
  );

  it('is undefined for a missing key', () => {
    expect(idOf(undefined)).toBeUndefined();
  });
});

type Row = readonly [title: string, text: string, expected: readonly string[]];

/** What any chain is split into. */
const chains: readonly Row[] = [
  ['a single value', '1001', ['1001']],
  ['values joined by an arrow', '1001 -> 1002 -> 1003', ['1001', '1002', '1003']],
  ['an arrow at the beginning', ' -> 1001 -> 1002', ['1001', '1002']],
  ['an arrow at the beginning, trimmed', '-> 1001', ['1001']],
  ['an arrow at the end', '1001 ->', ['1001']],
  ['blanks between, which are omitted', 'a -> None ->  -> - -> b', ['a', 'b']],
  ['the same value twice, since one agent may be in a call twice', 'a -> a', ['a', 'a']],
  ['line breaks around the arrow', 'a\n->\nb', ['a', 'b']],
  ['a value with a hyphen or an angle bracket', 'a-1 > 2 -> b<c', ['a-1 > 2', 'b<c']],
];

const blankChains = ['', ' -> ', '-> - -> None'];

describe('splitChain', () => {
  it.each<Row>([
    ...chains,
    ['an arrow without blanks', 'a->b->c', ['a', 'b', 'c']],
    ['an arrow with a blank on one side', 'a-> b ->c', ['a', 'b', 'c']],
    ['an arrow without blanks at each end', '->a->', ['a']],
    ['blanks between arrows without blanks', 'a->None->->b', ['a', 'b']],
  ])('splits %s', (_title, text, expected) => {
    expect(splitChain(text)).toEqual(expected);
  });

  it.each([...blankChains, '->'])('is undefined for %j', (text) => {
    expect(splitChain(text)).toBeUndefined();
  });
});

describe('splitTextChain', () => {
  it.each<Row>([
    ...chains,
    ['no arrow without blanks, which people write', 'Plan A->B', ['Plan A->B']],
    ['no arrow with a blank on one side', 'A-> B ->C', ['A-> B ->C']],
    ['only the arrow with blanks', 'Plan A->B -> Sold', ['Plan A->B', 'Sold']],
  ])('splits %s', (_title, text, expected) => {
    expect(splitTextChain(text)).toEqual(expected);
  });

  it.each(blankChains)('is undefined for %j', (text) => {
    expect(splitTextChain(text)).toBeUndefined();
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
    ['URLs joined by an arrow without blanks', `${one}->${two}->${one}`, [one, two]],
    ['URLs joined by an arrow with a blank on one side', `${one}-> ${two} ->${one}x`, [one, two, `${one}x`]],
    ['an arrow without blanks before all URLs', `->${one}`, [one]],
    ['an arrow within a URL', `${one}?from=a->b`, [`${one}?from=a->b`]],
    ['an arrow within a URL before another one', `${one}?a->b->${two}`, [`${one}?a->b`, two]],
  ])('splits %s', (_title, text, expected) => {
    expect(splitRecordings(text)).toEqual(expected);
  });

  it.each(['', ' -> ', ','])('is undefined for %j', (text) => {
    expect(splitRecordings(text)).toBeUndefined();
  });

  it('splits 256 KB of commas in linear time', () => {
    expect(splitRecordings(`${one}${','.repeat(256_000)}`)).toEqual([`${one}${','.repeat(255_999)}`]);
  });

  it.each(['->', '->a', ', ', ' ->', ',->', '->a-'])('splits 256 KB of "%s" in linear time', (part) => {
    expect(splitRecordings(part.repeat(Math.ceil(256_000 / part.length)))?.length ?? 0).toBeLessThan(3);
  });
});
