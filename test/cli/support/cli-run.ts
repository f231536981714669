import type { Context } from '../../../cli/command.ts';
import { connect } from '../../../cli/connection/connect.ts';
import { run } from '../../../cli/program.ts';
import { holdToPermissions } from './declared-permissions.ts';

/** What a command did: its exit code, its results, its notes and its progress lines. */
export interface CliRun {
  readonly code: number;
  readonly output: string;
  readonly notes: string;
  readonly progress: readonly string[];
}

/** Runs a command line in this process; `replaced` replaces parts of its context. */
export const cli = async (args: readonly string[], replaced: Partial<Context> = {}): Promise<CliRun> => {
  const lines = { output: '', notes: '' };
  const progress: string[] = [];
  const code = await run(args, {
    clock: () => new Date(),
    interruption: () => new AbortController().signal,
    outputClosed: () => new AbortController().signal,
    readInput: async () => Buffer.alloc(0),
    terminal: {
      print: (line) => {
        lines.output += `${line}\n`;
      },
      note: (line) => {
        lines.notes += `${line}\n`;
      },
      progress: (line) => progress.push(line),
      hasColours: false,
      width: 80,
    },
    ...replaced,
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
