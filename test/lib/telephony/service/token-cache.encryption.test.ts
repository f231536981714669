import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decryptToken, encryptToken } from '../../../../lib/telephony/service/token-cache.ts';
import { anyCharacter, holds } from '../../../support/property.ts';

const key = 'the-account-key';
const token = 'eyJhbGciOiJIUzI1NiJ9.token.of-some-length';
const nonceOf = (encrypted: string) => Buffer.from(encrypted, 'base64url').subarray(0, 12).toString('hex');

const tokens = fc.string({ minLength: 1, unit: anyCharacter });

describe('an encrypted token', () => {
  it('is decrypted with the same key', () => {
    holds(
      fc.property(tokens, fc.string({ minLength: 1 }), (text, apiKey) => {
        expect(decryptToken(encryptToken(text, apiKey), apiKey)).toBe(text);
      }),
      50,
    );
  });

  it.each(['another-key', 'the-account-key ', 'THE-ACCOUNT-KEY', ''])('is not decrypted with the key "%s"', (other) => {
    expect(decryptToken(encryptToken(token, key), other)).toBeUndefined();
  });

  it('shows neither token nor key', () => {
    const encrypted = encryptToken(token, key);

    for (const text of [encrypted, Buffer.from(encrypted, 'base64url').toString('latin1')]) {
      expect(text).not.toContain(token.slice(0, 8));
      expect(text).not.toContain(key);
    }
  });

  it('is rejected once any bit of it is changed', () => {
    const bytes = Buffer.from(encryptToken(token, key), 'base64url');

    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const damaged = Buffer.from(bytes);
      damaged[bit >> 3] = (damaged[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(decryptToken(damaged.toString('base64url'), key)).toBeUndefined();
    }
  });

  it('is rejected once it is shorter or longer', () => {
    const bytes = Buffer.from(encryptToken(token, key), 'base64url');

    for (const length of [0, 1, 11, 12, 20, 27, 28, bytes.length - 1])
      expect(decryptToken(bytes.subarray(0, length).toString('base64url'), key)).toBeUndefined();
    expect(decryptToken(Buffer.concat([bytes, Buffer.of(0)]).toString('base64url'), key)).toBeUndefined();
    expect(decryptToken('not base64 at all!', key)).toBeUndefined();
  });

  it('is rejected once its authentication tag is shortened, which would be easier to forge', () => {
    const nothing = Buffer.from(encryptToken('', key), 'base64url');

    expect(decryptToken(nothing.toString('base64url'), key)).toBe('');
    for (const length of [16, 20, 27])
      expect(decryptToken(nothing.subarray(0, length).toString('base64url'), key)).toBeUndefined();
  });

  it('never uses a nonce for two texts with the same key', () => {
    holds(
      fc.property(fc.uniqueArray(tokens, { minLength: 2, maxLength: 10 }), (several) => {
        const encrypted = several.map((one) => encryptToken(one, key));

        expect(new Set(encrypted.map(nonceOf)).size).toBe(several.length);
        expect(several.map((one) => encryptToken(one, key))).toEqual(encrypted);
      }),
      50,
    );
  });

  it('uses another nonce with another key', () => {
    expect(nonceOf(encryptToken(token, 'key-1'))).not.toBe(nonceOf(encryptToken(token, 'key-2')));
  });
});
