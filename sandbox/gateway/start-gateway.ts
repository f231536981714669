import type { IncomingMessage } from 'node:http';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import * as z from 'zod';
import { once } from '../../lib/core/collections.ts';
import { jsonBytes } from '../../lib/core/json.ts';
import { late, within } from '../clock.ts';
import type { Closers } from '../closers.ts';
import type { ConsoleLog } from '../console-log.ts';
import { type Answer, type Respond, readBody, startServer, writeAnswer } from '../http/serve.ts';
import type { Invoke } from '../lambda/runtime.ts';
import { handleSandboxRequest, isSandboxPath } from '../sandbox-routes.ts';
import type { SandboxParts } from '../sandbox-state.ts';
import { httpApiEvent } from './http-api-event.ts';

const graceMilliseconds = 2_000;

/** Starts the gateway: the paths of the sandbox, and the API in front of the function `receive`. Resolves with its URL. */
export const startGateway = async (
  port: number,
  parts: SandboxParts,
  receive: Invoke,
  consoleLog: ConsoleLog,
  closers: Closers,
): Promise<string> => {
  const asSandbox = handleSandboxRequest(parts, consoleLog);
  // Loaded when somebody opens the page: its clients and the bundler take time that no other start needs.
  const console = once(async () => {
    const { sandboxConsole } = await import('../../cli/console/serve.ts');
    return await sandboxConsole((await parts.running).addresses.gateway);
  });

  const respond: Respond = async (request, response, closing) => {
    if (isSandboxPath(request.url ?? '/')) return await asSandbox(request, response, closing);
    if (isConsoleRequest(request) && (await (await console())(request, response, closing))) return;

    const answer = await callFunction(request, receive);
    writeAnswer(response, answer);
    parts.counters.countCallback(answer.status);
    consoleLog.callback(request.method ?? 'GET', answer.status, String(answer.body ?? ''));
  };
  const server = await startServer({ number: port, flag: '--port' }, respond, graceMilliseconds);
  closers.add(server.close);

  return server.url;
};

/** Whether a request may be for the console: to read the page at `/`, or anything below `/console/`. */
const isConsoleRequest = ({ method, url = '/' }: IncomingMessage): boolean =>
  /^\/console\//.test(url) || ((method === 'GET' || method === 'HEAD') && /^\/(?:\?|$)/.test(url));

export type InvokeWithRequest = (event: APIGatewayProxyEventV2) => Promise<unknown>;

/** API Gateway's limit for a request body: 10 MB. */
const limitBytes = 10 * 1024 * 1024;

/** Lambda's limit for an event as JSON: 6 MB. A body in base64 reaches it at 4.5 MB. */
const eventLimitBytes = 6 * 1024 * 1024;

/** Answers a request as API Gateway does: it applies its limits, then calls the function. */
export const callFunction = async (request: IncomingMessage, invoke: InvokeWithRequest): Promise<Answer> => {
  const { method = 'GET', url = '/', headers, httpVersion, socket } = request;
  const body = await readBody(request, limitBytes);
  if (body === undefined) return gatewayAnswer(413, 'Request Entity Too Large');

  const sourceIp = socket.remoteAddress?.replace(/^::ffff:/, '') ?? '127.0.0.1';
  const event = httpApiEvent({ method, url, httpVersion, headers, sourceIp, body }, new Date());
  return jsonBytes(event) > eventLimitBytes
    ? gatewayAnswer(413, 'Request Entity Too Large')
    : await invokeForAnswer(invoke, event);
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
