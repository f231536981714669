import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type ServerResponse,
} from 'node:http';
import { listen, localHost, type Port } from './listen.ts';

/** A request with its body. `path` includes the query. */
export interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** The response to a request. */
export interface Answer {
  readonly status: number;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string | Uint8Array;
}

/** Answers one request. A rejection becomes a 500. */
export type Handle = (request: Received) => Promise<Answer>;

/** A listening endpoint. `close` drops open connections. */
export interface Served {
  readonly url: string;
  readonly port: number;
  close(): Promise<void>;
}

/** More than the largest AWS request that the sandbox accepts. */
const limitBytes = 32 * 1024 * 1024;

/** Names of this machine, the last one as containers on it say. */
const localName = /^(?:localhost|127\.0\.0\.1|\[::1\]|host\.docker\.internal)(?::\d+)?$/i;

/**
 * Whether another site's page may have sent a request. It can do that from a browser on this machine; and under a name of its
 * own that leads here, it could read the answer.
 */
export const isForeign = ({ host = '', origin }: IncomingHttpHeaders): boolean =>
  !localName.test(host) || (origin !== undefined && !localName.test(origin.replace(/^https?:\/\//, '')));

/** Tells whoever is at work on this machine how to ask. */
const foreignAnswer: Answer = {
  status: 403,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ message: 'Only this machine may ask, by the address that the sandbox prints.' }),
};

/** Answers a request of this machine by `handle`. */
export const answerRequest = async (
  handle: Handle,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> => {
  const { method = 'GET', url: path = '/', headers } = request;
  if (isForeign(headers)) return writeAnswer(response, foreignAnswer);
  const body = await readBody(request, limitBytes);
  return writeAnswer(response, body === undefined ? { status: 413 } : await handle({ method, path, headers, body }));
};

/** Serves `handle` to this machine only. */
export const serve = async (handle: Handle, port: Port = { number: 0, flag: 'port' }): Promise<Served> => {
  const server = createServer(async (request, response) => {
    try {
      await answerRequest(handle, request, response);
    } catch {
      if (!response.headersSent) writeAnswer(response, { status: 500 });
    }
  });
  const number = await listen(server, port);

  return {
    url: `http://${localHost}:${number}`,
    port: number,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
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

/** Sends an answer. Node omits the body for HEAD requests; `content-length` is still sent. */
export const writeAnswer = (response: ServerResponse, { status, headers = {}, body = '' }: Answer): void => {
  response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) }).end(body);
};

/** A JSON answer on one line. With `indent` it is formatted for people. */
export const jsonAnswer = (status: number, body: unknown, indent = 0): Answer => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: `${JSON.stringify(body, null, indent)}\n`,
});

/** A JSON answer, indented for people. */
export const prettyJson = (status: number, body: unknown): Answer => jsonAnswer(status, body, 2);
