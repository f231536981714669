import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { Command, CommanderError, InvalidArgumentError } from '@commander-js/extra-typings';
import * as z from 'zod';
import { type Account, isServiceAddress, parseAccounts } from '../../lib/accounts/accounts.ts';
import { CallbackSecret } from '../../lib/accounts/callback-secret.ts';
import { fail, ok, type Result } from '../../lib/core/result.ts';
import { deployedDeadLetterSeconds, type SandboxOptions, withBaseUrl } from '../aws/sandbox-options.ts';

export interface CliOptions extends SandboxOptions {
  readonly help?: true | undefined;
  readonly quiet?: true | undefined;
  readonly verbose?: true | undefined;
}

const number =
  (least: number, most: number) =>
  (text: string): number => {
    if (/^\d{1,7}$/.test(text) && Number(text) >= least && Number(text) <= most) return Number(text);
    throw new InvalidArgumentError(`It must be a whole number from ${least} to ${most}.`);
  };

const port = number(0, 65_535);
const seed = number(0, 9_999_999);
/** SQS stores a message for 14 days at most. */
const seconds = number(1, 14 * deployedDeadLetterSeconds);

const folder = (path: string): string => {
  if (path !== '' && statSync(path, { throwIfNoEntry: false })?.isDirectory() !== false) return resolve(path);
  throw new InvalidArgumentError('It must be a folder, which is created if it does not exist, and no file.');
};

const service = (address: string): string => {
  if (isServiceAddress(address)) return address.replace(/\/+$/, '');
  throw new InvalidArgumentError(
    'It must be an https address without query and credentials. To this machine http is allowed, too.',
  );
};

const commandLine = () =>
  new Command('npm start --')
    .usage('[flags]        (npm needs the -- before flags)')
    .option('--port <number>', 'port that receives callbacks; 0 picks a free one, also below', port, 3000)
    .option('--dynamodb-port <number>', 'port of DynamoDB Local, which holds the tables', port, 8000)
    .option('--provider-port <number>', 'port of the simulated contact centre', port, 4000)
    .option('--provider <url>', 'polls the agents of this service; the sandbox then simulates nothing', service)
    .option('--no-traffic', 'simulates no calls and no agents, except those sent to POST /_sandbox/agents')
    .option('--data <dir>', 'stores tables, events and parked callbacks there between runs', folder)
    .option('--analytics <dir>', 'writes calls and agents there as Parquet for callfeed query --dir DIR', folder)
    .option('--dead-letters-after <seconds>', deadLettersHelp, seconds, deployedDeadLetterSeconds)
    .option('--recordings', 'archives the recordings of calls, as recordings=archive does')
    .option('--demo', 'has the last eight days of an invented contact centre, which goes on, and shows its people')
    .option('--seed <number>', 'another contact centre: the same number makes the same one on the same day', seed)
    .option('--personal', 'shows names and numbers in the console; in a sandbox they are invented')
    .option('--quiet', 'prints errors only')
    .option('--verbose', 'also prints the logs of the functions')
    .helpOption(false)
    .option('--help', 'prints this text')
    .exitOverride()
    .configureOutput({ writeErr: () => undefined });

const deadLettersHelp =
  'sets a parked callback aside after this time of failed attempts, by default a day as deployed. It is tried every 2 ' +
  'seconds here, and every 6 minutes in AWS';

export const usage = (): string => `${commandLine().helpInformation()}
The sandbox polls the agents of every account every 15 seconds and stores them in the table callfeed-agents.
Every 2 minutes it looks in the simulated call report for calls whose callback was lost. With --no-traffic and
--provider it does so only when asked: npx callfeed reconcile --endpoint http://localhost:3000

docs/sandbox.md has the addresses that change agents (POST /_sandbox/agents), traffic, accounts and faults while it runs.
Every wrong request to them is answered with what is allowed.

CALLFEED_ACCOUNTS          a JSON list of accounts that replaces the built-in account:
                           [{"userName": "...", "apiKeys": ["..."], "timeZone": "Asia/Kolkata", "baseUrl"?: "...",
                             "token": {"kind": "none"} | {"kind": "static", "value": "..."} | {"kind": "generate"}}]
CALLFEED_CALLBACK_SECRET   callbacks are then accepted at /{secret}/callDetails only; 16 to 128 of A-Z a-z 0-9 - . _ ~`;

/** Reads flags and environment. The problem names what is wrong and what is allowed; it never repeats a secret. */
export const optionsFrom = (
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): Result<CliOptions, string> => {
  const read = flagsFrom(args);
  if (!read.ok) return read;
  const { deadLettersAfter: deadLetterSeconds, ...flags } = read.value;
  const demoProblem = problemOfDemo(flags);
  if (demoProblem !== undefined) return fail(demoProblem);
  const fixedPorts = [flags.port, flags.dynamodbPort, flags.providerPort].filter((number) => number !== 0);
  if (new Set(fixedPorts).size < fixedPorts.length)
    return fail('--port, --dynamodb-port and --provider-port must differ.');
  const accounts = accountsFrom(environment['CALLFEED_ACCOUNTS'], flags.provider);
  if (!accounts.ok) return accounts;
  const callbackSecret = environment['CALLFEED_CALLBACK_SECRET'] || undefined;
  const secret = z.optional(CallbackSecret).safeParse(callbackSecret);
  if (!secret.success) return fail(`CALLFEED_CALLBACK_SECRET ${secret.error.issues[0]?.message}.`);

  return ok({ ...flags, deadLetterSeconds, callbackSecret, accounts: accounts.value });
};

type Flags = Pick<CliOptions, 'demo' | 'seed' | 'provider' | 'traffic'>;

const problemOfDemo = ({ demo, seed, provider, traffic }: Flags): string | undefined => {
  if (demo !== true) return seed === undefined ? undefined : '--seed is of a demonstration. Use it with --demo.';
  if (provider !== undefined) return '--demo has a contact centre of its own. Leave out --provider.';
  return traffic ? undefined : '--demo is traffic: its contact centre goes on. Leave out --no-traffic.';
};

const flagsFrom = (args: readonly string[]) => {
  try {
    return ok(commandLine().parse(args, { from: 'user' }).opts());
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    const [problem = ''] = error.message.replace(/^error: /, '').split('\n');
    return fail(`${problem.replace(/\.$/, '')}. npm start -- --help lists the flags.`);
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
