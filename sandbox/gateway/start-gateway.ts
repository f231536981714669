import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { finished } from 'node:stream/promises';
import { once } from '../../lib/core/collections.ts';
import { within } from '../clock.ts';
import type { Closers } from '../closers.ts';
import type { ConsoleLog } from '../console-log.ts';
import { listen, localHost, type Port } from '../http/listen.ts';
import { writeAnswer } from '../http/serve.ts';
import type { Invoke } from '../lambda/runtime.ts';
import { handleSandboxRequest, isSandboxPath } from '../sandbox-routes.ts';
import type { SandboxParts } from '../sandbox-state.ts';
import { callFunction, functionFailed } from './call-function.ts';

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
  const server = await startGatewayServer({ number: port, flag: '--port' }, respond);
  closers.add(server.close);

  return server.url;
};

/** Whether a request may be for the console: to read the page at `/`, or anything below `/console/`. */
const isConsoleRequest = ({ method, url = '/' }: IncomingMessage): boolean =>
  /^\/console\//.test(url) || ((method === 'GET' || method === 'HEAD') && /^\/(?:\?|$)/.test(url));

/** Answers one request. A response that streams must end when `closing` aborts. */
export type Respond = (request: IncomingMessage, response: ServerResponse, closing: AbortSignal) => Promise<void>;

/** A listening gateway. */
export interface GatewayServer {
  readonly url: string;
  /** Stops accepting requests, and gives running ones some time to end. */
  close(): Promise<void>;
}

const graceMilliseconds = 2_000;

/** Serves on this machine only. If `respond` rejects, the answer is a 500 that does not show the error. */
export const startGatewayServer = async (port: Port, respond: Respond): Promise<GatewayServer> => {
  const running = new Set<Promise<void>>();
  const closing = new AbortController();

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    try {
      await respond(request, response, closing.signal);
    } catch {
      if (!response.headersSent) writeAnswer(response, functionFailed);
    }
    await finished(response).catch(() => undefined);
  };
  const server = createServer((request, response) => {
    const work = answer(request, response).finally(() => running.delete(work));
    running.add(work);
  });
  const number = await listen(server, port);

  return {
    url: `http://${localHost}:${number}`,
    async close() {
      closing.abort();
      const closed = new Promise((resolve) => server.close(resolve));
      await within(graceMilliseconds, Promise.all(running));
      server.closeAllConnections();
      await closed;
    },
  };
};
