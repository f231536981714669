import { type ClientRequest, Agent as HttpAgent, type IncomingMessage, request as overHttp } from 'node:http';
import { Agent as HttpsAgent, request as overHttps } from 'node:https';
import { pipeline } from 'node:stream';
import { fail, ok, type Result } from '../../lib/core/result.ts';
import type { ReportService } from '../../lib/reconcile/call-report.ts';
import type {
  ServiceFailure,
  ServiceProblem,
  ServiceRequest,
  ServiceResponse,
  TelephonyService,
} from '../../lib/telephony/service/service.ts';

/** How long a request may take, body included, and how large its answer may be after decompression. */
export interface TelephonyHttpSettings {
  readonly timeoutMs: number;
  readonly maxBytes?: number;
}

/** Some 80,000 agents. */
const defaultMaxBytes = 16 * 1024 * 1024;

/**
 * Connections stay open for the next request of the same run. An idle one is closed before the next run: while Lambda
 * holds a function still, the service may close it unnoticed.
 */
const keptOpen = { keepAlive: true, timeout: 4_000 };
const httpAgents = { 'http:': new HttpAgent(keptOpen), 'https:': new HttpsAgent(keptOpen) };

/**
 * The telephony service over HTTP. A failure has a reason and no error: the error's message can hold the headers, and so
 * the credentials. A redirect is not followed: the credentials would go to another address.
 *
 * Not `fetch`, because Node loads a whole HTTP client at its first use, which takes as long as the rest of a cold start.
 * The call report is also a GET with a body, which `fetch` refuses to send.
 */
export const telephonyHttp = (settings: TelephonyHttpSettings): TelephonyService & ReportService => ({
  post: (request) => answerTo('POST', request, settings),
  get: (request) => answerTo('GET', request, settings),
});

type Answer = Result<ServiceResponse, ServiceFailure>;

const answerTo = (
  method: string,
  request: ServiceRequest,
  { timeoutMs, maxBytes = defaultMaxBytes }: TelephonyHttpSettings,
): Promise<Answer> =>
  new Promise((resolve) => {
    const signal = AbortSignal.timeout(timeoutMs);
    const failed = (error?: NodeJS.ErrnoException) =>
      resolve(fail({ reason: signal.aborted ? 'timeout' : 'connection', isUnsent: isUnsent(error?.syscall) }));
    try {
      const sent = send(method, request, signal);
      sent.on('error', failed);
      sent.on('response', (response) => {
        // From here on the response fails if it is not whole. Bytes that follow a whole one are an error of the request.
        sent.off('error', failed).on('error', () => undefined);
        readAnswer(response, maxBytes, sent).then(resolve, failed);
      });
      // Another protocol: nobody asked for one.
      sent.on('upgrade', (_response, socket) => {
        socket.destroy();
        failed();
      });
      sent.end(request.body);
    } catch {
      resolve(fail({ reason: 'unsendable', isUnsent: true }));
    }
  });

/** Whether an error came before there was a connection. */
const isUnsent = (syscall = ''): true | undefined => /^(?:connect|getaddrinfo)$/.test(syscall) || undefined;

/** Throws if the address is not HTTP or holds credentials, or a header is not valid in HTTP. */
const send = (method: string, { url, headers, body }: ServiceRequest, signal: AbortSignal): ClientRequest => {
  const { protocol, username, password } = new URL(url);
  if (`${username}${password}` !== '') throw new TypeError('The address holds credentials');
  const options = {
    method,
    headers: { ...headers, 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) },
    signal,
  };
  return protocol === 'https:'
    ? overHttps(url, { ...options, agent: httpAgents[protocol] })
    : overHttp(url, { ...options, agent: httpAgents['http:'] });
};

const readAnswer = async (response: IncomingMessage, maxBytes: number, sent: ClientRequest): Promise<Answer> => {
  const { statusCode: status = 0, headers } = response;
  const end = (reason: ServiceProblem): Answer => {
    sent.destroy();
    return fail({ reason });
  };
  if (status >= 300 && status < 400) return end('redirect');

  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of decoded(response)) {
    bytes += chunk.length;
    if (bytes > maxBytes) return end('too-large');
    chunks.push(chunk);
  }
  const text = new TextDecoder().decode(Buffer.concat(chunks));
  return ok({ status, text, retryAfterSeconds: retryAfterSeconds(headers) });
};

/** Node's decoders. Hardly any answer needs one, and to load them takes 1 % of a cold start. */
const zlib = () => process.getBuiltinModule('node:zlib');

/** Reads what there is of an answer that breaks off. The parser of its JSON notices that the rest is missing. */
const toItsEnd = () => ({ flush: zlib().constants.Z_SYNC_FLUSH, finishFlush: zlib().constants.Z_SYNC_FLUSH });

/** The decoders by encoding. We ask for none of them, but proxies compress without being asked. */
const decoders = new Map([
  ['gzip', () => zlib().createGunzip(toItsEnd())],
  ['x-gzip', () => zlib().createGunzip(toItsEnd())],
  ['deflate', () => zlib().createInflate(toItsEnd())],
  ['br', () => zlib().createBrotliDecompress()],
]);

/**
 * The body without its encoding. A body with an unknown encoding, or with several, is read as it is. To decode twice
 * could take any time before a byte counts towards the limit.
 */
const decoded = (response: IncomingMessage): AsyncIterable<Buffer> => {
  const encoding = (response.headers['content-encoding'] ?? '').trim().toLowerCase();
  const decoder = decoders.get(encoding)?.();
  if (decoder === undefined) return response;
  // The callback only prevents an exception: the reader of the last stream gets the error too.
  pipeline(response, decoder, () => undefined);
  return decoder;
};

/**
 * The Retry-After header in seconds, or undefined if it cannot be parsed. A date is relative to the Date header: the
 * sender's clock may differ from ours.
 */
export const retryAfterSeconds = ({
  'retry-after': text = '',
  date = '',
}: Pick<IncomingMessage['headers'], 'retry-after' | 'date'>): number | undefined => {
  if (/^\d+$/.test(text)) return Number(text);

  const seconds = Math.ceil((httpDateMs(text) - httpDateMs(date)) / 1000);
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds);
};

/** `Date.parse` alone would accept almost any text. */
const httpDateMs = (text: string): number => (/^\w{3}, .* GMT$/.test(text) ? Date.parse(text) : Number.NaN);
