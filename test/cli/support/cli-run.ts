import { execFileSync } from 'node:child_process';
import type { Context } from '../../../cli/frame/command.ts';
import { connect } from '../../../cli/frame/connect.ts';
import type { Deployment } from '../../../cli/frame/deployment.ts';
import { commands, run } from '../../../cli/program.ts';

/** What IAM calls the requests of a transaction. */
const ofTransactions: Readonly<Record<string, readonly string[]>> = {
  TransactWriteItems: ['PutItem', 'DeleteItem'],
};

/** The actions that the command of a line declares; undefined for a former name, which declares none. */
const declaredBy = ([name = '', verb = '']: readonly string[]): readonly string[] | undefined => {
  const found = commands.find((one) => one.name === name);
  if (found === undefined || ('commands' in found && found.hidden)) return undefined;
  const isCommand = !('commands' in found);
  const declared = isCommand
    ? found
    : (found.commands.find((one) => one.name === verb) ?? found.commands.find(({ isDefault }) => isDefault));
  return declared?.permissions.flatMap(({ actions }) => actions);
};

/** Throws where a command asks for something that its permissions do not name: AWS would deny it. */
export const holdToPermissions = (args: readonly string[], deployment: Deployment): Deployment => {
  const declared = declaredBy(args);
  // A test may have a stand-in of a client, which has no middleware.
  const parts: Readonly<Record<string, Partial<Deployment['dynamodb']>>> = {
    dynamodb: deployment.dynamodb,
    sqs: deployment.sqs as never,
  };
  for (const [service, { middlewareStack }] of Object.entries(parts))
    middlewareStack?.add(
      (next, { commandName = '' }) =>
        (request) => {
          const name = commandName.replace(/Command$/, '');
          for (const action of ofTransactions[name] ?? [name])
            if (declared !== undefined && !declared.includes(`${service}:${action}`))
              throw new Error(`${args.join(' ')} uses ${service}:${action}, which its permissions do not name`);
          return next(request);
        },
      { step: 'initialize', name: 'holdToPermissions', override: true },
    );
  return deployment;
};

/** What a command did: its exit code, its results, its notes and its progress lines. */
export interface CliRun {
  readonly code: number;
  readonly output: string;
  readonly notes: string;
  readonly progress: readonly string[];
}

/** Parts of a command's context, and of its terminal, that a test replaces. */
export type Replaced = Partial<Omit<Context, 'terminal'>> & { readonly terminal?: Partial<Context['terminal']> };

/** Runs a command line in this process. */
export const cli = async (args: readonly string[], replaced: Replaced = {}): Promise<CliRun> => {
  const lines = { output: '', notes: '' };
  const progress: string[] = [];
  const code = await run(args, {
    clock: () => new Date(),
    interruption: () => new AbortController().signal,
    outputClosed: () => new AbortController().signal,
    readInput: async () => Buffer.alloc(0),
    ...replaced,
    terminal: {
      print: (line) => {
        lines.output += `${line}\n`;
      },
      note: (line) => {
        lines.notes += `${line}\n`;
      },
      progress: (line) => progress.push(line),
      hasColours: false,
      ...replaced.terminal,
    },
    connect: async (where) => holdToPermissions(args, await (replaced.connect ?? connect)(where)),
  });
  return { code, ...lines, progress };
};

/** The objects that a command printed with `--json`. */
export const jsonLines = ({ output }: CliRun): readonly Record<string, unknown>[] =>
  output
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));

/** The programs that commands name here: each prints its name and arguments, with their number in front. */
const programs = ['npx', 'aws', 'curl', 'npm'];
const standIns = programs.map((name) => `${name}() { printf '%s\\0' $(($# + 1)) ${name} "$@"; }`);

/** What bash gives to a program for each line. It expands its history, as it does for people, and finds no other program. */
export const inBash = (lines: readonly string[]): readonly (readonly string[])[] => {
  const input = ['set -o history -H', ...standIns, ...lines, ''].join('\n');
  const printed = execFileSync('/bin/bash', ['--noprofile', '--norc'], { input, env: { PATH: '', LC_ALL: 'C' } });
  const words = printed.toString().split('\0').slice(0, -1);
  const commands: (readonly string[])[] = [];
  for (let at = 0; at < words.length; ) {
    const end = at + 1 + Number(words[at]);
    commands.push(words.slice(at + 1, end));
    at = end;
  }
  return commands;
};
