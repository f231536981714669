import { describe, expect, it } from 'vitest';
import { accountIndex, isSameUser } from '../../../lib/accounts/account-index.ts';
import { demoAccount, otherAccount, sentinelKey } from '../../fixtures/accounts.ts';

const accounts = accountIndex([demoAccount, otherAccount] as never);

describe('accountIndex', () => {
  it.each([
    ['demo-key', 'demo'],
    [sentinelKey, 'demo'],
    ['other-key', 'other'],
  ])('finds the account of the key %s', (key, userName) => {
    expect(accounts.accountForKey(key)?.userName).toBe(userName);
  });

  it.each(['', 'demo-ke', 'demo-key ', 'DEMO-KEY', 'demo-key-2', 'x'.repeat(10_000)])(
    'finds no account of the key "%.20s"',
    (key) => {
      expect(accounts.accountForKey(key)).toBeUndefined();
    },
  );

  it.each([
    ['demo', 'demo'],
    ['Demo', 'demo'],
    ['DEMO', 'demo'],
    ['nobody', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('finds by the name %j the account %j', (name, userName) => {
    expect(accounts.accountNamed(name)?.userName).toBe(userName);
  });

  it('finds the only account without a name', () => {
    expect(accountIndex([otherAccount] as never).accountNamed(undefined)?.userName).toBe('other');
  });

  it('redacts the keys of all accounts', () => {
    expect(accounts.redact(`${sentinelKey} demo-key other-key`)).toBe('*** *** ***');
  });
});

describe('isSameUser', () => {
  it.each([
    ['demo', 'DEMO', true],
    ['demo', 'demo2', false],
  ])('of %s and %s is %s', (a, b, expected) => {
    expect(isSameUser(a, b)).toBe(expected);
  });
});
