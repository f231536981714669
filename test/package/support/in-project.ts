import { execFile } from 'node:child_process';

/** What a process did. */
export interface Ended {
  readonly code: number;
  readonly output: string;
  readonly errors: string;
}

/** What a process gets beside its arguments: text to read, and variables beside those of the tests. */
interface Given {
  readonly input?: string;
  readonly environment?: Readonly<Record<string, string>>;
}

/** Runs a program in a project to its end, whatever that is. */
export const runIn = (
  project: string,
  program: string,
  args: readonly string[],
  { input = '', environment = {} }: Given = {},
): Promise<Ended> =>
  new Promise((resolve) => {
    const env = { ...process.env, ...environment };
    const child = execFile(program, args, { cwd: project, env }, (error, output, errors) =>
      resolve({ code: error === null ? 0 : Number(error.code ?? 1), output, errors }),
    );
    // A program that does not read has no use for it.
    child.stdin?.on('error', () => undefined).end(input);
  });

/** Runs Node, the one that runs the tests, in a project. */
export const nodeIn = (project: string, args: readonly string[], given?: Given): Promise<Ended> =>
  runIn(project, process.execPath, args, given);

/** Runs the project's compiler, with options beside those of its `tsconfig.json`. */
export const compile = (project: string, ...options: readonly string[]): Promise<Ended> =>
  nodeIn(project, ['node_modules/typescript/bin/tsc', '-p', '.', '--pretty', 'false', ...options]);
