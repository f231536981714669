import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../lib/core/json.ts';
import {
  foldKeys,
  idOf,
  isKeyField,
  nonBlank,
  spellings,
  splitChain,
  splitRecordings,
  splitTextChain,
  uniqueNames,
} from '../../../lib/telephony/posted-fields.ts';

const known = spellings(['dId', 'Status', 'AgentID']);
const folded = (posted: JsonObject) => {
  const { fields, extra, nested } = foldKeys(Object.entries(posted), known);
  return { fields: Object.fromEntries(fields), extra, nested: [...nested] };
};

describe('foldKeys', () => {
  it.each([
    ['dId', { dId: '91' }],
    ['Did', { Did: '91' }],
    ['DID', { DID: '91' }],
    ['DId', { DId: '91' }],
    ['did', { did: '91' }],
    ['two spellings with the same value', { Did: '91', DID: '91 ' }],
    ['the spelling that has a value, where the others are blank', { Did: 'None', DID: '91', dId: null }],
  ])('maps %s to the documented spelling', (_title, posted) => {
    expect(folded(posted)).toEqual({ fields: { dId: '91' }, extra: {}, nested: [] });
  });

  it('returns unknown keys in the spelling sent', () => {
    expect(folded({ SkillID: '7', 'tenant code': 'x' }).extra).toEqual({ SkillID: '7', 'tenant code': 'x' });
  });

  it('returns the other values of two spellings as extra fields', () => {
    expect(folded({ Did: '91', DID: '92', dId: '93' })).toMatchObject({
      fields: { dId: '91' },
      extra: { DID: '92', dId: '93' },
    });
  });

  it.each([true, false])('returns %s as text', (value) => {
    expect(folded({ Status: value }).fields).toEqual({ Status: String(value) });
  });

  it('returns a list or an object as JSON text, and lists the documented fields among them', () => {
    expect(folded({ AgentID: ['1', { b: '2', a: null }], more: {} })).toEqual({
      fields: { AgentID: '["1",{"a":null,"b":"2"}]' },
      extra: { more: '{}' },
      nested: ['AgentID'],
    });
  });

  it('omits the account key', () => {
    expect(folded({ API_KEY: 'secret' })).toEqual({ fields: {}, extra: {}, nested: [] });
  });

  it('replaces half a surrogate pair, which no database accepts', () => {
    expect(folded({ Status: 'a\ud800', 'b\udc00': 'c' })).toMatchObject({
      fields: { Status: 'a\ufffd' },
      extra: { 'b\ufffd': 'c' },
    });
  });

  it('numbers keys that become equal, so that no value is lost', () => {
    expect(folded({ '\ud800': 'a', '\ud801': 'b', '\ud802': 'c' }).extra).toEqual({
      '\ufffd': 'a',
      '\ufffd (2)': 'b',
      '\ufffd (3)': 'c',
    });
  });

  it('names an empty key, which no database accepts', () => {
    expect(folded({ '': 'a' }).extra).toEqual({ '(empty)': 'a' });
  });

  it('moves a name that is too long for a table into the value', () => {
    const name = 'n'.repeat(70_000);

    expect(folded({ [name]: 'a', [`${name}2`]: 'b' }).extra).toEqual({
      '(long name)': `${name}: a`,
      '(long name) (2)': `${name}2: b`,
    });
  });

  it('folds 25,000 unknown keys, the most that fit into a post, in linear time', () => {
    const posted = Object.fromEntries(Array.from({ length: 25_000 }, (_, index) => [`k${index}`, 'x']));

    // Processor time: the machine may be busy with something else.
    const before = process.threadCpuUsage();
    const { extra } = folded(posted);
    expect(process.threadCpuUsage(before).user).toBeLessThan(5_000_000);
    expect(Object.keys(extra)).toHaveLength(25_000);
  });
});

describe('isKeyField', () => {
  it.each(['Apikey', 'ApiKey', 'APIKEY', 'api_key', 'api-key'])('accepts %s', (name) => {
    expect(isKeyField(name)).toBe(true);
  });

  it.each(['key', 'apikeys', 'myapikey', 'api key', ''])('rejects "%s"', (name) => {
    expect(isKeyField(name)).toBe(false);
  });
});

describe('uniqueNames', () => {
  it('numbers a repeated name', () => {
    const names = ['a', 'b', 'a', 'a', '__proto__', '__proto__'].map(uniqueNames());

    expect(names).toEqual(['a', 'b', 'a (2)', 'a (3)', '__proto__', '__proto__ (2)']);
  });
});

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
