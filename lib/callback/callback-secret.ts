import { createHash, timingSafeEqual } from 'node:crypto';
import * as z from 'zod';

const error = 'must be 16 to 128 characters that need no escape in an address: A-Z a-z 0-9 - . _ ~';

/** The secret part of the address that only the service is given. */
export const CallbackSecret = z.string({ error }).regex(/^[A-Za-z0-9._~-]{16,128}$/, { error });

const digestOf = (secret: string): Buffer => createHash('sha256').update(secret).digest();

/** What is deployed in the secret's place: its SHA-256 in hexadecimal. */
export const callbackSecretHash = (secret: string): string => digestOf(secret).toString('hex');

/** Whether that is the secret of this hash. Takes as long for a wrong one as for the right one. */
export const isCallbackSecret = (sent: string, hash: string): boolean =>
  timingSafeEqual(digestOf(sent), Buffer.from(hash, 'hex'));
