import type { IncomingMessage, ServerResponse } from 'node:http';
import { tryParseJson } from '../lib/core/parse-json.ts';
import type { EventLog } from './bus/event-log.ts';
import type { ConsoleLog } from './console-log.ts';
import { Fault, type FaultBoard, type FaultName, faultModes, faultNames, isFaultName } from './faults.ts';
import { type Answer, jsonAnswer, readBody, writeAnswer } from './http/serve.ts';
import { type SandboxParts, sandboxState } from './sandbox-state.ts';
import type { Simulator } from './simulator/index.ts';
import { maxScriptBytes } from './simulator/script.ts';

/** An answer of the sandbox's own, indented for people to read. */
const prettyJson = (status: number, body: unknown): Answer => jsonAnswer(status, body, 2);

const allowedFaults = `Send {"mode": ${faultModes.map((mode) => `"${mode}"`).join(' | ')}, "rate": 0 to 1}; without a rate, every request is hit.`;

/** GET /_sandbox/faults: what is in force. */
export const listFaults = (board: FaultBoard): Answer => prettyJson(200, board.state());

/** PUT /_sandbox/faults/{name}: puts a fault in force, and answers with all that are. `onSet` is told of it. */
export const setFault = (
  board: FaultBoard,
  name: string,
  body: string,
  onSet: (name: FaultName, fault: Fault) => void,
): Answer => {
  if (!isFaultName(name))
    return prettyJson(404, { message: `Nothing is called "${name}" here. There is: ${faultNames.join(', ')}.` });

  const fault = Fault.safeParse(tryParseJson(body));
  if (!fault.success) {
    const wrong = fault.error.issues.map(({ path, message }) => `${path.join('.') || 'body'}: ${message}`).join('; ');
    return prettyJson(400, { message: `${wrong}. ${allowedFaults}` });
  }
  board.set(name, fault.data);
  onSet(name, fault.data);
  return listFaults(board);
};

/** What can be scripted; undefined where nothing is simulated. */
export type ScriptableSimulator = Pick<Simulator, 'script' | 'agents'> | undefined;

const notSimulated = prettyJson(409, { message: 'Nothing is simulated here: the agents are those of --provider.' });

/** GET /_sandbox/agents: who is logged in at the simulated contact centre, by account. */
const listAgents = (simulator: ScriptableSimulator): Answer =>
  simulator === undefined ? notSimulated : prettyJson(200, simulator.agents());

/** POST /_sandbox/agents: takes a step, or a list of steps, or none of them. `onScripted` is told how many. */
const scriptAgents = (simulator: ScriptableSimulator, body: string, onScripted: (steps: number) => void): Answer => {
  if (simulator === undefined) return notSimulated;

  const outcome = simulator.script(body);
  if (!outcome.ok) return prettyJson(outcome.problem.status, { message: outcome.problem.message });
  onScripted(outcome.value.applied);
  return jsonAnswer(200, outcome.value);
};

/** Writes every event so far, one a line. With `until`, each new one follows, until it aborts or the client leaves. */
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

const limitBytes = 16 * 1024;

const withBody = async (
  request: IncomingMessage,
  maxBytes: number,
  respond: (body: string) => Answer,
): Promise<Answer> => {
  const body = await readBody(request, maxBytes);
  return body === undefined
    ? prettyJson(413, { message: `A body may have ${maxBytes} bytes.` })
    : respond(body.toString());
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
  return prettyJson(404, { message: `There is no such thing in the sandbox. There is: ${known.join(', ')}.` });
};

/** Whether a path is the sandbox's own rather than the API's. */
export const isSandboxPath = (url: string): boolean => /^\/_sandbox(?:[/?]|$)/.test(url);

/** Answers what is asked of the sandbox itself. */
export const handleSandboxRequest = (parts: SandboxParts, consoleLog: ConsoleLog) => {
  const routes = routesOf(parts, consoleLog);

  const answer = (asked: string, request: IncomingMessage): Answer | Promise<Answer> => {
    const route = Object.hasOwn(routes, asked) ? routes[asked] : undefined;
    if (route !== undefined) return route(request);

    const [, name] = /^PUT \/_sandbox\/faults\/([^/]+)$/.exec(asked) ?? [];
    if (name === undefined) return notFound(routes);
    return withBody(request, limitBytes, (body) => setFault(parts.board, name, body, consoleLog.fault));
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
