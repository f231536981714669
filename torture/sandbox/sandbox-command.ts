import { fileURLToPath } from 'node:url';
import type { Process } from './processes.ts';

/** How the sandbox is started. */
export interface ChildOptions {
  /** The folder in which it keeps everything. */
  readonly data: string;
  /** Whether calls happen by themselves, and agents come and go. */
  readonly traffic: boolean;
  /** The port of an earlier run, so that whoever posts need not look for it; else a free one. */
  readonly port?: number;
  /** Whether Node's inspector listens. */
  readonly inspected?: boolean;
}

const fileIn = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const guard = fileIn('sandbox/dynamodb/guard.ts');
const main = fileIn('sandbox/main.ts');

/**
 * What Node is to run: the sandbox as its users start it, under the guard that DynamoDB Local has too. So it ends when
 * the process that starts it ends, however that happens.
 */
export const sandboxCommand = ({ data, traffic, port = 0, inspected = false }: ChildOptions): readonly string[] => [
  guard,
  process.execPath,
  ...(inspected ? ['--inspect=127.0.0.1:0'] : []),
  main,
  ...['--port', String(port), '--dynamodb-port', '0', '--provider-port', '0', '--data', data],
  ...(traffic ? [] : ['--no-traffic']),
];

/** Which of its processes runs the functions, and which is DynamoDB Local; guards have their commands in their own. */
export const pidsIn = (tree: readonly Process[]): { readonly sandbox: number; readonly dynamodb: number } => {
  const pidOf = (text: string): number =>
    tree.find(({ command }) => command.includes(text) && !command.includes(guard))?.pid ?? 0;

  return { sandbox: pidOf(main), dynamodb: pidOf('DynamoDBLocal.jar') };
};
