import { describe, expect, it } from 'vitest';
import { accountIndex, keyFingerprint } from '../../../lib/accounts/accounts.ts';
import type { SenderCredentials } from '../../../lib/callback/authenticate-sender.ts';
import { quarantinedSender, redactPost } from '../../../lib/callback/receive-callback.ts';
import type { QuarantineEntry } from '../../../lib/callback/schema.ts';
import { accountOfEntry } from '../../../lib/operate/redrive-quarantined.ts';
import { demoAccount, otherAccount, sentinelKey } from '../../fixtures/accounts.ts';

const accounts = accountIndex([demoAccount, otherAccount] as never);
const single = accountIndex([demoAccount] as never);

const credentialsWith = (part: Partial<SenderCredentials>): SenderCredentials => ({
  keys: [],
  users: [],
  hasValidSecret: false,
  ...part,
});

/** The fingerprints of a live key of each account and of a key that neither has. */
const [ofDemo, ofOther, ofNew] = ['demo-key', 'other-key', 'new-key-77'].map(keyFingerprint) as [
  string,
  string,
  string,
];

describe('quarantinedSender', () => {
  const viaSecret = true;
  const secret = { hasValidSecret: true };

  it.each<[string, Partial<SenderCredentials>, object]>([
    ['nothing', {}, {}],
    ['an unknown key', { keys: ['new-key-77'] }, {}],
    ['a live key', { keys: ['demo-key'] }, { account: 'demo' }],
    ['two live keys of an account', { keys: ['demo-key', sentinelKey] }, { account: 'demo' }],
    [
      'an unknown key before a live one',
      { keys: ['new-key-77', 'demo-key'] },
      { account: 'demo', keyFingerprints: [ofNew, ofDemo] },
    ],
    [
      'keys of two accounts',
      { keys: ['other-key', 'demo-key'] },
      { account: 'other', keyFingerprints: [ofOther, ofDemo] },
    ],
    [
      'an unknown key at the secret address',
      { keys: ['new-key-77'], ...secret },
      { viaSecret, keyFingerprints: [ofNew] },
    ],
    ['a live key at the secret address', { keys: ['demo-key'], ...secret }, { account: 'demo' }],
    ['a user name at the secret address', { users: ['nobody'], ...secret }, { viaSecret }],
    ['nothing at the secret address of several accounts', secret, { viaSecret }],
  ])('of a post with %s', (_title, part, sender) => {
    expect(quarantinedSender(accounts, credentialsWith(part))).toEqual({ account: undefined, ...sender });
  });

  it.each<[string, Partial<SenderCredentials>, object]>([
    ['nothing', {}, { account: 'demo' }],
    ['another user name', { users: ['nobody'] }, { account: undefined, viaSecret }],
    ['an unknown key', { keys: ['new-key-77'] }, { account: undefined, viaSecret, keyFingerprints: [ofNew] }],
  ])('of a post with %s at the secret address of a single account', (_title, part, sender) => {
    expect(quarantinedSender(single, credentialsWith({ ...secret, ...part }))).toEqual(sender);
  });

  it('has at most 20 fingerprints', () => {
    const keys = Array.from({ length: 1_000 }, (_, index) => `new-key-${index}`);

    expect(quarantinedSender(accounts, credentialsWith({ keys, ...secret })).keyFingerprints).toEqual(
      keys.slice(0, 20).map(keyFingerprint),
    );
  });
});

describe('redactPost', () => {
  const text = '{"Apikey":"new-key-77","Comments":"see new-key-77 and demo-key"}';

  it('redacts a known sender’s unknown key wherever it is', () => {
    expect(redactPost(accounts, credentialsWith({ keys: ['new-key-77'], hasValidSecret: true }), text)).toBe(
      '{"Apikey":"***","Comments":"see *** and ***"}',
    );
  });

  it('redacts a stranger’s key in its field', () => {
    expect(redactPost(accounts, credentialsWith({ keys: ['new-key-77'] }), text)).toBe(
      '{"Apikey":"***","Comments":"see new-key-77 and ***"}',
    );
  });

  it.each([
    ['is too long to be one', 'k1'.repeat(126)],
    ['is a word', 'Answered'],
    ['is a number', '09000000042'],
  ])('redacts a key that %s in its field only', (_title, key) => {
    const credentials = credentialsWith({ keys: [key], hasValidSecret: true });

    expect(redactPost(accounts, credentials, `{"Apikey":"${key}","a":"${key}"}`)).toBe(`{"Apikey":"***","a":"${key}"}`);
  });
});

describe('accountOfEntry', () => {
  const ownerOf = (part: Partial<QuarantineEntry>, users: readonly string[] = [], given?: string, among = accounts) => {
    const entry = { reason: 'unknown-key', body: '', receivedAt: '', account: undefined, ...part };
    const result = accountOfEntry(among, entry, users, given);
    return result.ok ? result.value.userName : result.problem;
  };
  const viaSecret = true as const;
  const unknown = { viaSecret, keyFingerprints: [ofNew] };

  it.each<[string, string, Partial<QuarantineEntry>, (readonly string[])?, string?]>([
    ['the authenticated one', 'demo', { account: 'demo' }],
    ['the authenticated one, if an operator names it too', 'demo', { account: 'demo' }, [], 'DEMO'],
    ['that of its key, once that is live', 'demo', { viaSecret, keyFingerprints: [ofDemo] }],
    ['that of all its keys', 'demo', { viaSecret, keyFingerprints: [ofDemo, keyFingerprint(sentinelKey)] }],
    ['that of its user name at the secret address', 'other', { viaSecret }, ['OTHER']],
    ['an operator’s, for an unknown key', 'other', unknown, [], 'other'],
    ['an operator’s, for an unknown sender', 'demo', {}, [], 'demo'],
    ['an operator’s, if the authenticated one exists no more', 'demo', { account: 'former' }, [], 'demo'],
  ])('is %s', (_title, owner, part, users, given) => {
    expect(ownerOf(part, users, given)).toBe(owner);
  });

  it('is the only account for a post that names nobody at the secret address', () => {
    expect(ownerOf({ viaSecret }, [], undefined, single)).toBe('demo');
  });

  it.each<[string, string, Partial<QuarantineEntry>, (readonly string[])?, string?]>([
    ['an unknown key, whatever the user name', 'unknown-key', unknown, ['demo']],
    ['an unknown key beside a live one', 'unknown-key', { account: 'demo', keyFingerprints: [ofDemo, ofNew] }],
    ['keys of two accounts', 'mixed-accounts', { account: 'demo', keyFingerprints: [ofDemo, ofOther] }, [], 'demo'],
    [
      'mixed accounts without fingerprints',
      'mixed-accounts',
      { account: 'demo', reason: 'mixed-accounts' },
      [],
      'demo',
    ],
    ['an account that exists no more', 'unknown-account', { account: 'former' }],
    ['an operator’s account that does not exist', 'unknown-account', unknown, [], 'nobody'],
    ['another account than the operator’s', 'account-mismatch', { account: 'demo' }, [], 'other'],
    ['the key of another account than the operator’s', 'account-mismatch', { keyFingerprints: [ofDemo] }, [], 'other'],
    ['an unknown user name at the secret address', 'account-not-named', { viaSecret }, ['nobody']],
    ['a user name from an unknown sender', 'account-not-named', {}, ['demo']],
  ])('is not known of an entry with %s', (_title, problem, part, users, given) => {
    expect(ownerOf(part, users, given)).toBe(problem);
  });
});
