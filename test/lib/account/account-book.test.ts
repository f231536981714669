import { describe, expect, it } from 'vitest';
import { accountBook, isSameUser } from '../../../lib/account/account-book.ts';
import { demoAccount, otherAccount, sentinelKey } from '../../fixtures/accounts.ts';

const book = accountBook([demoAccount, otherAccount] as never);

describe('accountBook', () => {
  it.each([
    ['demo-key', 'demo'],
    [sentinelKey, 'demo'],
    ['other-key', 'other'],
  ])('knows whose %s is', (key, userName) => {
    expect(book.ownerOf(key)?.userName).toBe(userName);
  });

  it.each(['', 'demo-ke', 'demo-key ', 'DEMO-KEY', 'demo-key-2', 'x'.repeat(10_000)])(
    'knows no owner of "%.20s"',
    (key) => {
      expect(book.ownerOf(key)).toBeUndefined();
    },
  );

  it.each(['demo', 'Demo', 'DEMO'])('finds the account named %s', (name) => {
    expect(book.named(name)?.userName).toBe('demo');
  });

  it('finds no account of another name', () => {
    expect(book.named('nobody')).toBeUndefined();
    expect(book.named('')).toBeUndefined();
  });

  it('finds the only account where no name is given, and none among several', () => {
    expect(accountBook([otherAccount] as never).named(undefined)?.userName).toBe('other');
    expect(book.named(undefined)).toBeUndefined();
  });

  it('masks the keys of all accounts', () => {
    expect(book.masked(`${sentinelKey} demo-key other-key`)).toBe('*** *** ***');
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
