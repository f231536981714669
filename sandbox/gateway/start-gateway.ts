import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { finished } from 'node:stream/promises';
import { type Closers, pause } from '../closers.ts';
import type { ConsoleLog } from '../console-log.ts';
import { listen, localHost, type Port } from '../http/listen.ts';
import { writeAnswer } from '../http/serve.ts';
import type { Invoke } from '../lambda/runtime.ts';
import { handleSandboxRequest, isSandboxPath } from '../sandbox-routes.ts';
import type { SandboxParts } from '../sandbox-state.ts';
import { callFunction, functionFailed } from './call-function.ts';

/** Answers one request by itself. A response that goes on has to end when `closing` aborts. */
export type Respond = (request: IncomingMessage, response: ServerResponse, closing: AbortSignal) => Promise<void>;

/** A listening gateway. */
export interface GatewayServer {
  readonly url: string;
  /** Takes no more requests, and lets those at work end for a while. */
  close(): Promise<void>;
}

const patienceMilliseconds = 2_000;

/** Serves on this machine only. What `respond` rejects with stays inside: the answer is a 500. */
export const startGatewayServer = async (port: Port, respond: Respond): Promise<GatewayServer> => {
  const atWork = new Set<Promise<void>>();
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
    const work = answer(request, response).finally(() => atWork.delete(work));
    atWork.add(work);
  });
  const number = await listen(server, port);

  return {
    url: `http://${localHost}:${number}`,
    async close() {
      closing.abort();
      const closed = new Promise((resolve) => server.close(resolve));
      const ended = new AbortController();
      await Promise.race([Promise.all(atWork), pause(patienceMilliseconds, ended.signal)]);
      ended.abort();
      server.closeAllConnections();
      await closed;
    },
  };
};

/** Starts the gateway: the sandbox's own paths, and the API before the function `receive`. Resolves with its URL. */
export const startGateway = async (
  port: number,
  parts: SandboxParts,
  receive: Invoke,
  consoleLog: ConsoleLog,
  closers: Closers,
): Promise<string> => {
  const asSandbox = handleSandboxRequest(parts, consoleLog);

  const respond: Respond = async (request, response, closing) => {
    if (isSandboxPath(request.url ?? '/')) return await asSandbox(request, response, closing);

    const answer = await callFunction(request, receive);
    writeAnswer(response, answer);
    parts.counters.countCallback(answer.status);
    consoleLog.callback(request.method ?? 'GET', answer.status, String(answer.body ?? ''));
  };
  const server = await startGatewayServer({ number: port, flag: '--port' }, respond);
  closers.add(server.close);

  return server.url;
};
