import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type ServerResponse,
} from 'node:http';
import { Readable } from 'node:stream';
import { finished, pipeline } from 'node:stream/promises';
import type * as z from 'zod';
import { within } from './lifecycle.ts';
import { listen, localHost, type Port } from './listen.ts';

export interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** An answer that streams without end must end when this aborts. */
  readonly closing?: AbortSignal;
}

export interface Answer {
  readonly status: number;
  /** The headers have the `content-length` of a stream, if that is known. */
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string | Uint8Array | Readable;
}

export type Handle = (request: Received) => Promise<Answer>;

/** Answers one request. A rejection becomes a 500. A response that streams must end when `closing` aborts. */
export type Respond = (request: IncomingMessage, response: ServerResponse, closing: AbortSignal) => Promise<void>;

/** A listening endpoint. `close` stops accepting requests, and drops the connections of those that do not end in time. */
export interface Served {
  readonly url: string;
  readonly port: number;
  close(): Promise<void>;
}

/** More than the largest AWS request that the sandbox accepts. S3 allows parts of up to 5 GB; those of the SDK have 5 MB. */
const limitBytes = 64 * 1024 * 1024;

/** Names of this machine, the last one as containers on it say. */
const localName = /^(?:localhost|127\.0\.0\.1|\[::1\]|host\.docker\.internal)(?::\d+)?$/i;

/**
 * Whether a page asks that is not the server's own. Its browser sends the page's origin, or marks a request without one; the
 * host is that of a site whose name leads here. Programs send neither.
 */
export const isForeign = ({ host = '', origin, 'sec-fetch-site': site = 'none' }: IncomingHttpHeaders): boolean =>
  !localName.test(host) ||
  (origin !== undefined && origin !== `http://${host}`) ||
  (site !== 'none' && site !== 'same-origin');

const onlyHere =
  'Only programs on this machine may ask, by the address that the sandbox prints, and no page of another address.';

export const answerRequest = async (
  handle: Handle,
  request: IncomingMessage,
  response: ServerResponse,
  closing?: AbortSignal,
): Promise<void> => {
  const { method = 'GET', url: path = '/', headers } = request;
  if (isForeign(headers)) return writeAnswer(response, jsonAnswer(403, { message: onlyHere }));
  const body = await readBody(request, limitBytes);
  if (body === undefined) return writeAnswer(response, { status: 413 });
  return writeAnswer(response, await handle({ method, path, headers, body, ...(closing && { closing }) }));
};

export const serve = (handle: Handle, port: Port = { number: 0, flag: 'port' }): Promise<Served> =>
  startServer(port, (...request) => answerRequest(handle, ...request));

/** How much longer than it says a server keeps an idle connection, in milliseconds, so that a busy client can end it first. */
const keepAliveTimeoutBuffer = 60_000;

/** Listens on this machine only. `close` gives running requests the grace to end; without any their connections drop at once. */
export const startServer = async (port: Port, respond: Respond, graceMilliseconds = 0): Promise<Served> => {
  const running = new Set<Promise<void>>();
  const closing = new AbortController();

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    try {
      await respond(request, response, closing.signal);
    } catch {
      if (!response.headersSent) await writeAnswer(response, jsonAnswer(500, { message: 'Internal Server Error' }));
    }
    await finished(response).catch(() => undefined);
  };
  const server = createServer({ keepAliveTimeoutBuffer }, (request, response) => {
    const work = answer(request, response).finally(() => running.delete(work));
    running.add(work);
  });
  const number = await listen(server, port);

  return {
    url: `http://${localHost}:${number}`,
    port: number,
    async close() {
      closing.abort();
      const closed = new Promise((resolve) => server.close(resolve));
      if (graceMilliseconds > 0) await within(graceMilliseconds, Promise.all(running));
      server.closeAllConnections();
      await closed;
    },
  };
};

/** The whole body, or undefined once it exceeds `limitBytes`. The rest is then read and discarded. */
export const readBody = (request: IncomingMessage, limitBytes: number): Promise<Buffer | undefined> =>
  new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    request.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length <= limitBytes) chunks.push(chunk);
      else resolve(undefined);
    });
    request.once('end', () => resolve(Buffer.concat(chunks)));
    request.once('error', reject);
  });

/** Node omits the body for HEAD requests; `content-length` is still sent. */
export const writeAnswer = async (
  response: ServerResponse,
  { status, headers = {}, body = '' }: Answer,
): Promise<void> => {
  if (body instanceof Readable) {
    response.writeHead(status, headers).flushHeaders();
    return await pipeline(body, response);
  }
  response.writeHead(status, { 'content-length': Buffer.byteLength(body), ...headers }).end(body);
};

export const jsonAnswer = (status: number, body: unknown, indent = 0): Answer => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: `${JSON.stringify(body, null, indent)}\n`,
});

export const prettyJson = (status: number, body: unknown): Answer => jsonAnswer(status, body, 2);

export interface Asked {
  readonly body: string;
  readonly query: URLSearchParams;
  readonly name: string;
  readonly closing: AbortSignal | undefined;
}

export type Route = (asked: Asked) => Answer | Promise<Answer>;

export type Routes = Readonly<Record<string, Route>>;

/** So many bytes have room for a script of more than ten thousand agents. */
const scriptBytes = 8 * 1024 * 1024;

export const routed = (routes: Routes, notFound: Answer): Handle => {
  const patterns = Object.entries(routes).map(
    ([name, route]) => [new RegExp(`^${name.replace(/\{\w+\}/, '([^/]+)')}$`), route] as const,
  );

  return async ({ method, path, body, closing }) => {
    const { pathname, searchParams: query } = new URL(path, 'http://sandbox');
    const requested = `${method === 'HEAD' ? 'GET' : method} ${pathname}`;
    const [pattern, route] = patterns.find(([known]) => known.test(requested)) ?? [];
    if (pattern === undefined || route === undefined) return notFound;
    if (body.length > scriptBytes)
      return jsonAnswer(413, { status: 'error', message: `The body must not exceed ${scriptBytes} bytes.` });

    const [, name = ''] = pattern.exec(requested) ?? [];
    return await route({ body: body.toString(), query, name: decodedOr(name), closing });
  };
};

/** A name with a wrong escape is taken as it is written. */
const decodedOr = (name: string): string => {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
};

/** What is wrong with a body and where. It repeats no value. */
export const problemsOf = ({ issues }: z.ZodError): string =>
  issues.map(({ path, message }) => `${path.join('.') || 'body'}: ${message}`).join('; ');
