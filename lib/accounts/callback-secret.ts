import { timingSafeEqual } from 'node:crypto';
import * as z from 'zod/mini';
import { sha256 } from '../core/encoding.ts';

const expected = 'must be 16 to 128 characters that need no escape in an address: A-Z a-z 0-9 - . _ ~';

/** The secret part of the callback address. Only the telephony service is given that address. */
export const CallbackSecret = z.string(expected).check(z.regex(/^[A-Za-z0-9._~-]{16,128}$/, expected));

/** The SHA-256 of each secret in hexadecimal, joined with commas. It is deployed in place of the secrets. */
export const callbackSecretHash = (...secrets: readonly string[]): string =>
  secrets.map((secret) => sha256(secret).toString('hex')).join(',');

/** Whether one of the hashes is that of this secret. The check takes as long for a wrong secret as for a right one. */
export const isCallbackSecret = (sent: string, hashes: string): boolean => {
  const digest = sha256(sent);
  const matches = hashes.split(',').map((hash) => timingSafeEqual(digest, Buffer.from(hash, 'hex')));
  return matches.includes(true);
};

/** A part of a path that may be a callback secret, behind a slash as it is or as a form writes it. */
const pathPart = /(?<=\/|%2F|%252F)[\w.~-]{16,128}(?![\w.~-])/gi;

/** Replaces the callback secrets in addresses that somebody wrote. Only their hashes are known. */
export const redactCallbackSecrets = (text: string, hashes: string | undefined, replacement: string): string =>
  hashes === undefined ? text : text.replace(pathPart, (part) => (isCallbackSecret(part, hashes) ? replacement : part));
