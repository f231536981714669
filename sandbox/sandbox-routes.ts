import type { IncomingMessage, ServerResponse } from 'node:http';
import type * as z from 'zod';
import { tryParseJson } from '../lib/core/json.ts';
import { type AccountChange, type AccountPlaces, changeAccount, listAccounts } from './account-routes.ts';
import type { EventLog } from './bus/event-log.ts';
import type { ConsoleLog } from './console-log.ts';
import { type Fault, type FaultBoard, type FaultName, faultNames, faultSchemas, isFaultName } from './faults.ts';
import { type Answer, foreignAnswer, isForeign, jsonAnswer, prettyJson, readBody, writeAnswer } from './http/serve.ts';
import { type RunningSandbox, type SandboxParts, sandboxState } from './sandbox-state.ts';
import type { Simulator } from './simulator/index.ts';
import { maxScriptBytes } from './simulator/script.ts';
import { TrafficRules } from './simulator/traffic.ts';

/** Whether a path belongs to the sandbox and not to the API. */
export const isSandboxPath = (url: string): boolean => /^\/_sandbox(?:[/?]|$)/.test(url);

/** Answers the requests to the sandbox itself. */
export const handleSandboxRequest = (parts: SandboxParts, consoleLog: ConsoleLog) => {
  const routes = routesOf(parts, consoleLog);

  const answer = async (requested: string, at: string | null, request: IncomingMessage): Promise<Answer> => {
    const route = Object.hasOwn(routes, requested) ? routes[requested] : undefined;
    if (route !== undefined) return await route(request);

    const change = accountChangeIn(requested);
    if (change !== undefined) {
      const places = placesOf(parts, await parts.running);
      return await withBody(request, limitBytes, (body) =>
        changeAccount(places, { ...change, at, body }, consoleLog.accounts),
      );
    }
    const [, name] = /^PUT \/_sandbox\/faults\/([^/]+)$/.exec(requested) ?? [];
    if (name === undefined) return notFound(routes);
    return await withBody(request, limitBytes, (body) => setFault(parts.board, name, body, consoleLog.fault));
  };

  return async (request: IncomingMessage, response: ServerResponse, closing: AbortSignal): Promise<void> => {
    if (isForeign(request.headers)) return writeAnswer(response, foreignAnswer);
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://sandbox');
    const method = request.method === 'HEAD' ? 'GET' : request.method;
    const requested = `${method} ${pathname}`;

    if (requested === 'GET /_sandbox/events')
      return sendEvents(parts.log, response, {
        last: lastFrom(searchParams.get('last')),
        until: searchParams.has('follow') ? closing : undefined,
      });
    return writeAnswer(response, await answer(requested, searchParams.get('at'), request));
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
  'GET /_sandbox/accounts': async () => listAccounts(placesOf(parts, await parts.running)),
  'GET /_sandbox/traffic': async () => listTraffic((await parts.running).simulator),
  'PUT /_sandbox/traffic': async (request) => {
    const { simulator } = await parts.running;
    return withBody(request, limitBytes, (body) => setTraffic(simulator, body, consoleLog.traffic));
  },
  'GET /_sandbox/faults': async () => listFaults(parts.board),
});

const placesOf = ({ secret }: SandboxParts, { service, addresses }: RunningSandbox): AccountPlaces => ({
  secret,
  service,
  provider: addresses.provider,
});

/** The account that a request changes; undefined if the request is another one. */
const accountChangeIn = (requested: string): Pick<AccountChange, 'method' | 'userName'> | undefined => {
  const [, method, name = ''] = /^(PUT|DELETE) \/_sandbox\/accounts\/([^/]+)$/.exec(requested) ?? [];
  return method === 'PUT' || method === 'DELETE' ? { method, userName: decodedOr(name) } : undefined;
};

/** A name with a wrong escape is taken as it is written. */
const decodedOr = (name: string): string => {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
};

const notFound = (routes: Routes): Answer => {
  const known = [
    ...Object.keys(routes),
    'GET /_sandbox/events',
    'PUT /_sandbox/faults/{name}',
    'PUT and DELETE /_sandbox/accounts/{userName}',
  ];
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
    return prettyJson(400, { message: `${problemsOf(fault.error)}. ${allowedFault(name)}` });
  }
  board.set(name, fault.data);
  onSet(name, fault.data);
  return listFaults(board);
};

const problemsOf = ({ issues }: z.ZodError): string =>
  issues.map(({ path, message }) => `${path.join('.') || 'body'}: ${message}`).join('; ');

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

/** GET /_sandbox/traffic: what the simulator does by itself. */
const listTraffic = (simulator: TrafficSimulator): Answer =>
  simulator === undefined ? noTraffic : prettyJson(200, simulator.traffic());

/** The simulator whose traffic can be changed; undefined if --provider replaces it. */
type TrafficSimulator = Pick<Simulator, 'traffic' | 'setTraffic'> | undefined;

const noTraffic = prettyJson(409, { message: 'The sandbox simulates no traffic, because --provider is set.' });

const TrafficChanges = TrafficRules.partial();
const allowedTraffic =
  'Send any of {"on": true | false, "callsPerMinute": 0 to 600, "kinds": a list of kinds, "agents": 20 to 1000}. ' +
  'Fields that you leave out stay as they are. GET /_simulator of the simulated service lists the kinds.';

/** PUT /_sandbox/traffic: changes what the simulator does by itself. */
const setTraffic = (
  simulator: TrafficSimulator,
  body: string,
  onChanged: (rules: z.infer<typeof TrafficRules>) => void,
): Answer => {
  if (simulator === undefined) return noTraffic;

  const changes = TrafficChanges.safeParse(tryParseJson(body));
  if (!changes.success) return prettyJson(400, { message: `${problemsOf(changes.error)}. ${allowedTraffic}` });
  simulator.setTraffic(changes.data);
  onChanged(simulator.traffic());
  return listTraffic(simulator);
};

/** `?last=200`: how many of the newest past events to send; anything else means all. */
const lastFrom = (text: string | null): number =>
  text !== null && /^\d{1,9}$/.test(text) ? Number(text) : Number.POSITIVE_INFINITY;

/**
 * Writes the newest past events, one per line, the oldest of them first. With `until`, new events follow until it aborts or
 * the client disconnects.
 */
const sendEvents = (
  log: EventLog,
  response: ServerResponse,
  { last, until }: { readonly last: number; readonly until: AbortSignal | undefined },
): void => {
  const write = (line: string): boolean => response.write(`${line}\n`);

  response.writeHead(200, { 'content-type': 'application/x-ndjson', 'cache-control': 'no-store' });
  response.flushHeaders();
  const lines = log.lines();
  for (const line of lines.slice(Math.max(0, lines.length - last))) write(line);
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
