import type { Closers } from './closers.ts';
import type { Telling } from './console/telling.ts';
import type { Invoke } from './functions-host/load-function.ts';
import { callFunction } from './gateway/call-function.ts';
import { type Respond, startGatewayServer } from './gateway/gateway-server.ts';
import { writeAnswer } from './http/write-answer.ts';
import { isSandboxPath, respondAsSandbox } from './sandbox-routes.ts';
import type { Parts } from './sandbox-state.ts';

/** Starts the gateway: the sandbox's own paths, and the API before the function `receive`. Resolves with its URL. */
export const startGateway = async (
  port: number,
  parts: Parts,
  receive: Invoke,
  telling: Telling,
  closers: Closers,
): Promise<string> => {
  const asSandbox = respondAsSandbox(parts, telling);

  const respond: Respond = async (request, response, closing) => {
    if (isSandboxPath(request.url ?? '/')) return await asSandbox(request, response, closing);

    const answer = await callFunction(request, receive);
    writeAnswer(response, answer);
    parts.tally.callback(answer.status);
    telling.callback(request.method ?? 'GET', answer.status, String(answer.body ?? ''));
  };
  const server = await startGatewayServer({ number: port, flag: '--port' }, respond);
  closers.add(server.close);

  return server.url;
};
