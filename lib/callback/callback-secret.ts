import { createHash, timingSafeEqual } from 'node:crypto';
import * as z from 'zod';

const error = 'must be 16 to 128 characters that need no escape in an address: A-Z a-z 0-9 - . _ ~';

/** The secret part of the address that only the service is given. */
export const CallbackSecret = z.string({ error }).regex(/^[A-Za-z0-9._~-]{16,128}$/, { error });

const digestOf = (secret: string): Buffer => createHash('sha256').update(secret).digest();

/** What is deployed in the place of secrets: the SHA-256 of each in hexadecimal, with commas between. */
export const callbackSecretHash = (...secrets: readonly string[]): string =>
  secrets.map((secret) => digestOf(secret).toString('hex')).join(',');

/** Whether that is a secret of these hashes. Takes as long for a wrong one as for a right one. */
export const isCallbackSecret = (sent: string, hashes: string): boolean => {
  const digest = digestOf(sent);
  const fits = hashes.split(',').map((hash) => timingSafeEqual(digest, Buffer.from(hash, 'hex')));
  return fits.includes(true);
};
