import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import * as z from 'zod';
import { mapValues, once } from '../lib/core/collections.ts';
import { jsonBytes } from '../lib/core/json.ts';
import type { ConsoleLog } from './aws/console-log.ts';
import { type Closers, late, within } from './frame/lifecycle.ts';
import { localAccount } from './frame/local-aws.ts';
import { type Answer, answerRequest, type Respond, readBody, startServer, writeAnswer } from './frame/serve.ts';
import type { Invoke } from './functions/functions.ts';
import { isSandboxPath, type SandboxParts, sandboxHandle } from './sandbox-routes.ts';

const graceMilliseconds = 2_000;

interface GatewaySettings {
  readonly port: number;
  readonly receive: Invoke;
  readonly consoleLog: ConsoleLog;
  readonly closers: Closers;
  /** Whether its console shows names and numbers. */
  readonly isPersonal: boolean;
}

export const startGateway = async (
  { port, receive, consoleLog, closers, isPersonal }: GatewaySettings,
  parts: SandboxParts,
): Promise<string> => {
  const asSandbox = sandboxHandle(parts, consoleLog);
  // Loaded when somebody opens the page: its clients and the bundler take time that no other start needs.
  const console = once(async () => {
    const [{ sandboxConsole }, { features }] = await Promise.all([
      import('../cli/console/serve.ts'),
      import('../cli/features.ts'),
    ]);
    return await sandboxConsole((await parts.running).addresses.gateway, { features, isPersonal });
  });

  const respond: Respond = async (request, response, closing) => {
    if (isSandboxPath(request.url ?? '/')) return await answerRequest(asSandbox, request, response, closing);
    if (isConsoleRequest(request) && (await (await console())(request, response, closing))) return;

    const answer = await callFunction(request, receive);
    await writeAnswer(response, answer);
    parts.counters.countCallback(answer.status);
    consoleLog.callback(request.method ?? 'GET', answer.status, String(answer.body ?? ''));
  };
  const server = await startServer({ number: port, flag: '--port' }, respond, graceMilliseconds);
  closers.add(server.close);

  return server.url;
};

const isConsoleRequest = ({ method, url = '/' }: IncomingMessage): boolean =>
  /^\/console\//.test(url) || ((method === 'GET' || method === 'HEAD') && /^\/(?:\?|$)/.test(url));

export type InvokeWithRequest = (event: APIGatewayProxyEventV2) => Promise<unknown>;

/** API Gateway's limit for a request body: 10 MB. */
const limitBytes = 10 * 1024 * 1024;

/** Lambda's limit for an event as JSON: 6 MB. A body in base64 reaches it at 4.5 MB. */
const eventLimitBytes = 6 * 1024 * 1024;

export const callFunction = async (request: IncomingMessage, invoke: InvokeWithRequest): Promise<Answer> => {
  const { method = 'GET', url = '/', headers, httpVersion, socket } = request;
  const body = await readBody(request, limitBytes);
  if (body === undefined) return tooLarge;

  const sourceIp = socket.remoteAddress?.replace(/^::ffff:/, '') ?? '127.0.0.1';
  const event = httpApiEvent({ method, url, httpVersion, headers, sourceIp, body }, new Date());
  return jsonBytes(event) > eventLimitBytes ? tooLarge : await invokeForAnswer(invoke, event);
};

const timeoutMilliseconds = 30_000;

const invokeForAnswer = async (invoke: InvokeWithRequest, event: APIGatewayProxyEventV2): Promise<Answer> => {
  try {
    const returned = await within(timeoutMilliseconds, invoke(event));
    return returned === late ? gatewayAnswer(503, 'Service Unavailable') : httpApiAnswer(returned);
  } catch {
    return functionFailed;
  }
};

const Structured = z.object({
  statusCode: z.int().min(100).max(599),
  headers: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).default({}),
  body: z.string().default(''),
  isBase64Encoded: z.boolean().default(false),
});

const httpApiAnswer = (returned: unknown): Answer => {
  const result = Structured.safeParse(returned);
  if (!result.success) return functionFailed;

  const { statusCode, headers, body, isBase64Encoded } = result.data;
  const lowered = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]);
  return {
    status: statusCode,
    headers: { 'content-type': 'text/plain;charset=utf-8', ...Object.fromEntries(lowered) },
    body: isBase64Encoded ? Buffer.from(body, 'base64') : body,
  };
};

const gatewayAnswer = (status: number, message: string): Answer => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ message }),
});

const functionFailed = gatewayAnswer(500, 'Internal Server Error');
const tooLarge = gatewayAnswer(413, 'Request Entity Too Large');

interface GatewayRequest {
  readonly method: string;
  readonly url: string;
  readonly httpVersion: string;
  readonly headers: IncomingHttpHeaders;
  readonly sourceIp: string;
  readonly body: Buffer;
}

const routeKey = '$default';

export const httpApiEvent = (request: GatewayRequest, now: Date): APIGatewayProxyEventV2 => {
  const { method, url, headers, sourceIp } = request;
  const [path = '/', ...query] = url.split('?');
  const rawPath = decoded(path);
  const rawQueryString = query.join('?');
  const domainName = headers.host?.replace(/:\d+$/, '') ?? 'localhost';
  const protocol = `HTTP/${request.httpVersion}`;

  return {
    version: '2.0',
    routeKey,
    rawPath,
    rawQueryString,
    ...(headers.cookie !== undefined && { cookies: headers.cookie.split(/;\s*/) }),
    headers: { ...joined(headers), 'x-forwarded-for': sourceIp, 'x-forwarded-proto': 'http' },
    ...(rawQueryString !== '' && { queryStringParameters: queryOf(rawQueryString) }),
    requestContext: {
      accountId: localAccount,
      apiId: 'sandbox',
      domainName,
      domainPrefix: domainName.split('.')[0] ?? domainName,
      http: { method, path: rawPath, protocol, sourceIp, userAgent: headers['user-agent'] ?? '' },
      requestId: randomUUID(),
      routeKey,
      stage: '$default',
      time: gatewayTime(now),
      timeEpoch: now.getTime(),
    },
    ...httpApiBody(request.body, headers['content-type']),
  };
};

/** Decodes a path as an HTTP API does: every escape except that of a percent sign. */
const decoded = (path: string): string =>
  path.replace(/(?:%(?!25)[0-9a-f]{2})+/gi, (run) => Buffer.from(run.replaceAll('%', ''), 'hex').toString());

const joined = ({ cookie: _, ...headers }: IncomingHttpHeaders): Record<string, string> =>
  mapValues(headers, (value) => [value].flat().join(','));

const queryOf = (rawQueryString: string): Record<string, string> => {
  const byName = Map.groupBy(new URLSearchParams(rawQueryString), ([name]) => name);
  return Object.fromEntries([...byName].map(([name, same]) => [name, same.map(([, value]) => value).join(',')]));
};

const textual = /^(?:text\/.*|application\/(?:json|xml|javascript))$/i;

/** The body as an HTTP API hands it to the function: text for a few types, base64 for all others, including forms. */
const httpApiBody = (body: Buffer, contentType = ''): { readonly body?: string; readonly isBase64Encoded: boolean } => {
  if (body.length === 0) return { isBase64Encoded: false };

  const [mediaType = ''] = contentType.split(';');
  const isText = textual.test(mediaType.trim());
  return { body: body.toString(isText ? 'utf8' : 'base64'), isBase64Encoded: !isText };
};

/** An instant in the format of `requestContext.time`, such as `21/Nov/2026:09:05:00 +0000`. */
const gatewayTime = (instant: Date): string => {
  const [, day, month, year, time] = instant.toUTCString().split(' ');
  return `${day}/${month}/${year}:${time} +0000`;
};
