import { redactedText } from '../../lib/accounts/redact-secrets.ts';
import { fail, ok, type Result } from '../../lib/core/result.ts';
import type { lastingProblems } from '../../lib/recordings/schema.ts';

/**
 * The URL of a recording, if it may be asked for: https, one of the hosts, and nothing besides host, path and query. A
 * redirect's target is checked likewise. What its host's name leads to is checked when it is connected to.
 */
export const checkedUrl = (text: string, hosts: readonly string[]): Result<URL, keyof typeof lastingProblems> => {
  if (!URL.canParse(text)) return fail('not-a-url');
  const url = new URL(text);
  if (url.protocol !== 'https:') return fail('not-https');
  if (url.username !== '' || url.password !== '') return fail('user-info');
  if (url.port !== '') return fail('other-port');
  if (!hosts.includes(url.hostname)) return fail('other-host');
  // The key was in the address that the service sent. Callfeed stores no key, and sends none.
  return text.includes(redactedText) ? fail('key-removed') : ok(url);
};

/**
 * The media type under which a recording is stored and served: what its host named, if that is a plain type of audio or video.
 * A browser would run what another type holds, and reads any `+xml` as a document.
 */
export const recordingType = (named: string | undefined): string =>
  /^(?:audio|video)\/[a-z\d.-]{1,100}(?=$|[\s;,])/i.exec(named ?? '')?.[0].toLowerCase() ?? 'application/octet-stream';
