import type { Closers } from '../../sandbox/closers.ts';
import { type Command, startProcessTree } from './child-process-tree.ts';

const shownLines = 30;

/** Runs a command that ends by itself. Rejects with the end of what it printed unless it succeeds. */
export const runToEnd = async (command: Command, closers: Closers): Promise<void> => {
  const printed: string[] = [];
  const onLine = (line: string): void => {
    printed.push(line);
    command.onLine(line);
  };
  const tree = startProcessTree({ ...command, onLine });
  closers.add(tree.stop);
  const code = await tree.ended;
  await tree.stop();
  if (code !== 0)
    throw new Error(
      `${[command.command, ...command.args].join(' ')} ended with ${code}. It printed at last:\n${printed.slice(-shownLines).join('\n')}`,
    );
};
