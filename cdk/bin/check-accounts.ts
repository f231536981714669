import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { type Account, parseAccounts } from '../../lib/accounts/accounts.ts';
import { print, printError } from './output.ts';

const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** Describes an account in a line, without its keys and its token. */
const describeAccount = ({ userName, apiKeys, baseUrl, timeZone, token }: Account): string => {
  const polled = baseUrl === undefined ? 'agents not polled' : `agents polled at ${baseUrl}, token: ${token?.kind}`;

  return `${userName}: ${plural(apiKeys.length, 'live key')}, times in ${timeZone}, ${polled}`;
};

const usage = `Checks a list of accounts as the functions will, before you put it into the secret.

  npm run check-accounts -- accounts.json
  npm run check-accounts -- - < accounts.json

Prints a line for each account, without its keys (exit code 0). If a field is invalid, prints the field and what is
allowed (exit code 1). If the file cannot be read or the command is wrong, prints the reason (exit code 2).`;

/** File descriptor 0 is the standard input. */
const readText = (file: string): string => readFileSync(file === '-' ? 0 : file, 'utf8');

const options = {
  help: { type: 'boolean', short: 'h', default: false },
} as const;

/** Prints the accounts, or what is invalid. Returns the exit code. */
const run = ({ values, positionals }: ReturnType<typeof optionsIn>): number => {
  const [file, ...others] = positionals;
  if (values.help) return print(usage);
  if (file === undefined || others.length > 0) throw new Error('Name one file, or - for standard input.');

  const accounts = parseAccounts(readText(file));
  return accounts.ok ? print(accounts.value.map(describeAccount).join('\n')) : printError(1, accounts.problem);
};

const optionsIn = (args: readonly string[]) => parseArgs({ args: [...args], allowPositionals: true, options });

try {
  process.exitCode = run(optionsIn(process.argv.slice(2)));
} catch (error) {
  process.exitCode = printError(2, `${error instanceof Error ? error.message : String(error)}\n\n${usage}`);
}
