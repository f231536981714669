import type { IncomingMessage, ServerResponse } from 'node:http';
import { sendEvents } from './bus/events-route.ts';
import type { Telling } from './console/telling.ts';
import { json, setFault, tellFaults } from './faults/fault-routes.ts';
import { readBody } from './http/read-body.ts';
import type { Answer } from './http/serve.ts';
import { writeAnswer } from './http/write-answer.ts';
import { type Parts, sandboxState } from './sandbox-state.ts';

const limitBytes = 16 * 1024;

const known = ['GET /_sandbox', 'GET /_sandbox/events', 'GET /_sandbox/faults', 'PUT /_sandbox/faults/{name}'];

const notFound = json(404, { message: `There is no such thing in the sandbox. There is: ${known.join(', ')}.` });

const putFault = async (request: IncomingMessage, name: string, parts: Parts, telling: Telling): Promise<Answer> => {
  const body = await readBody(request, limitBytes);
  if (body === undefined) return json(413, { message: `A body may have ${limitBytes} bytes.` });

  return setFault(parts.board, name, body.toString(), telling.fault);
};

/** Whether a path is the sandbox's own rather than the API's. */
export const isSandboxPath = (url: string): boolean => /^\/_sandbox(?:[/?]|$)/.test(url);

/** Answers what is asked of the sandbox itself. */
export const respondAsSandbox =
  (parts: Parts, telling: Telling) =>
  async (request: IncomingMessage, response: ServerResponse, closing: AbortSignal): Promise<void> => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://sandbox');
    const method = request.method === 'HEAD' ? 'GET' : request.method;
    const asked = `${method} ${pathname}`;

    if (asked === 'GET /_sandbox') return writeAnswer(response, json(200, await sandboxState(parts)));
    if (asked === 'GET /_sandbox/faults') return writeAnswer(response, tellFaults(parts.board));
    if (asked === 'GET /_sandbox/events')
      return sendEvents(parts.log, response, searchParams.has('follow') ? closing : undefined);

    const [, name] = /^PUT \/_sandbox\/faults\/([^/]+)$/.exec(asked) ?? [];
    return writeAnswer(response, name === undefined ? notFound : await putFault(request, name, parts, telling));
  };
