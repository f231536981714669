import { type ClientRequest, Agent as HttpAgent, type IncomingMessage, request as overHttp } from 'node:http';
import { Agent as HttpsAgent, request as overHttps } from 'node:https';
import type { LookupFunction } from 'node:net';
import { pipeline } from 'node:stream';
import { constants, createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { fail, ok, type Result } from '../../lib/core/result.ts';

export type HttpProblem =
  | 'unsendable'
  | 'private-address'
  | 'connection'
  | 'timeout'
  | 'shorter'
  | 'too-large'
  | 'redirected-too-often';

/** Ends the reading of an answer. It has nothing of Node's error, whose message can hold the address and the headers. */
export class HttpFault extends Error {
  override readonly name = 'HttpFault';
  readonly problem: HttpProblem;
  readonly isUnsent: true | undefined;

  constructor(problem: HttpProblem, isUnsent?: true) {
    super(problem);
    this.problem = problem;
    this.isUnsent = isUnsent;
  }
}

/** How a connection comes about, where it is not simply one to the host of the URL. */
export interface HttpRoute {
  /** Resolves the host's name. The connection goes to an address of its answer, and nobody resolves the name again. */
  readonly lookup?: LookupFunction;
  readonly port?: number;
  /** Trusted in place of the public authorities. */
  readonly ca?: string;
  /** An address of plain HTTP that gets all requests, whatever their host: an emulator of AWS serves recordings there. */
  readonly through?: string;
}

interface HttpSettings<Refusal extends string> {
  /** For the whole, with all redirects and the body, in milliseconds. */
  readonly wholeMs: number;
  readonly connectMs?: number;
  /** How long the other side may send nothing. The time of a slow reader does not count. */
  readonly silenceMs?: number;
  readonly maxBytes?: number;
  /** Refuses an address before anything is sent there, and likewise the target of each redirect. */
  readonly checkUrl: (address: string) => Result<URL, Refusal>;
  /** Without it a redirect is an answer like any other. */
  readonly maxRedirects?: number;
  readonly decodes?: boolean;
  readonly reusesConnections?: boolean;
  readonly route?: HttpRoute;
}

interface HttpRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  /** Throws an `HttpFault` if not all of it comes. */
  readonly body: AsyncGenerator<Buffer>;
  readonly discard: () => void;
  /** Whether the connection broke. What has no length ends then as if it were whole, and only a reader of JSON would notice. */
  readonly isBroken: () => boolean;
}

export interface HttpFailure<Problem extends string = HttpProblem> {
  readonly problem: Problem;
  /** No connection was made. */
  readonly isUnsent?: true | undefined;
}

/**
 * A client over HTTP and HTTPS. Every problem up to the head of the answer is a result.
 * Not `fetch`: its first use takes as long as the rest of a cold start, and it refuses the call report's GET with a body.
 */
export const httpClient =
  <Refusal extends string>(settings: HttpSettings<Refusal>) =>
  async (address: string, request: HttpRequest): Promise<Result<HttpAnswer, HttpFailure<HttpProblem | Refusal>>> => {
    const whole = AbortSignal.timeout(settings.wholeMs);
    let from = address;
    try {
      for (let redirects = 0; ; redirects += 1) {
        const url = settings.checkUrl(from);
        if (!url.ok) return fail({ problem: url.problem, isUnsent: true });
        const response = await headOf(send(url.value, request, settings, whole), settings, whole);
        const { statusCode: status = 0, headers } = response;
        const location = redirectOf(response, settings);
        const discard = () => void response.destroy();
        if (location === undefined) {
          const isBroken = () => response.socket.errored !== null;
          return ok({ status, headers, body: bodyOf(response, settings, whole), discard, isBroken });
        }
        discard();
        if (redirects === settings.maxRedirects) return fail({ problem: 'redirected-too-often' });
        from = URL.parse(location, from)?.href ?? location;
      }
    } catch (error) {
      return failureOf(error);
    }
  };

const failureOf = (error: unknown): Result<never, HttpFailure> => {
  if (error instanceof HttpFault) return fail({ problem: error.problem, isUnsent: error.isUnsent });
  throw error;
};

export const unlessFault = async <Value>(work: Promise<Value>): Promise<Result<Value, HttpFailure>> => {
  try {
    return ok(await work);
  } catch (error) {
    return failureOf(error);
  }
};

/** Closed before a function's next run: the other side may close it unnoticed while Lambda holds the function. */
const keptOpen = { keepAlive: true, timeout: 4_000 };
const agents = { http: new HttpAgent(keptOpen), https: new HttpsAgent(keptOpen) };

const send = (
  url: URL,
  { method, headers, body }: HttpRequest,
  { route: { through, lookup, ...route } = {}, reusesConnections = false }: HttpSettings<string>,
  signal: AbortSignal,
): ClientRequest => {
  const address = through === undefined ? url : new URL(through);
  const options = {
    ...route,
    method,
    signal,
    path: `${url.pathname}${url.search}`,
    // With a look-up of its own, the name of the certificate is the host's, even where a proxy is set for the process.
    ...(lookup !== undefined && { lookup, servername: url.hostname }),
    headers: {
      ...headers,
      ...(body !== undefined && { 'Content-Length': Buffer.byteLength(body) }),
      Host: url.host,
    },
  };
  try {
    const sent =
      address.protocol === 'https:'
        ? overHttps(address, { ...options, agent: reusesConnections && agents.https })
        : overHttp(address, { ...options, agent: reusesConnections && agents.http });
    return sent.end(body);
  } catch {
    // Another protocol, or a header that is not valid in HTTP.
    throw new HttpFault('unsendable', true);
  }
};

const headOf = (request: ClientRequest, { connectMs, silenceMs }: HttpSettings<string>, whole: AbortSignal) =>
  new Promise<IncomingMessage>((resolve, reject) => {
    const after = (ms: number | undefined) =>
      ms === undefined ? undefined : setTimeout(() => request.destroy(new HttpFault('timeout')), ms);
    const connecting = after(connectMs);
    const silence = after(silenceMs);
    const end = () => [connecting, silence].forEach(clearTimeout);
    request.once('socket', (socket) => {
      const connected = 'encrypted' in socket ? 'secureConnect' : 'connect';
      if (socket.connecting) socket.once(connected, () => clearTimeout(connecting));
      else clearTimeout(connecting);
    });
    // Stays for errors after the answer's head, which the reader of the body gets too.
    request.on('error', (error) => reject(faultOf(error, whole)));
    // A connection that is closed without an answer need not be an error.
    request.on('close', () => {
      end();
      reject(faultOf(undefined, whole));
    });
    request.on('response', (response) => {
      end();
      resolve(response);
    });
  });

const redirectOf = ({ statusCode = 0, headers }: IncomingMessage, { maxRedirects }: HttpSettings<string>) =>
  maxRedirects !== undefined && [301, 302, 303, 307, 308].includes(statusCode) ? headers.location : undefined;

async function* bodyOf(
  response: IncomingMessage,
  { silenceMs, maxBytes = Number.POSITIVE_INFINITY, decodes = false }: HttpSettings<string>,
  whole: AbortSignal,
): AsyncGenerator<Buffer> {
  const chunks = (decodes ? decoded(response) : response)[Symbol.asyncIterator]();
  const next = async () => {
    if (silenceMs === undefined) return chunks.next();
    const silence = setTimeout(() => response.destroy(new HttpFault('timeout')), silenceMs);
    return chunks.next().finally(() => clearTimeout(silence));
  };
  let bytes = 0;
  try {
    for (;;) {
      const { value, done } = await next();
      // Our own time limit closes the connection, which ends an answer without a length like one that is whole.
      if (done && whole.aborted) throw new HttpFault('timeout');
      if (done) break;
      bytes += value.length;
      if (bytes > maxBytes) throw new HttpFault('too-large');
      yield value;
    }
  } catch (error) {
    const fault = faultOf(error, whole);
    // Node compares what came with what was announced.
    const isShorter = fault.problem === 'connection' && response.headers['content-length'] !== undefined;
    throw isShorter ? new HttpFault('shorter') : fault;
  } finally {
    response.destroy();
  }
}

const faultOf = (error: unknown, whole: AbortSignal): HttpFault => {
  if (error instanceof HttpFault && !whole.aborted) return error;
  const call = error instanceof Error && 'syscall' in error ? error.syscall : undefined;
  const isUnsent = call === 'connect' || call === 'getaddrinfo';
  return new HttpFault(whole.aborted ? 'timeout' : 'connection', isUnsent || undefined);
};

/** Reads what there is of an answer that breaks off. The parser of its JSON notices that the rest is missing. */
const toItsEnd = { flush: constants.Z_SYNC_FLUSH, finishFlush: constants.Z_SYNC_FLUSH };

/** We ask for none of them, but proxies compress without being asked. */
const decoders = new Map([
  ['gzip', () => createGunzip(toItsEnd)],
  ['x-gzip', () => createGunzip(toItsEnd)],
  ['deflate', () => createInflate(toItsEnd)],
  ['br', () => createBrotliDecompress()],
]);

/** As it is under an unknown or several encodings: decoding twice could take any time before a byte counts. */
const decoded = (response: IncomingMessage): AsyncIterable<Buffer> => {
  const encoding = (response.headers['content-encoding'] ?? '').trim().toLowerCase();
  const decoder = decoders.get(encoding)?.();
  if (decoder === undefined) return response;
  // The callback only prevents an exception: the reader of the last stream gets the error too.
  pipeline(response, decoder, () => undefined);
  return decoder;
};
