import type { IncomingMessage } from 'node:http';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import * as z from 'zod';
import { once } from '../lib/core/collections.ts';
import { jsonBytes } from '../lib/core/json.ts';
import type { ConsoleLog } from './aws/console-log.ts';
import { type Closers, late, within } from './frame/lifecycle.ts';
import { type Answer, answerRequest, type Respond, readBody, startServer, writeAnswer } from './frame/serve.ts';
import { httpApiEvent } from './functions/http-api-event.ts';
import type { Invoke } from './functions/load-function.ts';
import { isSandboxPath, type SandboxParts, sandboxHandle } from './sandbox-routes.ts';

const graceMilliseconds = 2_000;

interface GatewaySettings {
  readonly port: number;
  readonly receive: Invoke;
  readonly consoleLog: ConsoleLog;
  readonly closers: Closers;
  /** Whether the console of the sandbox shows names and numbers. */
  readonly isPersonal: boolean;
}

export const startGateway = async (
  { port, receive, consoleLog, closers, isPersonal }: GatewaySettings,
  parts: SandboxParts,
): Promise<string> => {
  const asSandbox = sandboxHandle(parts, consoleLog);
  // Loaded when somebody opens the page: its clients and the bundler take time that no other start needs.
  const loadConsole = once(async () => {
    const [{ sandboxConsole }, { features }] = await Promise.all([
      import('../cli/console/serve.ts'),
      import('../cli/features.ts'),
    ]);
    return await sandboxConsole((await parts.running).addresses.gateway, { features, isPersonal });
  });

  const respond: Respond = async (request, response, closing) => {
    if (isSandboxPath(request.url ?? '/')) return await answerRequest(asSandbox, request, response, closing);
    if (isConsoleRequest(request)) {
      const handle = await loadConsole();
      if (await handle(request, response, closing)) return;
    }

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
