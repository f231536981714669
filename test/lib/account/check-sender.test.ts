import { describe, expect, it } from 'vitest';
import { accountBook } from '../../../lib/account/account-book.ts';
import { type Claims, checkSender, isOfOurs } from '../../../lib/account/check-sender.ts';
import { demoAccount, otherAccount, sentinelKey } from '../../fixtures/accounts.ts';

const book = accountBook([demoAccount, otherAccount] as never);
const soleBook = accountBook([demoAccount] as never);
const claims = (part: Partial<Claims>): Claims => ({ keys: [], users: [], secretProven: false, ...part });

const answer = (part: Partial<Claims>, accounts = book) => {
  const result = checkSender(accounts, claims(part));
  return result.ok ? result.value.userName : result.problem;
};

describe('checkSender', () => {
  it.each([
    ['a live key', { keys: ['demo-key'] }],
    ['the key and the user name', { keys: ['demo-key'], users: ['demo'] }],
    ['the user name in another letter case', { keys: ['demo-key'], users: ['DEMO', 'Demo'] }],
    ['two live keys of the account, while one is changed for the other', { keys: ['demo-key', sentinelKey] }],
    ['the same key many times', { keys: ['demo-key', 'demo-key', 'demo-key'] }],
    ['no key at the secret address, but a user name', { users: ['demo'], secretProven: true }],
    ['key and secret address', { keys: ['demo-key'], secretProven: true }],
  ])('believes %s', (_title, part) => {
    expect(answer(part)).toBe('demo');
  });

  it('believes a post without key and name at the secret address where there is but one account', () => {
    expect(answer({ secretProven: true }, soleBook)).toBe('demo');
  });

  it.each([
    ['without a key', { users: ['demo'] }, 'key-missing'],
    ['with an unknown key', { keys: ['x'] }, 'unknown-key'],
    ['with an unknown key at the secret address', { keys: ['x'], users: ['demo'], secretProven: true }, 'unknown-key'],
    ['with an unknown key beside a live one', { keys: ['demo-key', 'x'] }, 'unknown-key'],
    ['with an unknown key before a live one', { keys: ['x', 'demo-key'] }, 'unknown-key'],
    ['with the keys of two accounts', { keys: ['demo-key', 'other-key'] }, 'mixed-accounts'],
    ['with another account’s user name', { keys: ['demo-key'], users: ['other'] }, 'unknown-user'],
    ['with a foreign user name among its own', { keys: ['demo-key'], users: ['demo', 'x'] }, 'unknown-user'],
    ['with an unknown user name at the secret address', { users: ['x'], secretProven: true }, 'unknown-user'],
    [
      'with two accounts’ names at the secret address',
      { users: ['demo', 'other'], secretProven: true },
      'unknown-user',
    ],
    ['without a name at the secret address of several accounts', { secretProven: true }, 'unknown-user'],
  ])('refuses a post %s', (_title, part, problem) => {
    expect(answer(part)).toBe(problem);
  });
});

describe('isOfOurs', () => {
  it.each([
    ['by its user name, with a key that was changed', { keys: ['x'], users: ['demo'] }],
    ['by its user name in another letter case', { keys: ['x'], users: ['DEMO'] }],
    ['by its user name, though it has lost its key', { users: ['demo'] }],
    ['by its user name, with another account’s key', { keys: ['other-key'], users: ['demo'] }],
    ['by its key, though its user name was changed', { keys: ['demo-key'], users: ['x'] }],
    ['by one of its keys, beside a new one', { keys: ['x', 'demo-key'] }],
    ['by the secret address, with a key that was changed', { keys: ['x'], secretProven: true }],
    ['by the secret address, though its user name was changed', { users: ['x'], secretProven: true }],
  ])('knows an account %s', (_title, part) => {
    expect(answer(part)).toMatch(/unknown|missing/);
    expect(isOfOurs(book, claims(part))).toBe(true);
  });

  it.each([
    ['who names a key of nobody’s', { keys: ['x'] }],
    ['who names a key and a user of nobody’s', { keys: ['x'], users: ['y'] }],
    ['who names nothing', {}],
    ['who posts to the secret address what may be no call', { secretProven: true }],
  ])('takes for a stranger one %s', (_title, part) => {
    expect(answer(part)).toMatch(/unknown|missing/);
    expect(isOfOurs(book, claims(part))).toBe(false);
  });
});
