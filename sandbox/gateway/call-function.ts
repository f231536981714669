import type { IncomingMessage } from 'node:http';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { readBody } from '../http/read-body.ts';
import type { Answer } from '../http/serve.ts';
import { functionFailed, gatewayAnswer, httpApiAnswer } from './http-api-answer.ts';
import { httpApiEvent } from './http-api-event.ts';
import { routeOf } from './route.ts';

/** Calls the function behind the API. */
export type InvokeWithRequest = (event: APIGatewayProxyEventV2) => Promise<unknown>;

/** What an HTTP API takes: 10 MB. */
const limitBytes = 10 * 1024 * 1024;

/** How long an HTTP API waits for a function. */
const patienceMilliseconds = 30_000;

const timedOut = Symbol('timed out');

const inTime = async (answer: Promise<unknown>): Promise<unknown> => {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<typeof timedOut>((resolve) => {
    timer = setTimeout(resolve, patienceMilliseconds, timedOut);
  });
  return await Promise.race([answer, deadline]).finally(() => clearTimeout(timer));
};

const invoked = async (invoke: InvokeWithRequest, event: APIGatewayProxyEventV2): Promise<Answer> => {
  try {
    const returned = await inTime(invoke(event));
    return returned === timedOut ? gatewayAnswer(503, 'Service Unavailable') : httpApiAnswer(returned);
  } catch {
    return functionFailed;
  }
};

/** Answers a request the way API Gateway does: by its routes and limits, and else by what the function returns. */
export const callFunction = async (request: IncomingMessage, invoke: InvokeWithRequest): Promise<Answer> => {
  const { method = 'GET', url = '/', headers, httpVersion, socket } = request;
  const route = routeOf(method, url.split('?')[0] ?? '/');
  if (route === undefined) return gatewayAnswer(404, 'Not Found');

  const body = await readBody(request, limitBytes);
  if (body === undefined) return gatewayAnswer(413, 'Request Entity Too Large');

  const sourceIp = socket.remoteAddress?.replace(/^::ffff:/, '') ?? '127.0.0.1';
  return await invoked(invoke, httpApiEvent({ method, url, httpVersion, headers, sourceIp, body }, route, new Date()));
};
