import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { checkout, installedPackage, projectWith } from '../../../support/packed-package.ts';

const examples = join(checkout, 'docs/examples');

/**
 * A copy of an example in a folder in which the packed package is installed: what imports `callfeed/contract` gets what its
 * users would, which the sources beside it are not. The lock file is there for the CDK, which looks for one to bundle.
 */
export const exampleProject = async (name: string): Promise<string> => {
  const files = readdirSync(join(examples, name)).map((file) => [
    file,
    readFileSync(join(examples, name, file), 'utf8'),
  ]);

  return projectWith(await installedPackage(), { ...Object.fromEntries(files), 'package-lock.json': '{}' });
};

/** The commands of an example's README that begin in one of some ways, in order. */
export const commandsIn = (name: string, beginning: RegExp): readonly string[] => {
  const readme = readFileSync(join(examples, name, 'README.md'), 'utf8');
  const [, inSandbox = ''] = /## In the sandbox([\s\S]*)## On AWS/.exec(readme) ?? [];

  return inSandbox.split('\n').filter((line) => beginning.test(line));
};

/** The environment in which examples run against a sandbox, at its own addresses. */
export const sandboxEnvironment = (changes: Readonly<Record<string, string>>): Readonly<Record<string, string>> => {
  const variables = parseEnv(readFileSync(join(examples, 'sandbox.env'), 'utf8'));

  return { ...Object.fromEntries(Object.entries(variables).map(([name, value = '']) => [name, value])), ...changes };
};
