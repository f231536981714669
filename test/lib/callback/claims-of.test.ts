import { describe, expect, it } from 'vitest';
import { claimsOf } from '../../../lib/callback/claims-of.ts';
import { isJsonObject, type Json } from '../../../lib/json/parse-json.ts';

/** All records understood, unless it is said which are. */
const claims = (records: readonly Json[], keysBeside: readonly string[] = [], understood = records) =>
  claimsOf(records, { calls: understood.filter(isJsonObject), participants: [] }, { keysBeside, secretProven: true });

describe('claimsOf', () => {
  it('finds the keys beside and in the records, and the user names', () => {
    expect(
      claims([{ Apikey: 'a', UserName: 'demo' }, { api_key: '12', USERNAME: 'Demo' }, 'text', null], ['b']),
    ).toEqual({ keys: ['b', 'a', '12'], users: ['demo', 'Demo'], secretProven: true });
  });

  it.each(['', ' ', 'None', 'null', '-', null])('takes %j for no key and no name', (blank) => {
    expect(claims([{ Apikey: blank, UserName: blank }], [blank ?? ''])).toEqual({
      keys: [],
      users: [],
      secretProven: true,
    });
  });

  it('takes no space around a key for a part of it', () => {
    expect(claims([{ Apikey: ' a ' }]).keys).toEqual(['a']);
  });

  it('takes each key of a list', () => {
    expect(claims([{ Apikey: ['a', ' b ', null] }]).keys).toEqual(['a', 'b']);
  });

  it('takes an object in place of a key for a wrong one', () => {
    expect(claims([{ Apikey: { a: 'demo-key' } }]).keys).not.toContain('demo-key');
  });

  it('takes no user name from a record that is not understood, since there it is an agent’s; but any key', () => {
    const popup = { event: 'popup', userName: 'asha', apiKey: 'a' };

    expect(claims([popup], [], [])).toMatchObject({ keys: ['a'], users: [] });
  });
});
