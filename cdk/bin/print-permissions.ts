import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ok, type Result } from '../../lib/core/result.ts';
import { synthesiseStack } from '../callfeed-stack.ts';
import { permissionsIn, permissionTable } from './permission-table.ts';

const usage = `Prints every permission that a deployment grants to its roles: function, action, resource, reason.

  npm run permissions
  npm run permissions -- -c agentPolling=off -c kmsKeyArn=arn:aws:kms:…

  -c, --context NAME=VALUE   a setting, as for cdk deploy; repeatable
      --json                 prints a JSON list
  -h, --help                 prints this text`;

const contextOf = (settings: readonly string[]) =>
  Object.fromEntries(
    settings.map((setting) => {
      const end = setting.indexOf('=');
      if (end === -1) throw new Error(`-c ${setting}: expected NAME=VALUE`);
      return [setting.slice(0, end), setting.slice(end + 1)];
    }),
  );

const options = {
  context: { type: 'string', short: 'c', multiple: true },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

const run = (outdir: string): Result<string, readonly string[]> => {
  const { context = [], json, help } = parseArgs({ options }).values;
  if (help) return ok(usage);

  const stack = synthesiseStack(contextOf(context), outdir);
  if (!stack.ok) return stack;

  const permissions = permissionsIn(stack.value);
  return ok(json ? JSON.stringify(permissions, undefined, 2) : permissionTable(permissions).join('\n'));
};

const outdir = mkdtempSync(join(tmpdir(), 'callfeed-permissions-'));
try {
  const result = run(outdir);
  process.exitCode = result.ok ? 0 : 1;
  if (result.ok) process.stdout.write(`${result.value}\n`);
  else process.stderr.write(`${result.problem.join('\n')}\n`);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n\n${usage}\n`);
  process.exitCode = 1;
} finally {
  rmSync(outdir, { recursive: true });
}
