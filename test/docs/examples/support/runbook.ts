import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';
import type { Addresses, SandboxState } from '../../../../sandbox/sandbox-state.ts';
import { type Ended, runIn } from '../../../package/support.ts';
import { checkout } from '../../../support/packed-package.ts';
import { sandboxEnvironment } from './example-project.ts';

/** A section of the runbook by its title, without its subsections. Throws if there is none. */
export const runbookSection = (title: string): string => {
  const [, section] = readFileSync(join(checkout, 'docs/runbook.md'), 'utf8').split(`# ${title}\n`);
  if (section === undefined) throw new Error(`The runbook has no section ${title}`);
  const [own = ''] = section.split(/^#/m);
  return own;
};

/** The commands of a section, block by block. */
export const blocksIn = (section: string): readonly string[] =>
  [...section.matchAll(/^( *)```sh\n(.*?)^ *```/gms)].map(([, indent = '', block = '']) =>
    block.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
  );

/** Every command of a section: those of Callfeed within its sentences, and those of its blocks one by one. */
export const commandsOf = (section: string): readonly string[] => [
  ...[...section.replace(/```.*?```/gs, '').matchAll(/`(npx callfeed [^`]+)`/g)].map(([, command = '']) =>
    command.replaceAll(/\s+/g, ' '),
  ),
  ...blocksIn(section).flatMap((block) => block.trim().split(/(?<!\\)\n/)),
];

/** Runs a program in a folder, with the environment of the examples and the AWS CLI, against a sandbox. */
export const runAgainst = (
  { dynamodb, secretsmanager }: Pick<Addresses, 'dynamodb' | 'secretsmanager'>,
  [folder, program, ...args]: readonly [folder: string, program: string, ...args: string[]],
  changes: Readonly<Record<string, string>> = {},
): Promise<Ended> =>
  runIn(folder, program, args, {
    environment: sandboxEnvironment({
      AWS_ENDPOINT_URL_DYNAMODB: dynamodb,
      AWS_ENDPOINT_URL_SECRETS_MANAGER: secretsmanager,
      PATH: `${inject('pythonPrograms')}:${process.env['PATH']}`,
      PYTHONDONTWRITEBYTECODE: '1',
      ...changes,
    }),
  });

/** How an operator at a sandbox differs from one at a deployment. */
interface Operator {
  /** What is typed where the shell reads a secret. */
  readonly typed?: string;
  readonly callbackSecret: string;
  readonly environment?: Readonly<Record<string, string>>;
}

/**
 * Runs commands of the runbook in one shell of a checkout. They are as printed, but that they go to a sandbox, with its account
 * `demo`, and that what an operator types is the input of `read`.
 */
export const runAsPrinted = async (
  sandbox: string,
  { typed = '', callbackSecret, environment }: Operator,
  ...blocks: readonly (string | undefined)[]
): Promise<Ended> => {
  const { accountsSecret, addresses } = (await (await fetch(sandbox)).json()) as SandboxState;
  const address = callbackSecret === '' ? addresses.gateway : `${addresses.gateway}/${callbackSecret}`;
  const outputs = `output() { case $1 in
    AccountsSecretArn) echo ${accountsSecret};; CallbackUrl) echo ${address};; AgentsTableName) echo callfeed-agents;; *) exit 9;;
  esac; }`;
  const here = blocks
    .map((block = 'false') => (block.startsWith('read -rs') ? `{ ${block} } <<< '${typed}'` : block))
    .join('\n')
    .replaceAll('--stack "$STACK"', `--endpoint ${addresses.gateway}`)
    .replaceAll(/(?<![$\w.])ACCOUNT(?![\w=])|(?<=\bACCOUNT=)acme/g, 'demo');
  return runAgainst(addresses, [checkout, 'bash', '-c', `set -eo pipefail\n${outputs}\n${here}`], environment);
};
