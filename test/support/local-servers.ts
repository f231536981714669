import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { once } from 'node:events';
import { createServer as createHttpServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, connect, createServer, type Socket, type Server as TcpServer } from 'node:net';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { onTestFinished } from 'vitest';
import { localClient } from '../../sandbox/frame/local-aws.ts';
import { type Handle, type Served, serve } from '../../sandbox/frame/serve.ts';

/** The parts of a request that a test sets; the rest is as API Gateway sets it. */
export interface Request {
  readonly method?: string;
  readonly path?: string;
  readonly secret?: string;
  readonly query?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string | Buffer;
}

const formType = 'application/x-www-form-urlencoded';

/** API Gateway passes text and JSON as text, and everything else, such as forms, as base64. */
const isText = (contentType: string) => /^(text\/|application\/(json|xml|javascript))/.test(contentType);

/** A request as an HTTP API passes it to a function (payload format 2.0). */
export const httpApiEvent = (request: Request): APIGatewayProxyEventV2 => {
  const { method = 'POST', secret, query = '', headers = { 'content-type': formType }, body } = request;
  const { path: rawPath = secret === undefined ? '/callDetails' : `/${secret}/callDetails` } = request;
  const routeKey = '$default';
  const asText = isText(headers['content-type'] ?? '');
  return {
    version: '2.0',
    routeKey,
    rawPath,
    rawQueryString: query,
    headers,
    requestContext: {
      accountId: '000000000000',
      apiId: 'api',
      domainName: 'api.invalid',
      domainPrefix: 'api',
      http: { method, path: rawPath, protocol: 'HTTP/1.1', sourceIp: '192.0.2.1', userAgent: 'test' },
      requestId: 'request',
      routeKey,
      stage: '$default',
      time: '20/Nov/2026:06:00:00 +0000',
      timeEpoch: 1_795_154_400_000,
    },
    ...(body !== undefined && { body: asText ? body.toString() : Buffer.from(body).toString('base64') }),
    isBase64Encoded: body !== undefined && !asText,
  };
};

/** The body of the service's posts: one form field `data`. */
export const formOf = (data: unknown): string =>
  `data=${encodeURIComponent(typeof data === 'string' ? data : JSON.stringify(data))}`;

/** Listens at a free port. */
export const urlOf = async (server: TcpServer): Promise<string> => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

/** An HTTP server with its address. It closes after the running test. */
export const startHttpServer = async (listener: RequestListener): Promise<{ readonly url: string; server: Server }> => {
  const server = createHttpServer(listener);
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: await urlOf(server), server };
};

/** The address of a TCP server that answers with any bytes or none. It closes after the running test. */
export const startTcpServer = async (onRequest: (socket: Socket) => void): Promise<string> => {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => undefined));
    socket.once('data', () => onRequest(socket));
  });
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return urlOf(server);
};

/** Serves a local AWS endpoint. `client` has settings for an AWS client that does not retry. */
export const serveForTest = async (
  handle: Handle,
): Promise<Served & { readonly client: ReturnType<typeof localClient> & { readonly maxAttempts: 1 } }> => {
  const served = await serve(handle);

  return { ...served, client: { ...localClient(served.url), maxAttempts: 1 } };
};

/** Whether a program on this machine listens on a port. */
export const isListening = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' });
    const end = (answer: boolean): void => {
      socket.destroy();
      resolve(answer);
    };
    socket.once('connect', () => end(true));
    socket.once('error', () => end(false));
  });

/** An element of DER: its tag, its length and its content. */
const der = (tag: number, ...parts: readonly (Buffer | string)[]): Buffer => {
  const content = Buffer.concat(parts.map((part) => Buffer.from(part)));
  const { length } = content;
  const long = Buffer.from(length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255]);
  return Buffer.concat([Buffer.from([tag]), length < 128 ? Buffer.from([length]) : long, content]);
};

const sequence = (...parts: readonly Buffer[]): Buffer => der(0x30, ...parts);
const oid = (hex: string): Buffer => der(0x06, Buffer.from(hex, 'hex'));
const utf8 = (text: string): Buffer => der(0x0c, text);

const ecdsaWithSha256 = sequence(oid('2a8648ce3d040302'));
const commonName = oid('550403');
const alternativeNames = oid('551d11');
const basicConstraints = oid('551d13');

/** A key and a certificate that it signs itself, for these names of hosts. */
export const certificateFor = (...hosts: readonly string[]): { readonly key: string; readonly cert: string } => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const name = sequence(der(0x31, sequence(commonName, utf8('test'))));
  const validity = sequence(der(0x17, '200101000000Z'), der(0x17, '491231235959Z'));
  const names = sequence(...hosts.map((host) => der(0x82, host)));
  const extensions = sequence(
    sequence(basicConstraints, der(0x04, sequence(der(0x01, Buffer.from([0xff]))))),
    sequence(alternativeNames, der(0x04, names)),
  );
  const certificate = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1])),
    ecdsaWithSha256,
    name,
    validity,
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, extensions),
  );
  const signature = der(0x03, Buffer.from([0]), sign('sha256', certificate, privateKey));
  const cert = pem('CERTIFICATE', sequence(certificate, ecdsaWithSha256, signature));
  return { key: keyText(privateKey), cert };
};

const keyText = (key: KeyObject): string => String(key.export({ type: 'pkcs8', format: 'pem' }));

const pem = (label: string, bytes: Buffer): string =>
  `-----BEGIN ${label}-----\n${bytes.toString('base64').replace(/.{64}/g, '$&\n')}\n-----END ${label}-----\n`;
