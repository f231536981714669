import { createCipheriv, createDecipheriv, createHmac, hkdfSync } from 'node:crypto';
import { type PolledAccount, pollingKey } from '../../accounts/accounts.ts';
import { isJsonObject, type Json, parseJsonWithoutBadParts } from '../../core/json.ts';
import { fail, ok, type Result } from '../../core/result.ts';
import {
  isFailure,
  messageOf,
  operationUrl,
  problemOf,
  problemWithoutContent,
  requestBody,
  type ServiceFailure,
  type ServiceProblem,
  type ServiceRequest,
  type ServiceResponse,
} from './service.ts';

/** The service's documentation has these. The specification leaves them open, so an account may configure others. */
const exchangeDefaults = { path: '/ca_apis/CAToken/generateToken', header: 'apiKey', answerField: 'token' };

const exchangeSettings = ({ token }: PolledAccount) => ({
  ...exchangeDefaults,
  ...(token.kind === 'generate' &&
    Object.fromEntries(Object.entries(token).filter(([, value]) => value !== undefined))),
});

export const tokenRequest = (account: PolledAccount): ServiceRequest => {
  const { path, header } = exchangeSettings(account);
  return { url: operationUrl(account, path), headers: { [header]: pollingKey(account) }, body: requestBody(account) };
};

/** What fits into a header and does not exceed the header limit of common servers. */
const tokenPattern = /^[\x21-\x7e]{1,8000}$/;

/** The token in an answer, or why there is none. */
export const parseToken = (
  account: PolledAccount,
  { status, text, retryAfterSeconds }: ServiceResponse,
): Result<string, ServiceFailure> => {
  const json = parseJsonWithoutBadParts(text);
  const token = fieldIn(json, exchangeSettings(account).answerField);
  if (status < 300 && typeof token === 'string' && tokenPattern.test(token)) return ok(token);

  const message = messageOf(json, text);
  const problem = problemOf(status, message) ?? errorIn(json, message);
  const failed = (reason: ServiceProblem) => fail<ServiceFailure>({ reason, retryAfterSeconds });
  if (problem === 'rate-limited') return failed('token-limit');
  if (problem === 'unauthorised' || problem === 'unknown-error') return failed(problem);
  return failed(status >= 500 ? 'http-error' : 'no-token');
};

/** The error of an answer without a token. Only the message of an answer that failed is one. */
const errorIn = (json: Json | undefined, message: string): ServiceProblem =>
  isJsonObject(json) && isFailure(json) ? problemWithoutContent(message) : 'no-token';

const fieldIn = (value: Json | undefined, path: string): Json | undefined =>
  path
    .split('.')
    .reduce<Json | undefined>(
      (inner, name) => (isJsonObject(inner) && Object.hasOwn(inner, name) ? inner[name] : undefined),
      value,
    );

const algorithm = 'aes-256-gcm';

const nonceBytes = 12;

const tagBytes = 16;

/**
 * Encrypts a token for the table through which runs share it. The key is derived from the account's key, so only those
 * can decrypt a token who could generate one anyway. The nonce is derived from the token: AES-GCM must never use one
 * nonce for two texts.
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
