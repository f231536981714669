import { join } from 'node:path';
import { connectInspector } from '../../test/faults/endurance/sandbox-child.ts';
import { root, startProcessTree } from '../../test/support/process-tree.ts';
import { until } from '../../test/support/until.ts';

/** A request of the console to a table, as `--verbose` prints it. */
export interface PrintedRead {
  /** On the clock of `performance.now`. */
  readonly at: number;
  readonly table: string;
}

const shownLines = 20;

/** Starts `callfeed console --verbose` over a sandbox, in a process of its own whose memory can be measured. */
export const startConsole = async (endpoint: string) => {
  const lines: string[] = [];
  let reads: PrintedRead[] = [];
  const found = (pattern: RegExp): string | undefined => pattern.exec(lines.join('\n'))?.[1];
  const tree = startProcessTree({
    command: process.execPath,
    args: [
      ...['--inspect=127.0.0.1:0', join(root, 'cli/callfeed.js'), 'console'],
      ...['--endpoint', endpoint, '--port', '0', '--verbose'],
    ],
    folder: root,
    environment: process.env,
    onLine(line) {
      const [, table] = /^(?:Query|GetItem|BatchGetItem) on (\w+)/.exec(line) ?? [];
      if (table !== undefined) reads.push({ at: performance.now(), table });
      else if (lines.length < shownLines) lines.push(line);
    },
  });
  try {
    const ended = tree.ended.then(() => {
      throw new Error(`The console did not start: ${lines.join('\n')}`);
    });
    ended.catch(() => undefined);
    const isUp = until('the console serves', () => found(/^(http:\S+)$/m), Boolean, { seconds: 60 });
    await Promise.race([isUp, ended]);
    const inspector = await connectInspector(found(/Debugger listening on (ws:\S+)/) ?? '');
    return {
      url: found(/^(http:\S+)$/m) ?? '',
      held: inspector.held,
      /** The reads since the last call of this function. */
      takeReads() {
        const taken = reads;
        reads = [];
        return taken;
      },
      async stop() {
        inspector.close();
        await tree.stop();
      },
    };
  } catch (error) {
    await tree.stop();
    throw error;
  }
};

/** A console that runs in a process of its own. */
export type ConsoleChild = Awaited<ReturnType<typeof startConsole>>;
