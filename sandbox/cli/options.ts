import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type Account, isServiceAddress, parseAccounts } from '../../lib/accounts/accounts.ts';
import { CallbackSecret } from '../../lib/accounts/callback-secret.ts';
import { fail, ok, type Result } from '../../lib/core/result.ts';
import { deployedDeadLetterSeconds } from '../queue/start-queues.ts';
import { type SandboxOptions, withBaseUrl } from '../sandbox-options.ts';
import { argumentsProblem } from './run-command.ts';

/** The text of --help. */
export const usage = `Usage: npm start -- [flags]        (npm needs the -- before flags)

  --port 3000            port that receives callbacks; 0 picks a free port, also for the other two ports
  --dynamodb-port 8000   port of DynamoDB Local, which holds the tables
  --provider-port 4000   port of the simulated contact centre
  --provider URL         polls the agents of this service; the sandbox then simulates nothing
  --no-traffic           simulates no calls and no agents, except those sent to POST /_sandbox/agents
  --data DIR             stores tables, events and parked callbacks in DIR between runs
  --dead-letters-after SECONDS
                         sets a parked callback aside after this time of failed attempts; default 86400, a day as
                         deployed. It is tried every 2 seconds here, and every 6 minutes in AWS
  --quiet                prints errors only
  --verbose              also prints the logs of the functions
  --help                 prints this text

  The sandbox polls the agents of every account every 15 seconds and stores them in the table callfeed-agents.
  Every 2 minutes it looks in the simulated call report for calls whose callback was lost. With --no-traffic and
  --provider it does so only when asked: npx callfeed reconcile --endpoint http://localhost:3000
  GET /_sandbox/agents lists the agents that are logged in at the simulated contact centre.
  POST /_sandbox/agents changes them. Its body is one step, or a list of steps:
                             {"action": "log-in" | "set-state" | "log-out", "agentId": "...", "account"?: "...",
                               "state"?: "READY", "name"?: "...", "phoneNumber"?: "...", "skills"?: ["..."]}

  PUT /_sandbox/traffic changes the traffic while it runs, and PUT and DELETE /_sandbox/accounts/{userName} the
  accounts. docs/sandbox.md has the bodies, and every wrong one is answered with what is allowed.

  CALLFEED_ACCOUNTS          a JSON list of accounts that replaces the built-in account:
                             [{"userName": "...", "apiKeys": ["..."], "timeZone": "Asia/Kolkata", "baseUrl"?: "...",
                               "token": {"kind": "none"} | {"kind": "static", "value": "..."} | {"kind": "generate"}}]
  CALLFEED_CALLBACK_SECRET   callbacks are then accepted at /{secret}/callDetails only; 16 to 128 of A-Z a-z 0-9 - . _ ~`;

/** The flags and settings of one start. */
export interface CliOptions extends SandboxOptions {
  readonly help: boolean;
  readonly quiet: boolean;
  /** Whether to print the logs of the functions. */
  readonly verbose: boolean;
}

/** Reads flags and environment. The problem names what is wrong and what is allowed; it never repeats a secret. */
export const optionsFrom = (
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): Result<CliOptions, string> => {
  const parsed = parse(args);
  if (!parsed.ok) return parsed;
  const { help, quiet, verbose, data, 'no-traffic': noTraffic } = parsed.value;

  const ports = portsFrom(parsed.value);
  if (!ports.ok) return ports;
  const provider = providerFrom(parsed.value.provider);
  if (!provider.ok) return provider;
  const accounts = accountsFrom(environment['CALLFEED_ACCOUNTS'], provider.value);
  if (!accounts.ok) return accounts;
  const callbackSecret = environment['CALLFEED_CALLBACK_SECRET'] || undefined;
  const secret = CallbackSecret.safeParse(callbackSecret);
  if (callbackSecret !== undefined && !secret.success)
    return fail(`CALLFEED_CALLBACK_SECRET ${secret.error?.issues[0]?.message}.`);
  const deadLetterSeconds = deadLetterSecondsFrom(parsed.value['dead-letters-after']);
  if (!deadLetterSeconds.ok) return deadLetterSeconds;
  if (data === '') return fail('--data must be a folder; it is created if it does not exist.');

  return ok({
    ...ports.value,
    help,
    quiet,
    verbose,
    provider: provider.value,
    traffic: !noTraffic,
    data: data === undefined ? undefined : resolve(data),
    deadLetterSeconds: deadLetterSeconds.value,
    accounts: accounts.value,
    callbackSecret,
  });
};

const flags = {
  port: { type: 'string', default: '3000' },
  'dynamodb-port': { type: 'string', default: '8000' },
  'provider-port': { type: 'string', default: '4000' },
  provider: { type: 'string' },
  'no-traffic': { type: 'boolean', default: false },
  data: { type: 'string' },
  'dead-letters-after': { type: 'string', default: String(deployedDeadLetterSeconds) },
  quiet: { type: 'boolean', default: false },
  verbose: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

const parse = (args: readonly string[]) => {
  try {
    return ok(parseArgs({ args: [...args], options: flags, strict: true, allowPositionals: false }).values);
  } catch (error) {
    return fail(`${argumentsProblem(error)}\n\n${usage}`);
  }
};

type Ports = Pick<SandboxOptions, 'port' | 'dynamodbPort' | 'providerPort'>;

const maxPort = 65_535;

const portFrom = (flag: string, text: string): Result<number, string> => {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;

  return port <= maxPort
    ? ok(port)
    : fail(`--${flag} must be a whole number from 0 to ${maxPort}; 0 picks a free port.`);
};

/** The ports as numbers. Ports other than 0 must differ. */
const portsFrom = (
  texts: Readonly<Record<'port' | 'dynamodb-port' | 'provider-port', string>>,
): Result<Ports, string> => {
  const port = portFrom('port', texts.port);
  if (!port.ok) return port;
  const dynamodbPort = portFrom('dynamodb-port', texts['dynamodb-port']);
  if (!dynamodbPort.ok) return dynamodbPort;
  const providerPort = portFrom('provider-port', texts['provider-port']);
  if (!providerPort.ok) return providerPort;

  const fixed = [port.value, dynamodbPort.value, providerPort.value].filter((number) => number !== 0);
  if (new Set(fixed).size < fixed.length) return fail('--port, --dynamodb-port and --provider-port must differ.');

  return ok({ port: port.value, dynamodbPort: dynamodbPort.value, providerPort: providerPort.value });
};

const deadLetterSecondsFrom = (text: string): Result<number, string> => {
  const seconds = /^\d{1,7}$/.test(text) ? Number(text) : 0;

  return seconds > 0 && seconds <= maxDeadLetterSeconds
    ? ok(seconds)
    : fail(`--dead-letters-after must be a whole number of seconds from 1 to ${maxDeadLetterSeconds}, 14 days.`);
};

/** SQS stores a message for 14 days at most. */
const maxDeadLetterSeconds = 14 * deployedDeadLetterSeconds;

const providerFrom = (text: string | undefined): Result<string | undefined, string> => {
  if (text === undefined) return ok(undefined);
  return isServiceAddress(text)
    ? ok(text.replace(/\/+$/, ''))
    : fail('--provider must be an https address without query and credentials. To this machine http is allowed, too.');
};

/** The accounts, checked as polled ones: the sandbox polls those without an address at its own service. */
const accountsFrom = (
  json: string | undefined,
  provider = 'http://127.0.0.1',
): Result<readonly Account[] | undefined, string> => {
  if (!json) return ok(undefined);
  const parsed = parseAccounts(json);
  const accounts = parsed.ok ? parseAccounts(JSON.stringify(withBaseUrl(parsed.value, provider))) : parsed;

  return accounts.ok ? parsed : fail(`CALLFEED_ACCOUNTS, a JSON list of accounts, is wrong at ${accounts.problem}`);
};
