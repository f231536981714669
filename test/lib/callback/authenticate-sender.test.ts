import { describe, expect, it } from 'vitest';
import { accountIndex } from '../../../lib/accounts/account-index.ts';
import { CallbackSecret, callbackSecretHash, isCallbackSecret } from '../../../lib/accounts/callback-secret.ts';
import {
  accountOfSender,
  countsAsOurs,
  type SenderCredentials,
  senderCredentials,
  withKeysInText,
} from '../../../lib/callback/authenticate-sender.ts';
import { isJsonObject, type Json } from '../../../lib/core/json.ts';
import { demoAccount, otherAccount } from '../../fixtures/accounts.ts';
import { posted } from '../../support/posted-records.ts';

const accounts = accountIndex([demoAccount, otherAccount] as never);

const credentialsWith = (part: Partial<SenderCredentials>): SenderCredentials => ({
  keys: [],
  users: [],
  hasValidSecret: false,
  ...part,
});

const verified = (part: Partial<SenderCredentials>, among = accounts) => {
  const result = accountOfSender(among, credentialsWith(part));
  return result.ok ? result.value.userName : result.problem;
};

describe('senderCredentials', () => {
  /** `classified` are the records that are calls: all of them by default. */
  const credentialsIn = (
    records: readonly Json[],
    envelopeKeys: readonly string[] = [],
    classified: readonly Json[] = records,
  ) =>
    senderCredentials(
      records.map(posted),
      { calls: classified.filter(isJsonObject).map((value) => ({ value, text: '' })), participants: [] },
      envelopeKeys.map((key) => ({ name: 'Apikey', key })),
      true,
    );

  it('are the keys beside and in the records, and the user names', () => {
    const records: readonly Json[] = [
      { Apikey: 'a', UserName: 'demo' },
      { api_key: '12', USERNAME: 'Demo' },
      'text',
      null,
    ];

    expect(credentialsIn(records, ['b'])).toEqual({
      keys: ['b', 'a', '12'],
      users: ['demo', 'Demo'],
      hasValidSecret: true,
    });
  });

  it.each(['', ' ', 'None', 'null', '-', null])('have no key and no name for the blank %j', (blank) => {
    expect(credentialsIn([{ Apikey: blank, UserName: blank }], [blank ?? ''])).toMatchObject({ keys: [], users: [] });
  });

  it.each([
    ['a key without the space around it', ' a ', ['a']],
    ['each key of a list', ['a', ' b ', null], ['a', 'b']],
    ['an object in place of a key as its JSON', { a: 'demo-key' }, ['{"a":"demo-key"}']],
  ])('have %s', (_title, Apikey, keys) => {
    expect(credentialsIn([{ Apikey }]).keys).toEqual(keys);
  });

  it('have each key once, and one more than a post may have at most', () => {
    const keys = Array.from({ length: 2_000 }, (_, index) => `key-${index}`);

    expect(credentialsIn([{ Apikey: 'a' }, { Apikey: 'a' }], ['a']).keys).toEqual(['a']);
    expect(credentialsIn([{ Apikey: keys }]).keys).toEqual(keys.slice(0, 21));
  });

  it('have any key of a record of another kind, but no user name: there it is an agent’s', () => {
    const popup = { event: 'popup', userName: 'asha', apiKey: 'a' };

    expect(credentialsIn([popup], [], [])).toMatchObject({ keys: ['a'], users: [] });
  });
});

describe('withKeysInText', () => {
  it.each([
    ['broken JSON', '{"Apikey":"demo-key",', ['demo-key']],
    ['a form', 'Apikey=demo-key&x=1', ['demo-key']],
    ['a form of JSON', 'data=%7B%22Apikey%22%3A%22demo-key%22', ['demo-key']],
    ['a form with a control character in the key', 'Apikey=a%01key&x=1', ['a\u0001key']],
    ['a text with a stray percent sign', '{"Apikey":"demo-key","a":"100%"', ['demo-key']],
    ['a list in a list', '[[{"Apikey":"demo-key"}]]', ['demo-key']],
    ['an object under another name', '{"callDetails":{"apikey":["demo-key"]}}', ['demo-key']],
    ['JSON in JSON', JSON.stringify(JSON.stringify({ Apikey: 'a"/key' })), ['a"/key']],
    ['broken JSON of PHP', '{"Apikey":"a\\/key",', ['a/key']],
    ['a field of another name', '{"token":"demo-key"}', ['demo-key']],
    ['the name of a field', '{"demo-key":1}', ['demo-key']],
    ['an escaped name in broken JSON', '{"\\u0041pikey":"demo-key",', ['demo-key']],
    ['XML', '<Apikey>demo-key</Apikey>', ['demo-key']],
    ['escapes', '{"a":"\\u0064emo-key"}', ['demo-key']],
    ['a number', '{"Apikey": 12345}', ['12345']],
    ['several records', '[{"Apikey":"one"},{"apikey":"one"},{"API_KEY":"two"}', ['one', 'two']],
    ['a field of another name, which is live nowhere', '{"key":"x"}', []],
    ['a blank field', '{"Apikey":""}', []],
    ['nothing', '', []],
  ])('are the keys in %s and beside it', (_title, text, keys) => {
    expect(withKeysInText(accounts, text, credentialsWith({ keys: ['beside'] }))).toEqual(
      credentialsWith({ keys: [...keys, 'beside'] }),
    );
  });

  it('have a live key first that stands behind more keys than are looked up', () => {
    const records = [...Array.from({ length: 30 }, (_, index) => ({ Apikey: `key-${index}` })), { Apikey: 'demo-key' }];
    const { keys } = withKeysInText(accounts, JSON.stringify(records), credentialsWith({}));

    expect([keys[0], keys.length]).toEqual(['demo-key', 21]);
  });
});

it('a post may have twenty keys of an account, and no more', () => {
  const keys = Array.from({ length: 21 }, (_, index) => `key-${index}`);
  const among = accountIndex([{ ...demoAccount, apiKeys: keys }] as never);

  expect([keys.slice(1), keys].map((some) => verified({ keys: some }, among))).toEqual(['demo', 'unknown-key']);
});

describe('countsAsOurs', () => {
  it.each([
    ['its user name, with a rotated key', { keys: ['x'], users: ['demo'] }, true],
    ['its user name in another letter case', { keys: ['x'], users: ['DEMO'] }, true],
    ['its user name only, which anybody may guess', { users: ['demo'] }, false],
    ['its user name, without a key at the secret address', { users: ['demo', 'x'], hasValidSecret: true }, true],
    ['its user name, with another account’s key', { keys: ['other-key'], users: ['demo'] }, true],
    ['its key, with an unknown user name', { keys: ['demo-key'], users: ['x'] }, true],
    ['one of its keys, beside a new one', { keys: ['x', 'demo-key'] }, true],
    ['the secret address, with a rotated key', { keys: ['x'], hasValidSecret: true }, true],
    ['the secret address, with an unknown user name', { users: ['x'], hasValidSecret: true }, true],
    ['an unknown key', { keys: ['x'] }, false],
    ['an unknown key and an unknown user', { keys: ['x'], users: ['y'] }, false],
    ['nothing', {}, false],
    ['the secret address only, which another kind of post may have', { hasValidSecret: true }, false],
  ])('for a rejected post with %s', (_title, part, expected) => {
    expect(verified(part)).toMatch(/unknown|missing/);
    expect(countsAsOurs(accounts, credentialsWith(part))).toBe(expected);
  });
});

describe('a callback secret', () => {
  const current = 'the-current-secret';
  const previous = 'the-previous-secret';
  const wrong = 'a-wrong-secret';

  it('is verified by its hash, which alone is deployed, and so is the previous one beside it', () => {
    const hashes = callbackSecretHash(current, previous);
    const sent = [current, previous, wrong, '', hashes];

    expect(sent.filter((secret) => isCallbackSecret(secret, hashes))).toEqual([current, previous]);
    expect(isCallbackSecret(previous, callbackSecretHash(current))).toBe(false);
    expect(hashes).toMatch(/^[0-9a-f]{64},[0-9a-f]{64}$/);
  });

  it.each(['x'.repeat(15), 'x'.repeat(129), 'two,secrets-with-a-comma', 'a slash / in it, too', ''])(
    'cannot be "%s"',
    (secret) => {
      expect(CallbackSecret.safeParse(secret).success).toBe(false);
    },
  );
});
