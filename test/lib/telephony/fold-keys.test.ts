import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../lib/core/parse-json.ts';
import { foldKeys, isKeyField, spellings, uniqueNames } from '../../../lib/telephony/fold-keys.ts';

const known = spellings(['dId', 'Status', 'AgentID']);
const folded = (posted: JsonObject) => {
  const { fields, extra, nested } = foldKeys(Object.entries(posted), known);
  return { fields: Object.fromEntries(fields), extra, nested: [...nested] };
};

describe('foldKeys', () => {
  it.each(['dId', 'Did', 'DID', 'DId', 'did'])('knows %s', (spelling) => {
    expect(folded({ [spelling]: '91' })).toEqual({ fields: { dId: '91' }, extra: {}, nested: [] });
  });

  it('keeps unknown keys in the spelling sent', () => {
    expect(folded({ SkillID: '7', 'tenant code': 'x' }).extra).toEqual({ SkillID: '7', 'tenant code': 'x' });
  });

  it('keeps the second of two spellings that disagree', () => {
    expect(folded({ Did: '91', DID: '92', dId: '93' })).toMatchObject({
      fields: { dId: '91' },
      extra: { DID: '92', dId: '93' },
    });
  });

  it('takes two spellings that agree once', () => {
    expect(folded({ Did: '91', DID: '91 ' })).toEqual({ fields: { dId: '91' }, extra: {}, nested: [] });
  });

  it('takes the spelling that says something where the other is blank', () => {
    expect(folded({ Did: 'None', DID: '91', dId: null })).toEqual({ fields: { dId: '91' }, extra: {}, nested: [] });
  });

  it.each([
    ['true', true],
    ['false', false],
  ])('keeps %s as text', (text, value) => {
    expect(folded({ Status: value }).fields).toEqual({ Status: text });
  });

  it('keeps a list or an object as JSON text, and says so of a documented field', () => {
    expect(folded({ AgentID: ['1', { b: '2', a: null }], more: {} })).toEqual({
      fields: { AgentID: '["1",{"a":null,"b":"2"}]' },
      extra: { more: '{}' },
      nested: ['AgentID'],
    });
  });

  it.each(['Apikey', 'ApiKey', 'apikey', 'API_KEY', 'api-key'])('leaves %s out', (spelling) => {
    expect(folded({ [spelling]: 'secret' })).toEqual({ fields: {}, extra: {}, nested: [] });
  });

  it('makes half a surrogate pair, which no database takes, the replacement character', () => {
    expect(folded({ Status: 'a\ud800', 'b\udc00': 'c' })).toMatchObject({
      fields: { Status: 'a\ufffd' },
      extra: { 'b\ufffd': 'c' },
    });
  });

  it('keeps both values of keys that become the same, under a number', () => {
    expect(folded({ '\ud800': 'a', '\ud801': 'b', '\ud802': 'c' }).extra).toEqual({
      '\ufffd': 'a',
      '\ufffd (2)': 'b',
      '\ufffd (3)': 'c',
    });
  });

  it('names an empty key, which no database takes', () => {
    expect(folded({ '': 'a' }).extra).toEqual({ '(empty)': 'a' });
  });

  it('takes 25,000 unknown keys, the most that fit into a post, in time that grows with their number', () => {
    const posted = Object.fromEntries(Array.from({ length: 25_000 }, (_, index) => [`k${index}`, 'x']));

    expect(Object.keys(folded(posted).extra)).toHaveLength(25_000);
  }, 5_000);
});

describe('isKeyField', () => {
  it.each(['Apikey', 'ApiKey', 'APIKEY', 'api_key', 'api-key'])('knows %s', (name) => {
    expect(isKeyField(name)).toBe(true);
  });

  it.each(['key', 'apikeys', 'myapikey', 'api key', ''])('does not know "%s"', (name) => {
    expect(isKeyField(name)).toBe(false);
  });

  it('keeps a field whose name is too long for a table, with the name in its value', () => {
    const name = 'n'.repeat(70_000);
    const { extra } = foldKeys(Object.entries({ [name]: 'a', [`${name}2`]: 'b' }), spellings([]));

    expect(extra).toEqual({ '(long name)': `${name}: a`, '(long name) (2)': `${name}2: b` });
  });
});

it('uniqueNames numbers a name that comes again', () => {
  const nameOf = uniqueNames();

  expect(['a', 'b', 'a', 'a', '__proto__', '__proto__'].map(nameOf)).toEqual([
    'a',
    'b',
    'a (2)',
    'a (3)',
    '__proto__',
    '__proto__ (2)',
  ]);
});
