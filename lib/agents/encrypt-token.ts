import { createCipheriv, createDecipheriv, createHmac, hkdfSync } from 'node:crypto';

/**
 * A token is shared between runs through a table, and must not be in one: only who has the account's key, and so could
 * get a token anyway, can open what is stored. AES-256-GCM, with a key derived from the account's. The nonce is derived
 * from the token, so that it never serves two of them.
 */
export const encryptToken = (token: string, apiKey: string): string => {
  const { cipherKey, nonceKey } = deriveKeys(apiKey);
  const nonce = createHmac('sha256', nonceKey).update(token).digest().subarray(0, nonceBytes);
  const cipher = createCipheriv(algorithm, cipherKey, nonce);
  const text = Buffer.concat([cipher.update(token, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), text]).toString('base64url');
};

/** The token, or undefined if it was sealed with another key or is damaged. */
export const decryptToken = (seal: string, apiKey: string): string | undefined => {
  const bytes = Buffer.from(seal, 'base64url');
  const nonce = bytes.subarray(0, nonceBytes);
  try {
    const decipher = createDecipheriv(algorithm, deriveKeys(apiKey).cipherKey, nonce, { authTagLength: tagBytes });
    decipher.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
    const text = decipher.update(bytes.subarray(nonceBytes + tagBytes));
    return Buffer.concat([text, decipher.final()]).toString('utf8');
  } catch {
    return undefined;
  }
};

const algorithm = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;

const deriveKeys = (apiKey: string) => {
  const derived = Buffer.from(hkdfSync('sha256', apiKey, '', 'callfeed token', 64));
  return { cipherKey: derived.subarray(0, 32), nonceKey: derived.subarray(32) };
};
