import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../lib/core/json.ts';
import { foldKeys, isKeyField, spellings, uniqueNames } from '../../../lib/telephony/fold-keys.ts';

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
