import { describe, expect, it } from 'vitest';
import { CallbackSecret } from '../../../lib/callback/callback-secret.ts';
import { callbackSecretHash, isCallbackSecret } from '../../../lib/callback/secret-hash.ts';

const [current, former, wrong] = ['the-secret-that-holds', 'the-secret-until-now', 'a-secret-of-nobodys'] as const;

describe('a callback secret', () => {
  it('is known by its hash, and the former one beside it', () => {
    const hashes = callbackSecretHash(current, former);

    expect([current, former, wrong, '', hashes].map((sent) => isCallbackSecret(sent, hashes))).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
    expect(isCallbackSecret(former, callbackSecretHash(current))).toBe(false);
  });

  it('is not in what is deployed', () => {
    expect(callbackSecretHash(current, former)).toMatch(/^[0-9a-f]{64},[0-9a-f]{64}$/);
  });

  it.each(['x'.repeat(15), 'x'.repeat(129), 'two,secrets-with-a-comma', 'a slash / in it, too', ''])(
    'cannot be "%s"',
    (secret) => {
      expect(CallbackSecret.safeParse(secret).success).toBe(false);
    },
  );
});
