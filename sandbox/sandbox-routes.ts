import { addAbortListener } from 'node:events';
import { PassThrough } from 'node:stream';
import { mapValues } from '../lib/core/collections.ts';
import { tryParseJson } from '../lib/core/json.ts';
import manifest from '../package.json' with { type: 'json' };
import {
  type AccountChange,
  type AccountPlaces,
  type AccountsSecret,
  changeAccount,
  listAccounts,
} from './aws/accounts.ts';
import type { ConsoleLog } from './aws/console-log.ts';
import type { Counters } from './aws/counters.ts';
import type { EventLog } from './aws/event-bus.ts';
import type { RunningAws } from './aws/start-aws.ts';
import type { Demo } from './demo/demo.ts';
import { type FaultBoard, listFaults, setFault } from './frame/faults.ts';
import { sandboxTables } from './frame/local-aws.ts';
import {
  type Answer,
  type Asked,
  type Handle,
  prettyJson,
  problemsOf,
  type Route,
  type Routes,
  routed,
} from './frame/serve.ts';
import type { AccountReport } from './simulator/accounts.ts';
import { maxAgents, minAgents } from './simulator/centre.ts';
import type { Simulator } from './simulator/index.ts';
import { maxCallsPerMinute, TrafficRules } from './simulator/traffic.ts';

export const isSandboxPath = (url: string): boolean => /^\/_sandbox(?:[/?]|$)/.test(url);

export const sandboxHandle = (parts: SandboxParts, consoleLog: ConsoleLog): Handle => {
  const routes = routesOf(parts, consoleLog);
  const paths = Object.keys(routes).join(', ');
  return routed(routes, prettyJson(404, { message: `The sandbox has no such path. It has: ${paths}.` }));
};

const routesOf = (parts: SandboxParts, consoleLog: ConsoleLog): Routes => {
  const places = async (): Promise<AccountPlaces> => {
    const { simulator, addresses } = await parts.running;
    return { secret: parts.secret, service: simulator?.accountList, provider: addresses.provider };
  };
  const accountChange =
    (method: AccountChange['method']): Route =>
    async ({ name: userName, query, body }) =>
      changeAccount(await places(), { method, userName, at: query.get('at'), body }, (text) =>
        consoleLog.line('accounts', text),
      );
  const simulated =
    (what: 'agents' | 'traffic', answer: (simulator: Simulator, asked: Asked) => Answer): Route =>
    async (asked) => {
      const { simulator } = await parts.running;
      return simulator === undefined
        ? prettyJson(409, { message: `The sandbox simulates no ${what}, because --provider is set.` })
        : answer(simulator, asked);
    };

  return {
    'GET /_sandbox': async () => prettyJson(200, await sandboxState(parts)),
    'GET /_sandbox/agents': simulated('agents', (simulator) => prettyJson(200, simulator.agents())),
    'POST /_sandbox/agents': simulated('agents', (simulator, { body }) => {
      const outcome = simulator.script(body);
      if (!outcome.ok) return prettyJson(outcome.problem.status, { message: outcome.problem.message });
      const { applied } = outcome.value;
      consoleLog.line('agents', `scripted: ${applied} ${applied === 1 ? 'step' : 'steps'}`);
      return prettyJson(200, outcome.value);
    }),
    'GET /_sandbox/accounts': async () => listAccounts(await places()),
    'PUT /_sandbox/accounts/{userName}': accountChange('PUT'),
    'DELETE /_sandbox/accounts/{userName}': accountChange('DELETE'),
    'GET /_sandbox/traffic': simulated('traffic', (simulator) => prettyJson(200, simulator.traffic())),
    'PUT /_sandbox/traffic': simulated('traffic', (simulator, { body }) => {
      const changes = TrafficChanges.safeParse(tryParseJson(body));
      if (!changes.success) return prettyJson(400, { message: `${problemsOf(changes.error)}. ${allowedTraffic}` });
      simulator.setTraffic(changes.data);
      consoleLog.line('traffic', simulator.traffic().on ? 'on, by the rules that were sent' : 'off');
      return prettyJson(200, simulator.traffic());
    }),
    'GET /_sandbox/events': ({ query, closing }) =>
      eventsAnswer(parts.aws.log, lastFrom(query.get('last')), query.has('follow') ? closing : undefined),
    'GET /_sandbox/faults': () => listFaults(parts.board),
    'PUT /_sandbox/faults/{name}': ({ name, body }) =>
      setFault(parts.board, name, body, (text) => consoleLog.line('fault', text)),
  };
};

const TrafficChanges = TrafficRules.partial();
const allowedTraffic =
  `Send any of {"on": true | false, "callsPerMinute": 0 to ${maxCallsPerMinute}, "kinds": a list of kinds, "agents": ${minAgents} to ${maxAgents}}. ` +
  'Fields that you leave out stay as they are. GET /_simulator of the simulated service lists the kinds.';

/** `?last=200`: how many of the newest past events to send; anything else means all. */
const lastFrom = (text: string | null): number =>
  text !== null && /^\d{1,9}$/.test(text) ? Number(text) : Number.POSITIVE_INFINITY;

const eventsAnswer = (log: EventLog, last: number, until: AbortSignal | undefined): Answer => {
  const body = new PassThrough();
  const write = (line: string): boolean => body.write(`${line}\n`);
  const lines = log.lines();
  for (const line of lines.slice(Math.max(0, lines.length - last))) write(line);
  if (until === undefined || until.aborted) body.end();
  else {
    const leave = log.follow(write);
    const ending = addAbortListener(until, () => body.end());
    body.once('close', () => {
      leave();
      ending[Symbol.dispose]();
    });
  }
  return { status: 200, headers: { 'content-type': 'application/x-ndjson', 'cache-control': 'no-store' }, body };
};

export interface RunningSandbox {
  readonly demo?: Pick<Demo, 'state'> | undefined;
  readonly addresses: Addresses;
  readonly simulator: Simulator | undefined;
}

export interface SandboxParts {
  readonly running: Promise<RunningSandbox>;
  readonly secret: AccountsSecret;
  readonly board: FaultBoard;
  readonly counters: Counters;
  readonly aws: RunningAws;
}

/** The answer of `GET /_sandbox`. It contains names of accounts, never keys: those are in the secret. */
export type SandboxState = Awaited<ReturnType<typeof sandboxState>>;

export const sandboxState = async ({ running, secret, board, counters, aws }: SandboxParts) => {
  const { addresses, simulator, demo } = await running;

  return {
    version: manifest.version,
    addresses,
    accountsSecret: secret.arn,
    tables: Object.keys(sandboxTables),
    accounts: secret.accounts().map(({ userName }) => userName),
    faults: board.state(),
    counts: counters.counts(),
    events: aws.log.count(),
    parked: aws.parking.messages().length,
    deadLetters: aws.deadLetters.messages().length,
    provider: mapValues(simulator?.accounts() ?? {}, providerCounts),
    ...aws.state,
    demo: demo?.state(),
  };
};

const providerCounts = ({ requests, overLimit, maxPerMinute, agentsLoggedIn, reports, tokens }: AccountReport) => ({
  requests,
  overLimit: overLimit + tokens.overLimit + reports.overLimit,
  maxPerMinute,
  reports: reports.requests,
  maxReportsPerMinute: reports.maxPerMinute,
  tokensGenerated: tokens.generated,
  agentsLoggedIn,
});

/** All addresses. They never contain the callback secret: `{secret}` replaces it. */
export type Addresses = ReturnType<typeof addressesOf>;

export const addressesOf = (
  { urls, addresses }: Pick<RunningAws, 'urls' | 'addresses'>,
  others: Readonly<Record<'gateway' | 'dynamodb' | 'provider' | 'secretsmanager', string>>,
  hasSecret: boolean,
) => {
  const sandbox = `${others.gateway}/_sandbox`;
  const own = {
    callbacks: `${others.gateway}${hasSecret ? '/{secret}' : ''}/callDetails`,
    sandbox,
    events: `${sandbox}/events`,
    faults: `${sandbox}/faults`,
    agents: `${sandbox}/agents`,
    accounts: `${sandbox}/accounts`,
    traffic: `${sandbox}/traffic`,
  };
  return Object.assign({ ...urls, ...others, ...own }, addresses);
};
