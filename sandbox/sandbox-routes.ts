import type { IncomingMessage, ServerResponse } from 'node:http';
import { tryParseJson } from '../lib/core/json.ts';
import type { EventLog } from './bus/event-log.ts';
import type { ConsoleLog } from './console-log.ts';
import { type Fault, type FaultBoard, type FaultName, faultNames, faultSchemas, isFaultName } from './faults.ts';
import { type Answer, jsonAnswer, readBody, writeAnswer } from './http/serve.ts';
import { type SandboxParts, sandboxState } from './sandbox-state.ts';
import type { Simulator } from './simulator/index.ts';
import { maxScriptBytes } from './simulator/script.ts';

/** Whether a path belongs to the sandbox and not to the API. */
export const isSandboxPath = (url: string): boolean => /^\/_sandbox(?:[/?]|$)/.test(url);

/** Answers the requests to the sandbox itself. */
export const handleSandboxRequest = (parts: SandboxParts, consoleLog: ConsoleLog) => {
  const routes = routesOf(parts, consoleLog);

  const answer = (requested: string, request: IncomingMessage): Answer | Promise<Answer> => {
    const route = Object.hasOwn(routes, requested) ? routes[requested] : undefined;
    if (route !== undefined) return route(request);

    const [, name] = /^PUT \/_sandbox\/faults\/([^/]+)$/.exec(requested) ?? [];
    if (name === undefined) return notFound(routes);
    return withBody(request, limitBytes, (body) => setFault(parts.board, name, body, consoleLog.fault));
  };

  return async (request: IncomingMessage, response: ServerResponse, closing: AbortSignal): Promise<void> => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://sandbox');
    const method = request.method === 'HEAD' ? 'GET' : request.method;
    const requested = `${method} ${pathname}`;

    if (requested === 'GET /_sandbox/events')
      return sendEvents(parts.log, response, searchParams.has('follow') ? closing : undefined);
    return writeAnswer(response, await answer(requested, request));
  };
};

type Routes = Readonly<Record<string, (request: IncomingMessage) => Promise<Answer>>>;

const routesOf = (parts: SandboxParts, consoleLog: ConsoleLog): Routes => ({
  'GET /_sandbox': async () => prettyJson(200, await sandboxState(parts)),
  'GET /_sandbox/agents': async () => listAgents((await parts.running).simulator),
  'POST /_sandbox/agents': async (request) => {
    const { simulator } = await parts.running;
    return withBody(request, maxScriptBytes, (body) => scriptAgents(simulator, body, consoleLog.scripted));
  },
  'GET /_sandbox/faults': async () => listFaults(parts.board),
});

const notFound = (routes: Routes): Answer => {
  const known = [...Object.keys(routes), 'GET /_sandbox/events', 'PUT /_sandbox/faults/{name}'];
  return prettyJson(404, { message: `The sandbox has no such path. It has: ${known.join(', ')}.` });
};

const limitBytes = 16 * 1024;

const withBody = async (
  request: IncomingMessage,
  maxBytes: number,
  respond: (body: string) => Answer,
): Promise<Answer> => {
  const body = await readBody(request, maxBytes);
  return body === undefined
    ? prettyJson(413, { message: `The body must not exceed ${maxBytes} bytes.` })
    : respond(body.toString());
};

/** A JSON answer, indented for people. */
const prettyJson = (status: number, body: unknown): Answer => jsonAnswer(status, body, 2);

/** GET /_sandbox/faults: the current faults. */
export const listFaults = (board: FaultBoard): Answer => prettyJson(200, board.state());

/** PUT /_sandbox/faults/{name}: sets a fault and answers with all current faults. `onSet` is called with the new one. */
export const setFault = (
  board: FaultBoard,
  name: string,
  body: string,
  onSet: (name: FaultName, fault: Fault) => void,
): Answer => {
  if (!isFaultName(name))
    return prettyJson(404, { message: `"${name}" is unknown. Faults can be set for: ${faultNames.join(', ')}.` });

  const fault = faultSchemas[name].safeParse(tryParseJson(body));
  if (!fault.success) {
    const wrong = fault.error.issues.map(({ path, message }) => `${path.join('.') || 'body'}: ${message}`).join('; ');
    return prettyJson(400, { message: `${wrong}. ${allowedFault(name)}` });
  }
  board.set(name, fault.data);
  onSet(name, fault.data);
  return listFaults(board);
};

const allowedFault = (name: FaultName): string => {
  const modes = faultSchemas[name].shape.mode.options.map((mode) => `"${mode}"`).join(' | ');
  const affected = name === 'callbacks' ? 'call' : 'request';
  return `Send {"mode": ${modes}, "rate": 0 to 1}; without a rate, every ${affected} is affected.`;
};

/** The simulator whose agents can be scripted; undefined if --provider replaces it. */
export type ScriptableSimulator = Pick<Simulator, 'script' | 'agents'> | undefined;

const notSimulated = prettyJson(409, { message: 'The sandbox simulates no agents, because --provider is set.' });

/** GET /_sandbox/agents: the agents that are logged in at the simulated contact centre, by account. */
const listAgents = (simulator: ScriptableSimulator): Answer =>
  simulator === undefined ? notSimulated : prettyJson(200, simulator.agents());

/** POST /_sandbox/agents: applies one step or a list of steps, all or none. `onScripted` is called with their number. */
const scriptAgents = (simulator: ScriptableSimulator, body: string, onScripted: (steps: number) => void): Answer => {
  if (simulator === undefined) return notSimulated;

  const outcome = simulator.script(body);
  if (!outcome.ok) return prettyJson(outcome.problem.status, { message: outcome.problem.message });
  onScripted(outcome.value.applied);
  return jsonAnswer(200, outcome.value);
};

/** Writes all events so far, one per line. With `until`, new events follow until it aborts or the client disconnects. */
const sendEvents = (log: EventLog, response: ServerResponse, until?: AbortSignal): void => {
  const write = (line: string): boolean => response.write(`${line}\n`);

  response.writeHead(200, { 'content-type': 'application/x-ndjson', 'cache-control': 'no-store' });
  response.flushHeaders();
  for (const line of log.lines()) write(line);
  if (until === undefined || until.aborted) {
    response.end();
    return;
  }
  const end = (): void => {
    response.end();
  };
  const leave = log.follow(write);
  until.addEventListener('abort', end, { once: true });
  response.once('close', () => {
    leave();
    until.removeEventListener('abort', end);
  });
};
