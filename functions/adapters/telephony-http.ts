import { fail, ok, type Result } from '../../lib/core/result.ts';
import type {
  ReportService,
  ServiceFailure,
  ServiceRequest,
  ServiceResponse,
  TelephonyService,
} from '../../lib/service/service.ts';
import { type HttpAnswer, type HttpFailure, httpClient, unlessFault } from './http-client.ts';

/** Some 80,000 agents. */
const defaultMaxBytes = 16 * 1024 * 1024;

/** The telephony service over HTTP. A redirect is not followed: the credentials would go to another address. */
export const telephonyHttp = ({
  timeoutMs,
  maxBytes = defaultMaxBytes,
}: {
  readonly timeoutMs: number;
  /** Of the answer after decompression. */
  readonly maxBytes?: number;
}): TelephonyService & ReportService => {
  const ask = httpClient({
    wholeMs: timeoutMs,
    maxBytes,
    checkUrl: checkedUrl,
    decodes: true,
    reusesConnections: true,
  });
  const send = async (
    method: string,
    { url, headers, body }: ServiceRequest,
  ): Promise<Result<ServiceResponse, ServiceFailure>> => {
    const answer = await ask(url, { method, headers: { ...headers, 'Content-Type': 'application/json' }, body });
    if (!answer.ok) return failureOf(answer.problem);
    const { status, headers: head, discard } = answer.value;
    if (status >= 300 && status < 400) {
      discard();
      return fail({ reason: 'redirect' });
    }
    const read = await unlessFault(wholeOf(answer.value));
    if (!read.ok) return failureOf(read.problem);
    return ok({ status, text: new TextDecoder().decode(read.value), retryAfterSeconds: retryAfterSeconds(head) });
  };
  return { post: (request) => send('POST', request), get: (request) => send('GET', request) };
};

const checkedUrl = (address: string): Result<URL, 'unsendable'> => {
  const url = URL.parse(address);
  return url === null || `${url.username}${url.password}` !== '' ? fail('unsendable') : ok(url);
};

const wholeOf = async ({ body }: HttpAnswer): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks);
};

const failureOf = ({ problem, isUnsent }: HttpFailure): Result<never, ServiceFailure> => {
  const reason = problem === 'unsendable' || problem === 'timeout' || problem === 'too-large' ? problem : 'connection';
  return fail({ reason, isUnsent });
};

/** Retry-After in seconds, if it can be parsed. A date is relative to the Date header: the clocks may differ. */
export const retryAfterSeconds = ({
  'retry-after': text = '',
  date = '',
}: Pick<HttpAnswer['headers'], 'retry-after' | 'date'>): number | undefined => {
  if (/^\d+$/.test(text)) return Number(text);

  const seconds = Math.ceil((httpDateMs(text) - httpDateMs(date)) / 1000);
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds);
};

/** `Date.parse` alone would accept almost any text. */
const httpDateMs = (text: string): number => (/^\w{3}, .* GMT$/.test(text) ? Date.parse(text) : Number.NaN);
