import type { IncomingMessage } from 'node:http';
import { once } from '../../lib/core/collections.ts';
import type { Closers } from '../closers.ts';
import type { ConsoleLog } from '../console-log.ts';
import { type Respond, startServer, writeAnswer } from '../http/serve.ts';
import type { Invoke } from '../lambda/runtime.ts';
import { handleSandboxRequest, isSandboxPath } from '../sandbox-routes.ts';
import type { SandboxParts } from '../sandbox-state.ts';
import { callFunction } from './call-function.ts';

/** How long running requests may take when the sandbox stops. */
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
