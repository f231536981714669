import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { checkout, installedPackage, projectWith } from '../../../support/packed-package.ts';

const examples = join(checkout, 'docs/examples');

/**
 * A copy of an example in a folder with the packed package installed, so that it imports what users get and not the
 * sources. The CDK looks for a lock file before it bundles, so there is one.
 */
export const exampleProject = async (name: string): Promise<string> => {
  const files = readdirSync(join(examples, name)).map((file) => [
    file,
    readFileSync(join(examples, name, file), 'utf8'),
  ]);

  return projectWith(await installedPackage(), { ...Object.fromEntries(files), 'package-lock.json': '{}' });
};

/** The commands in an example's README that match, in order. */
export const commandsIn = (name: string, beginning: RegExp): readonly string[] => {
  const readme = readFileSync(join(examples, name, 'README.md'), 'utf8');
  const [, inSandbox = ''] = /## In the sandbox([\s\S]*)## On AWS/.exec(readme) ?? [];

  return inSandbox.split('\n').filter((line) => beginning.test(line));
};

/** The variables of sandbox.env, with changes for a sandbox at other addresses. */
export const sandboxEnvironment = (changes: Readonly<Record<string, string>>): Readonly<Record<string, string>> => {
  const variables = parseEnv(readFileSync(join(examples, 'sandbox.env'), 'utf8'));

  return { ...Object.fromEntries(Object.entries(variables).map(([name, value = '']) => [name, value])), ...changes };
};
