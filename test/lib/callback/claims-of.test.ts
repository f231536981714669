import { describe, expect, it } from 'vitest';
import { claimsOf } from '../../../lib/callback/claims-of.ts';

describe('claimsOf', () => {
  it('finds the keys beside and in the records, and the user names', () => {
    expect(
      claimsOf([{ Apikey: 'a', UserName: 'demo' }, { api_key: '12', USERNAME: 'Demo' }, 'text', null], ['b'], true),
    ).toEqual({ keys: ['b', 'a', '12'], users: ['demo', 'Demo'], secretProven: true });
  });

  it.each(['', ' ', 'None', 'null', '-', null])('takes %j for no key and no name', (blank) => {
    expect(claimsOf([{ Apikey: blank, UserName: blank }], [blank ?? ''], false)).toEqual({
      keys: [],
      users: [],
      secretProven: false,
    });
  });

  it('takes no space around a key for a part of it', () => {
    expect(claimsOf([{ Apikey: ' a ' }], [], false).keys).toEqual(['a']);
  });

  it('takes an object in place of a key for a wrong one', () => {
    expect(claimsOf([{ Apikey: { a: 'demo-key' } }], [], false).keys).not.toContain('demo-key');
  });
});
