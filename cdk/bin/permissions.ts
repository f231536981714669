import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { synthesiseStack } from '../callfeed-stack.ts';
import { permissionsIn, permissionTable } from './permission-table.ts';

/** Prints the result of a command to standard output. Returns the exit code 0. */
const print = (text: string): number => {
  process.stdout.write(`${text}\n`);
  return 0;
};

/** Prints an error to standard error. Returns the exit code that it was given. */
const printError = (code: number, text: string): number => {
  process.stderr.write(`${text}\n`);
  return code;
};

const usage = `Prints every permission that a deployment grants to its roles: function, action, resource, reason.

  npm run permissions
  npm run permissions -- -c agentPolling=off -c kmsKeyArn=arn:aws:kms:…

  -c, --context NAME=VALUE   a setting, as for cdk deploy; repeatable
      --json                 prints a JSON list
  -h, --help                 prints this text`;

const optionsIn = (args: readonly string[]) =>
  parseArgs({
    args: [...args],
    options: {
      context: { type: 'string', short: 'c', multiple: true, default: [] },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  }).values;

const contextOf = (settings: readonly string[]) =>
  Object.fromEntries(
    settings.map((setting) => {
      const [name = '', ...value] = setting.split('=');
      if (value.length === 0) throw new Error(`-c ${setting}: expected NAME=VALUE`);

      return [name, value.join('=')];
    }),
  );

/** Prints the table, or the invalid settings. Returns the exit code. */
const run = (args: readonly string[]): number => {
  const options = optionsIn(args);
  if (options.help) return print(usage);

  const outdir = mkdtempSync(join(tmpdir(), 'callfeed-permissions-'));
  try {
    const stack = synthesiseStack(contextOf(options.context), outdir);
    if (!stack.ok) return printError(1, stack.problem.join('\n'));

    const permissions = permissionsIn(stack.value);
    return print(options.json ? JSON.stringify(permissions, undefined, 2) : permissionTable(permissions).join('\n'));
  } finally {
    rmSync(outdir, { recursive: true });
  }
};

try {
  process.exitCode = run(process.argv.slice(2));
} catch (error) {
  process.exitCode = printError(1, `${error instanceof Error ? error.message : String(error)}\n\n${usage}`);
}
