import { hash, timingSafeEqual } from 'node:crypto';

const digestOf = (secret: string): Buffer => hash('sha256', secret, 'buffer');

/** What is deployed in the place of secrets: the SHA-256 of each in hexadecimal, with commas between. */
export const callbackSecretHash = (...secrets: readonly string[]): string =>
  secrets.map((secret) => digestOf(secret).toString('hex')).join(',');

/** Whether that is a secret of these hashes. Takes as long for a wrong one as for a right one. */
export const isCallbackSecret = (sent: string, hashes: string): boolean => {
  const digest = digestOf(sent);
  const fits = hashes.split(',').map((known) => timingSafeEqual(digest, Buffer.from(known, 'hex')));
  return fits.includes(true);
};
