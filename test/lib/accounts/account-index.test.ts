import { describe, expect, it } from 'vitest';
import { accountIndex, isSameUser } from '../../../lib/accounts/account-index.ts';
import { demoAccount, otherAccount, sentinelKey } from '../../fixtures/accounts.ts';

const book = accountIndex([demoAccount, otherAccount] as never);

describe('accountBook', () => {
  it.each([
    ['demo-key', 'demo'],
    [sentinelKey, 'demo'],
    ['other-key', 'other'],
  ])('knows whose %s is', (key, userName) => {
    expect(book.accountForKey(key)?.userName).toBe(userName);
  });

  it.each(['', 'demo-ke', 'demo-key ', 'DEMO-KEY', 'demo-key-2', 'x'.repeat(10_000)])(
    'knows no owner of "%.20s"',
    (key) => {
      expect(book.accountForKey(key)).toBeUndefined();
    },
  );

  it.each(['demo', 'Demo', 'DEMO'])('finds the account named %s', (name) => {
    expect(book.accountNamed(name)?.userName).toBe('demo');
  });

  it('finds no account of another name', () => {
    expect(book.accountNamed('nobody')).toBeUndefined();
    expect(book.accountNamed('')).toBeUndefined();
  });

  it('finds the only account where no name is given, and none among several', () => {
    expect(accountIndex([otherAccount] as never).accountNamed(undefined)?.userName).toBe('other');
    expect(book.accountNamed(undefined)).toBeUndefined();
  });

  it('masks the keys of all accounts', () => {
    expect(book.redact(`${sentinelKey} demo-key other-key`)).toBe('*** *** ***');
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
