import { timingSafeEqual } from 'node:crypto';
import * as z from 'zod/mini';
import { sha256 } from '../core/encoding.ts';

const secretHint = 'must be 16 to 128 characters that need no escape in an address: A-Z a-z 0-9 - . _ ~';

/** The secret part of the callback address. Only the telephony service is given that address. */
export const CallbackSecret = z.string(secretHint).check(z.regex(/^[A-Za-z0-9._~-]{16,128}$/, secretHint));

/** Deployed in place of the secrets. */
export const callbackSecretHash = (...secrets: readonly string[]): string =>
  secrets.map((secret) => sha256(secret).toString('hex')).join(',');

/** The check takes as long for a wrong secret as for a right one. */
export const isCallbackSecret = (sent: string, hashes: string): boolean => {
  const digest = sha256(sent);
  const matches = hashes.split(',').map((hash) => timingSafeEqual(digest, Buffer.from(hash, 'hex')));
  return matches.includes(true);
};

/** A part of a path that may be a callback secret, behind a slash. A form or an address may have encoded any character of it. */
const pathPart =
  /(?<=\/|%(?:25){0,2}2F)(?:[\w.~-]|%(?:25){0,2}(?:2[DE]|3\d|[46][1-9A-F]|[57][\dA]|5F|7E)){16,128}(?![\w.~-])/gi;

/** Replaces the callback secrets in addresses that somebody wrote. Only their hashes are known. */
export const redactCallbackSecrets = (text: string, hashes: string | undefined, mask: string): string =>
  hashes === undefined
    ? text
    : text.replace(pathPart, (part) => {
        const secret = part.replace(/%(?:25)*(..)/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
        return isCallbackSecret(secret, hashes) ? mask : part;
      });
