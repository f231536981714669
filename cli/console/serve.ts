import { randomBytes, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { sha256 } from '../../lib/core/encoding.ts';
import { tryParseJson } from '../../lib/core/json.ts';
import { connect } from '../frame/connect.ts';
import type { Feature } from '../frame/feature.ts';
import { Problem, problemOf } from '../frame/problem.ts';
import type { ConsoleSettings } from './accounts.ts';
import { type ConsoleApi, consoleApi } from './api.ts';
import { pageAssets } from './assets.ts';
import { StreamedAnswer } from './calls.ts';

/** Answers a request that is the console's, and resolves with whether it was. `closing` ends answers that stream. */
export type ConsoleHandler = (
  request: IncomingMessage,
  response: ServerResponse,
  closing: AbortSignal,
) => Promise<boolean>;

/** What is served, and where: below `/{token}/` if there is a token, which no other site can guess; otherwise at `/`. */
export interface HandlerSettings extends ConsoleSettings {
  readonly token?: string | undefined;
}

/** A token that nobody guesses: 144 bits. */
export const newToken = (): string => randomBytes(18).toString('base64url');

/** Serves a console on this machine only. Port 0 picks a free one. */
export const serveConsole = async (settings: HandlerSettings, port: number) => {
  const handle = consoleHandler(settings);
  const closing = new AbortController();
  // An idle connection is kept for a minute longer than it says, so that a busy client can end it first.
  const server = createServer({ keepAliveTimeoutBuffer: 60_000 }, async (request, response) => {
    try {
      if (!(await handle(request, response, closing.signal))) response.writeHead(404).end();
    } catch {
      if (!response.headersSent) response.writeHead(500);
      response.end();
    }
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(portProblem(error, port)));
    server.listen({ port, host: '127.0.0.1' }, resolve);
  });
  const address = server.address();
  const number = typeof address === 'object' && address !== null ? address.port : port;
  return {
    url: `http://127.0.0.1:${number}/${settings.token === undefined ? '' : `${settings.token}/`}`,
    close: () =>
      new Promise<void>((resolve) => {
        closing.abort();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};

export type ServedConsole = Awaited<ReturnType<typeof serveConsole>>;

const portProblem = (error: Error, port: number): Error =>
  'code' in error && (error.code === 'EADDRINUSE' || error.code === 'EACCES')
    ? new Problem(`Port ${port} cannot be used. Choose another with --port; 0 picks a free one.`)
    : error;

interface SandboxConsoleSettings {
  readonly features: readonly Feature[];
  readonly isPersonal: boolean;
}

/** The console of a sandbox, for the sandbox itself: personal fields are hidden unless they are invented and are to be shown. */
export const sandboxConsole = async (
  endpoint: string,
  { features, isPersonal }: SandboxConsoleSettings,
): Promise<ConsoleHandler> => {
  const location = { stack: '', endpoint };
  return consoleHandler({
    deployment: await connect(location),
    location,
    isPersonal,
    features,
    clock: () => new Date(),
  });
};

/** The page runs only what it brought along, talks to its own address only, and is in no other page's frame. */
const headers = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; media-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cache-control': 'no-store',
} as const;

export const consoleHandler = (settings: HandlerSettings): ConsoleHandler => {
  const api = consoleApi(settings);

  return async (request, response, closing) => {
    const [path = '', search = ''] = (request.url ?? '').split('?', 2);
    const own = ownPath(path, settings.token);
    if (own === undefined || !isConsoles(own, request)) return false;

    if (!isFromOwnPage(request, own)) return send(response, 403, { message: 'Forbidden.' });
    const name = /^console\/api\/([a-z-]+)$/.exec(own)?.[1];
    if (name === undefined) return await sendAsset(response, own, request);
    const left = new AbortController();
    response.once('close', () => left.abort());
    return await answer(api, { name, search, signal: AbortSignal.any([closing, left.signal]) }, request, response);
  };
};

const onlyGet = { message: 'Only GET is allowed.' };

const isRead = ({ method }: IncomingMessage): boolean => method === 'GET' || method === 'HEAD';

/** At `/` of a sandbox, other methods and paths belong to the API. */
const isConsoles = (own: string, request: IncomingMessage): boolean =>
  own === '' ? isRead(request) : own.startsWith('console/');

const ownPath = (path: string, token: string | undefined): string | undefined => {
  if (token === undefined) return path.slice(1);
  const [, given = '', ...rest] = path.split('/');
  return rest.length > 0 && timingSafeEqual(sha256(given), sha256(token)) ? rest.join('/') : undefined;
};

/** Whether the page itself asks, or a link opens it. Host shows a name that resolves to 127.0.0.1; browsers mark other sites. */
const isFromOwnPage = ({ headers: given, socket, method }: IncomingMessage, own: string): boolean => {
  // Browsers leave out the port of HTTP.
  const port = socket.localPort === 80 ? '' : `:${socket.localPort}`;
  const host = ['127.0.0.1', 'localhost'].map((name) => `${name}${port}`).find((one) => one === given.host);
  if (host === undefined) return false;
  if (given.origin === undefined ? method === 'POST' : given.origin !== `http://${host}`) return false;
  const site = given['sec-fetch-site'] ?? 'none';
  const isLink = own === '' && given['sec-fetch-mode'] === 'navigate';
  return site === 'same-origin' || site === 'none' || isLink;
};

const sendAsset = async (response: ServerResponse, own: string, request: IncomingMessage): Promise<true> => {
  const assets = await pageAssets();
  const asset = Object.hasOwn(assets, own) ? assets[own] : undefined;
  if (asset === undefined) return send(response, 404, { message: 'Not found.' });
  if (!isRead(request)) return send(response, 405, onlyGet);
  response.writeHead(200, { ...headers, 'content-type': asset.type }).end(asset.body);
  return true;
};

const send = (response: ServerResponse, status: number, body: object): true => {
  response.writeHead(status, { ...headers, 'content-type': 'application/json' }).end(JSON.stringify(body));
  return true;
};

const answer = async (
  api: ConsoleApi,
  { name, search, signal }: { readonly name: string; readonly search: string; readonly signal: AbortSignal },
  request: IncomingMessage,
  response: ServerResponse,
): Promise<true> => {
  const get = Object.hasOwn(api.gets, name) ? api.gets[name] : undefined;
  const control = name === 'sandbox' && request.method === 'POST' ? api.controlSandbox : undefined;
  try {
    if (control !== undefined) return send(response, 200, await control(tryParseJson(await text(request))));
    if (get === undefined) return send(response, 404, { message: 'Not found.' });
    if (!isRead(request)) return send(response, 405, onlyGet);
    const query = Object.fromEntries(new URLSearchParams(search));
    const value = await get(query, { range: request.headers.range, signal });
    return value instanceof StreamedAnswer ? await sendStream(response, value) : send(response, 200, value);
  } catch (error) {
    const { message, exitCode } = problemOf(error);
    return send(response, exitCode === 2 ? 400 : 502, { message });
  }
};

/** What fails before anything has come is answered as a failure. */
const sendStream = async (response: ServerResponse, { status, headers: own, body }: StreamedAnswer): Promise<true> => {
  await once(body, 'readable');
  response.writeHead(status, { ...headers, ...own });
  // Half a file must not pass for a whole one, and a player closes its connection whenever it has enough.
  await pipeline(body, response).catch(() => response.destroy());
  return true;
};
