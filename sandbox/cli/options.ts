import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import * as z from 'zod';
import { type Account, isServiceAddress, parseAccounts } from '../../lib/accounts/accounts.ts';
import { CallbackSecret } from '../../lib/accounts/redact-secrets.ts';
import { mapValues } from '../../lib/core/collections.ts';
import { fail, ok, type Result } from '../../lib/core/result.ts';
import { deployedDeadLetterSeconds, type SandboxOptions, withBaseUrl } from '../sandbox-options.ts';
import { argumentsProblem } from './terminal.ts';

export const usage = `Usage: npm start -- [flags]        (npm needs the -- before flags)

  --port 3000            port that receives callbacks; 0 picks a free port, also for the other two ports
  --dynamodb-port 8000   port of DynamoDB Local, which holds the tables
  --provider-port 4000   port of the simulated contact centre
  --provider URL         polls the agents of this service; the sandbox then simulates nothing
  --no-traffic           simulates no calls and no agents, except those sent to POST /_sandbox/agents
  --data DIR             stores tables, events and parked callbacks in DIR between runs
  --analytics DIR        writes calls and agents to DIR as Parquet, once a minute; npx callfeed query --dir DIR asks them
  --dead-letters-after SECONDS
                         sets a parked callback aside after this time of failed attempts; default 86400, a day as
                         deployed. It is tried every 2 seconds here, and every 6 minutes in AWS
  --recordings           archives the recordings of calls, as recordings=archive does; GET /_simulator/recordings of the
                         simulated contact centre shows what it served
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
  accounts. docs/sandbox.md has the bodies, and every wrong one is answered with what is allowed, as are those of the simulator.

  CALLFEED_ACCOUNTS          a JSON list of accounts that replaces the built-in account:
                             [{"userName": "...", "apiKeys": ["..."], "timeZone": "Asia/Kolkata", "baseUrl"?: "...",
                               "token": {"kind": "none"} | {"kind": "static", "value": "..."} | {"kind": "generate"}}]
  CALLFEED_CALLBACK_SECRET   callbacks are then accepted at /{secret}/callDetails only; 16 to 128 of A-Z a-z 0-9 - . _ ~`;

export interface CliOptions extends SandboxOptions {
  readonly help: boolean;
  readonly quiet: boolean;
  readonly verbose: boolean;
}

/** Reads flags and environment. The problem names what is wrong and what is allowed; it never repeats a secret. */
export const optionsFrom = (
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): Result<CliOptions, string> => {
  const read = flagsFrom(args);
  if (!read.ok) return read;
  const { 'no-traffic': noTraffic, 'dead-letters-after': deadLetterSeconds, ...others } = read.value;
  const { 'dynamodb-port': dynamodbPort, 'provider-port': providerPort, ...flags } = others;
  const accounts = accountsFrom(environment['CALLFEED_ACCOUNTS'], flags.provider);
  if (!accounts.ok) return accounts;
  const callbackSecret = environment['CALLFEED_CALLBACK_SECRET'] || undefined;
  const secret = z.optional(CallbackSecret).safeParse(callbackSecret);
  if (!secret.success) return fail(`CALLFEED_CALLBACK_SECRET ${secret.error.issues[0]?.message}.`);

  const own = { dynamodbPort, providerPort, traffic: !noTraffic, deadLetterSeconds, callbackSecret };
  return ok({ ...flags, ...own, accounts: accounts.value });
};

const wholeNumber = (least: number, most: number, allowed: string) =>
  z
    .string()
    .regex(/^\d{1,7}$/, allowed)
    .transform(Number)
    .refine((number) => number >= least && number <= most, allowed);

const maxPort = 65_535;
const port = wholeNumber(0, maxPort, `must be a whole number from 0 to ${maxPort}; 0 picks a free port.`);

/** SQS stores a message for 14 days at most. */
const maxDeadLetterSeconds = 14 * deployedDeadLetterSeconds;

const folder = z
  .string()
  .min(1, 'must be a folder; it is created if it does not exist.')
  .transform((path) => resolve(path))
  .refine(
    (path) => statSync(path, { throwIfNoEntry: false })?.isDirectory() !== false,
    'must be a folder; this is a file.',
  )
  .optional();

const isSet = z.boolean().default(false);

const flags = {
  port: port.prefault('3000'),
  'dynamodb-port': port.prefault('8000'),
  'provider-port': port.prefault('4000'),
  provider: z
    .string()
    .refine(
      isServiceAddress,
      'must be an https address without query and credentials. To this machine http is allowed, too.',
    )
    .transform((address) => address.replace(/\/+$/, ''))
    .optional(),
  'no-traffic': isSet,
  recordings: isSet,
  data: folder,
  analytics: folder,
  'dead-letters-after': wholeNumber(
    1,
    maxDeadLetterSeconds,
    `must be a whole number of seconds from 1 to ${maxDeadLetterSeconds}, 14 days.`,
  ).prefault(String(deployedDeadLetterSeconds)),
  quiet: isSet,
  verbose: isSet,
  help: isSet,
} as const;

const Flags = z.object(flags).refine((flags) => {
  const fixed = [flags.port, flags['dynamodb-port'], flags['provider-port']].filter((number) => number !== 0);
  return new Set(fixed).size === fixed.length;
}, '--port, --dynamodb-port and --provider-port must differ.');

const options = mapValues(flags, (schema) => ({ type: schema === isSet ? ('boolean' as const) : ('string' as const) }));

const flagsFrom = (args: readonly string[]): Result<z.infer<typeof Flags>, string> => {
  try {
    const flags = Flags.safeParse(parseArgs({ args: [...args], options }).values);
    if (flags.success) return ok(flags.data);
    const [{ path, message } = { path: [], message: '' }] = flags.error.issues;
    return fail([...path.map((flag) => `--${String(flag)}`), message].join(' '));
  } catch (error) {
    const names = Object.keys(flags).map((name) => `--${name}`);
    return fail(`${argumentsProblem(error)} Flags are ${names.join(', ')}; npm start -- --help explains them.`);
  }
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
