import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { defaultTimeZone, readAccounts } from '../../lib/account/account.ts';
import { isTimeZone } from '../../lib/time/time-zone.ts';
import { summaryOf } from './summary-of.ts';

const usage = `Checks a list of accounts before it is put into the secret, as the functions will check it.

  npm run check-accounts -- accounts.json
  npm run check-accounts -- - < accounts.json

      --timeZone ZONE   the deployment's setting, where it is not Asia/Kolkata

Prints what each account means, without its keys; or which field is wrong and what is allowed (exit code 1).`;

/** 0 is what a process reads its standard input by. */
const textOf = (file: string): string => readFileSync(file === '-' ? 0 : file, 'utf8');

const run = (args: readonly string[]): number => {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      help: { type: 'boolean', short: 'h', default: false },
      timeZone: { type: 'string', default: defaultTimeZone },
    },
  });
  const [file, ...others] = positionals;
  if (values.help) return print(usage);
  if (file === undefined || others.length > 0) return complain(usage);

  if (!isTimeZone(values.timeZone)) return complain('--timeZone: expected an IANA time zone such as Asia/Kolkata');

  const accounts = readAccounts(textOf(file), values.timeZone);
  return accounts.ok ? print(accounts.value.map(summaryOf).join('\n')) : complain(accounts.problem);
};

const print = (text: string): number => {
  process.stdout.write(`${text}\n`);
  return 0;
};

const complain = (text: string): number => {
  process.stderr.write(`${text}\n`);
  return 1;
};

try {
  process.exitCode = run(process.argv.slice(2));
} catch (error) {
  process.exitCode = complain(error instanceof Error ? error.message : String(error));
}
