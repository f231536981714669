import type { IncomingMessage, ServerResponse } from 'node:http';
import { scriptAgents, tellAgents } from './agents/agents-routes.ts';
import { sendEvents } from './bus/events-route.ts';
import type { Telling } from './console/telling.ts';
import { json, setFault, tellFaults } from './faults/fault-routes.ts';
import { readBody } from './http/read-body.ts';
import type { Answer } from './http/serve.ts';
import { writeAnswer } from './http/write-answer.ts';
import { type Parts, sandboxState } from './sandbox-state.ts';
import { mostScriptBytes } from './simulator/script/steps.ts';

const limitBytes = 16 * 1024;

const withBody = async (
  request: IncomingMessage,
  mostBytes: number,
  respond: (body: string) => Answer,
): Promise<Answer> => {
  const body = await readBody(request, mostBytes);
  return body === undefined ? json(413, { message: `A body may have ${mostBytes} bytes.` }) : respond(body.toString());
};

type Routes = Readonly<Record<string, (request: IncomingMessage) => Promise<Answer>>>;

const routesOf = (parts: Parts, telling: Telling): Routes => ({
  'GET /_sandbox': async () => json(200, await sandboxState(parts)),
  'GET /_sandbox/agents': async () => tellAgents((await parts.running).simulator),
  'POST /_sandbox/agents': async (request) => {
    const { simulator } = await parts.running;
    return withBody(request, mostScriptBytes, (body) => scriptAgents(simulator, body, telling.scripted));
  },
  'GET /_sandbox/faults': async () => tellFaults(parts.board),
});

const notFound = (routes: Routes): Answer => {
  const known = [...Object.keys(routes), 'GET /_sandbox/events', 'PUT /_sandbox/faults/{name}'];
  return json(404, { message: `There is no such thing in the sandbox. There is: ${known.join(', ')}.` });
};

/** Whether a path is the sandbox's own rather than the API's. */
export const isSandboxPath = (url: string): boolean => /^\/_sandbox(?:[/?]|$)/.test(url);

/** Answers what is asked of the sandbox itself. */
export const respondAsSandbox = (parts: Parts, telling: Telling) => {
  const routes = routesOf(parts, telling);

  const answer = (asked: string, request: IncomingMessage): Answer | Promise<Answer> => {
    const route = Object.hasOwn(routes, asked) ? routes[asked] : undefined;
    if (route !== undefined) return route(request);

    const [, name] = /^PUT \/_sandbox\/faults\/([^/]+)$/.exec(asked) ?? [];
    if (name === undefined) return notFound(routes);
    return withBody(request, limitBytes, (body) => setFault(parts.board, name, body, telling.fault));
  };

  return async (request: IncomingMessage, response: ServerResponse, closing: AbortSignal): Promise<void> => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://sandbox');
    const method = request.method === 'HEAD' ? 'GET' : request.method;
    const asked = `${method} ${pathname}`;

    if (asked === 'GET /_sandbox/events')
      return sendEvents(parts.log, response, searchParams.has('follow') ? closing : undefined);
    return writeAnswer(response, await answer(asked, request));
  };
};
