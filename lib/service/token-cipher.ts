import { createCipheriv, createDecipheriv, createHmac, hkdfSync } from 'node:crypto';

const algorithm = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;

/**
 * Encrypts a token for the shared table, with a key from the account's: who decrypts it could generate one anyway. The
 * nonce comes from the token: AES-GCM must never use one nonce for two texts.
 */
export const encryptToken = (token: string, apiKey: string): string => {
  const { cipherKey, nonceKey } = deriveKeys(apiKey);
  const nonce = createHmac('sha256', nonceKey).update(token).digest().subarray(0, nonceBytes);
  const cipher = createCipheriv(algorithm, cipherKey, nonce);
  const text = Buffer.concat([cipher.update(token, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), text]).toString('base64url');
};

/** The token, or undefined if it was encrypted with another key or is damaged. */
export const decryptToken = (encrypted: string, apiKey: string): string | undefined => {
  const bytes = Buffer.from(encrypted, 'base64url');
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

const deriveKeys = (apiKey: string) => {
  const derived = Buffer.from(hkdfSync('sha256', apiKey, '', 'callfeed token', 64));
  return { cipherKey: derived.subarray(0, 32), nonceKey: derived.subarray(32) };
};
