import type { PollFailure, PollProblem } from '../../lib/agents/feed.ts';
import type { ServiceRequest, TelephonyService } from '../../lib/agents/get-agent-logins.ts';
import type { ServiceResponse } from '../../lib/agents/parse-agent-logins.ts';
import { fail, ok, type Result } from '../../lib/core/result.ts';

/**
 * The Retry-After header in seconds, or undefined if it cannot be parsed. A date is relative to the Date header: the
 * sender's clock may differ from ours.
 */
export const retryAfterSeconds = (headers: Headers): number | undefined => {
  const text = headers.get('retry-after') ?? '';
  if (/^\d+$/.test(text)) return Number(text);

  const seconds = Math.ceil((httpDateMs(text) - httpDateMs(headers.get('date') ?? '')) / 1000);
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds);
};

/** `Date.parse` alone would accept almost any text. */
const httpDateMs = (text: string): number => (/^\w{3}, .* GMT$/.test(text) ? Date.parse(text) : Number.NaN);

/** How long a request may take, body included, and how large its answer may be after decompression. */
export interface TelephonyHttpSettings {
  readonly timeoutMs: number;
  readonly maxBytes?: number;
}

/** Some 80,000 agents. */
const defaultMaxBytes = 16 * 1024 * 1024;

/**
 * The telephony service over HTTP, on connections that stay open as long as the service allows. A failure has a reason and
 * no error: the error's message can hold the headers, and so the credentials.
 */
export const telephonyHttp = ({ timeoutMs, maxBytes = defaultMaxBytes }: TelephonyHttpSettings): TelephonyService => ({
  async post(request) {
    const init = requestInit(request);
    if (init === undefined) return failed('unsendable');

    const signal = AbortSignal.timeout(timeoutMs);
    try {
      const response = await fetch(request.url, { ...init, signal });
      return await answerOf(response, maxBytes);
    } catch {
      return failed(signal.aborted ? 'timeout' : 'connection');
    }
  },
});

const failed = (reason: PollProblem) => fail<PollFailure>({ reason });

/** The request for `fetch`, or undefined if its URL is not HTTP, or its headers are not valid in HTTP. */
const requestInit = ({ url, headers, body }: ServiceRequest): RequestInit | undefined => {
  try {
    const { protocol, username, password } = new URL(url);
    if (!/^https?:$/.test(protocol) || `${username}${password}` !== '') return undefined;
    return {
      method: 'POST',
      headers: new Headers({ ...headers, 'Content-Type': 'application/json' }),
      body,
      redirect: 'manual',
    };
  } catch {
    return undefined;
  }
};

const answerOf = async (response: Response, maxBytes: number): Promise<Result<ServiceResponse, PollFailure>> => {
  const { status, headers, body } = response;
  if (status >= 300 && status < 400) {
    // A redirect is not followed: the credentials would go to another address.
    await body?.cancel();
    return failed('redirect');
  }

  const text = await textUpTo(maxBytes, body);
  return text === undefined ? failed('too-large') : ok({ status, text, retryAfterSeconds: retryAfterSeconds(headers) });
};

/** The body as text, or undefined if it is too large; the rest is then not read. Invalid UTF-8 becomes U+FFFD. */
const textUpTo = async (maxBytes: number, body: ReadableStream<Uint8Array> | null): Promise<string | undefined> => {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) return undefined;
    chunks.push(chunk);
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
};
