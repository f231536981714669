import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type Account, readAccounts } from '../../lib/account/account.ts';
import { CallbackSecret } from '../../lib/callback/callback-secret.ts';
import { fail, ok, type Result } from '../../lib/result.ts';
import type { SandboxOptions } from '../sandbox-options.ts';
import { argumentsProblem } from './arguments-problem.ts';
import { portsFrom } from './ports.ts';
import { usage } from './usage.ts';

/** What the user asked for. */
export interface CliOptions extends SandboxOptions {
  readonly help: boolean;
  readonly quiet: boolean;
  /** Whether to show what the functions log. */
  readonly verbose: boolean;
}

const flags = {
  port: { type: 'string', default: '3000' },
  'dynamodb-port': { type: 'string', default: '8000' },
  'provider-port': { type: 'string', default: '4000' },
  provider: { type: 'string' },
  'no-traffic': { type: 'boolean', default: false },
  data: { type: 'string' },
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

const providerFrom = (text: string | undefined): Result<string | undefined, string> => {
  if (text === undefined) return ok(undefined);
  const isHttp = URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);

  return isHttp
    ? ok(text.replace(/\/+$/, ''))
    : fail('--provider must be an address that begins with http:// or https://.');
};

const accountsFrom = (json: string | undefined): Result<readonly Account[] | undefined, string> => {
  if (!json) return ok(undefined);
  const accounts = readAccounts(json);

  return accounts.ok ? accounts : fail(`CALLFEED_ACCOUNTS, a JSON list of accounts, is wrong at ${accounts.problem}`);
};

/** Reads flags and environment. The problem says what is wrong and what is allowed, without repeating a secret. */
export const optionsFrom = (
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): Result<CliOptions, string> => {
  const parsed = parse(args);
  if (!parsed.ok) return parsed;
  const { help, quiet, verbose, data, 'no-traffic': silent } = parsed.value;

  const ports = portsFrom(parsed.value);
  if (!ports.ok) return ports;
  const provider = providerFrom(parsed.value.provider);
  if (!provider.ok) return provider;
  const accounts = accountsFrom(environment['CALLFEED_ACCOUNTS']);
  if (!accounts.ok) return accounts;
  const callbackSecret = environment['CALLFEED_CALLBACK_SECRET'] || undefined;
  const secret = CallbackSecret.optional().safeParse(callbackSecret);
  if (!secret.success) return fail(`CALLFEED_CALLBACK_SECRET ${secret.error.issues[0]?.message}.`);
  if (data === '') return fail('--data must be a folder; it is created if it does not exist.');

  return ok({
    ...ports.value,
    help,
    quiet,
    verbose,
    provider: provider.value,
    traffic: !silent,
    data: data === undefined ? undefined : resolve(data),
    accounts: accounts.value,
    callbackSecret,
  });
};
