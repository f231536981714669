import { describe, expect, it } from 'vitest';
import { accountIndex } from '../../../lib/accounts/account-index.ts';
import type { Account } from '../../../lib/accounts/accounts.ts';
import {
  authenticateSender,
  callbackSecretHash,
  isCallbackSecret,
  loadAccounts,
  namesKnownAccount,
  type SenderCredentials,
  senderCredentials,
  verifySender,
} from '../../../lib/callback/authenticate-sender.ts';
import { CallbackSecret } from '../../../lib/callback/callback-secret.ts';
import { isJsonObject, type Json } from '../../../lib/core/parse-json.ts';
import { demoAccount, otherAccount, sentinelKey } from '../../fixtures/accounts.ts';
import { fixedAccounts, recordingTelemetry, unavailable } from '../../support/memory-ports.ts';

describe('check sender', () => {
  const book = accountIndex([demoAccount, otherAccount] as never);
  const soleBook = accountIndex([demoAccount] as never);
  const claims = (part: Partial<SenderCredentials>): SenderCredentials => ({
    keys: [],
    users: [],
    hasValidSecret: false,
    ...part,
  });

  const answer = (part: Partial<SenderCredentials>, accounts = book) => {
    const result = verifySender(accounts, claims(part));
    return result.ok ? result.value.userName : result.problem;
  };

  describe('checkSender', () => {
    it.each([
      ['a live key', { keys: ['demo-key'] }],
      ['the key and the user name', { keys: ['demo-key'], users: ['demo'] }],
      ['the user name in another letter case', { keys: ['demo-key'], users: ['DEMO', 'Demo'] }],
      ['two live keys of the account, while one is changed for the other', { keys: ['demo-key', sentinelKey] }],
      ['the same key many times', { keys: ['demo-key', 'demo-key', 'demo-key'] }],
      ['no key at the secret address, but a user name', { users: ['demo'], hasValidSecret: true }],
      ['key and secret address', { keys: ['demo-key'], hasValidSecret: true }],
    ])('believes %s', (_title, part) => {
      expect(answer(part)).toBe('demo');
    });

    it('believes a post without key and name at the secret address where there is but one account', () => {
      expect(answer({ hasValidSecret: true }, soleBook)).toBe('demo');
    });

    it.each([
      ['without a key', { users: ['demo'] }, 'key-missing'],
      ['with an unknown key', { keys: ['x'] }, 'unknown-key'],
      [
        'with an unknown key at the secret address',
        { keys: ['x'], users: ['demo'], hasValidSecret: true },
        'unknown-key',
      ],
      ['with an unknown key beside a live one', { keys: ['demo-key', 'x'] }, 'unknown-key'],
      ['with an unknown key before a live one', { keys: ['x', 'demo-key'] }, 'unknown-key'],
      ['with the keys of two accounts', { keys: ['demo-key', 'other-key'] }, 'mixed-accounts'],
      ['with another account’s user name', { keys: ['demo-key'], users: ['other'] }, 'unknown-user'],
      ['with a foreign user name among its own', { keys: ['demo-key'], users: ['demo', 'x'] }, 'unknown-user'],
      ['with an unknown user name at the secret address', { users: ['x'], hasValidSecret: true }, 'unknown-user'],
      [
        'with two accounts’ names at the secret address',
        { users: ['demo', 'other'], hasValidSecret: true },
        'unknown-user',
      ],
      ['without a name at the secret address of several accounts', { hasValidSecret: true }, 'unknown-user'],
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
      ['by the secret address, with a key that was changed', { keys: ['x'], hasValidSecret: true }],
      ['by the secret address, though its user name was changed', { users: ['x'], hasValidSecret: true }],
    ])('knows an account %s', (_title, part) => {
      expect(answer(part)).toMatch(/unknown|missing/);
      expect(namesKnownAccount(book, claims(part))).toBe(true);
    });

    it.each([
      ['who names a key of nobody’s', { keys: ['x'] }],
      ['who names a key and a user of nobody’s', { keys: ['x'], users: ['y'] }],
      ['who names nothing', {}],
      ['who posts to the secret address what may be no call', { hasValidSecret: true }],
    ])('takes for a stranger one %s', (_title, part) => {
      expect(answer(part)).toMatch(/unknown|missing/);
      expect(namesKnownAccount(book, claims(part))).toBe(false);
    });
  });
});

describe('known sender', () => {
  const ofDemo: SenderCredentials = { keys: ['changed-key'], users: ['demo'], hasValidSecret: false };
  const ofStranger: SenderCredentials = { ...ofDemo, users: ['nobody'] };
  const rotated = [{ ...demoAccount, apiKeys: ['changed-key'] }] as unknown as readonly Account[];

  /** What is counted of a post with these claims, by accounts that read like this. */
  const countsOf = async (
    claims: SenderCredentials,
    accounts: Parameters<typeof authenticateSender>[0]['accounts'],
  ) => {
    const telemetry = recordingTelemetry();
    await authenticateSender({ accounts, telemetry }, await fixedAccounts().current(), claims);
    return telemetry.counts;
  };

  describe('senderOf', () => {
    it.each([
      ['an account’s post that is refused', ofDemo, fixedAccounts(), { AccountRejected: 1 }],
      ['a stranger’s not', ofStranger, fixedAccounts(), {}],
      ['nor one whose key was added a moment ago', ofDemo, fixedAccounts(undefined, rotated), {}],
      ['nor one that is believed', { ...ofDemo, keys: ['demo-key'] }, fixedAccounts(), {}],
      [
        'beside it that the last accounts decided',
        ofDemo,
        { ...fixedAccounts(), refresh: unavailable },
        { AccountRejected: 1, AccountsStale: 1 },
      ],
    ])('counts %s', async (_title, claims, accounts, counts) => {
      expect(await countsOf(claims, accounts)).toEqual(counts);
    });
  });

  describe('knownAccounts', () => {
    it('counts that there is nobody to go by', async () => {
      const telemetry = recordingTelemetry();
      const known = await loadAccounts({ accounts: { ...fixedAccounts(), current: unavailable }, telemetry });

      expect(known).toEqual({ ok: false, problem: 'accounts-unavailable' });
      expect(telemetry.counts).toEqual({ AccountsUnreadable: 1 });
    });
  });
});

describe('claimsOf', () => {
  /** All records understood, unless it is said which are. */
  const claims = (records: readonly Json[], envelopeKeys: readonly string[] = [], understood = records) =>
    senderCredentials(
      records,
      { calls: understood.filter(isJsonObject), participants: [] },
      { envelopeKeys: envelopeKeys, hasValidSecret: true },
    );

  it('finds the keys beside and in the records, and the user names', () => {
    expect(
      claims([{ Apikey: 'a', UserName: 'demo' }, { api_key: '12', USERNAME: 'Demo' }, 'text', null], ['b']),
    ).toEqual({ keys: ['b', 'a', '12'], users: ['demo', 'Demo'], hasValidSecret: true });
  });

  it.each(['', ' ', 'None', 'null', '-', null])('takes %j for no key and no name', (blank) => {
    expect(claims([{ Apikey: blank, UserName: blank }], [blank ?? ''])).toEqual({
      keys: [],
      users: [],
      hasValidSecret: true,
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

describe('a callback secret', () => {
  const [current, previous, wrong] = ['the-secret-that-holds', 'the-secret-until-now', 'a-secret-of-nobodys'] as const;

  it('is known by its hash, and the former one beside it', () => {
    const hashes = callbackSecretHash(current, previous);

    expect([current, previous, wrong, '', hashes].map((sent) => isCallbackSecret(sent, hashes))).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
    expect(isCallbackSecret(previous, callbackSecretHash(current))).toBe(false);
  });

  it('is not in what is deployed', () => {
    expect(callbackSecretHash(current, previous)).toMatch(/^[0-9a-f]{64},[0-9a-f]{64}$/);
  });

  it.each(['x'.repeat(15), 'x'.repeat(129), 'two,secrets-with-a-comma', 'a slash / in it, too', ''])(
    'cannot be "%s"',
    (secret) => {
      expect(CallbackSecret.safeParse(secret).success).toBe(false);
    },
  );
});
