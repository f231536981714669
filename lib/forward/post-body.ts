import { redactedText } from '../accounts/known-secrets.ts';

const redacted = redactedText.replaceAll('*', String.raw`\*`);

/** A key that was replaced in its own field, and one in an address, as the query of a recording has it. */
const redactedField = new RegExp(String.raw`(api[_-]?key\s*"\s*:\s*)"${redacted}"`, 'gi');
const redactedParameter = new RegExp(`(api[_-]?key(?:=|%3D))${redacted}`, 'gi');

/** The account's key, and the form field beside `data` that held it, if one did. */
interface PostedKey {
  readonly key: string;
  readonly keyField?: string | undefined;
}

/**
 * The body of the service's post, from its text as it was stored: the form field `data`, with the key where it was.
 * Asterisks elsewhere stay, because the sender may have written them.
 * @example postBody('{"Apikey":"***"}', { key: 'KEY' }) // data=%7B%22Apikey%22%3A%22KEY%22%7D
 */
export const postBody = (asSent: string, { key, keyField }: PostedKey): string => {
  const text = asSent
    .replace(redactedField, (_field, before: string) => `${before}${JSON.stringify(key)}`)
    .replace(redactedParameter, (_parameter, before: string) => `${before}${encodeURIComponent(key)}`);
  const data = `data=${encodeURIComponent(text.toWellFormed())}`;
  return keyField === undefined ? data : `${data}&${encodeURIComponent(keyField)}=${encodeURIComponent(key)}`;
};
