import { fileURLToPath } from 'node:url';
import { demoAccount } from '../../../sandbox/sandbox-options.ts';
import type { SandboxState } from '../../../sandbox/sandbox-state.ts';
import { root, startProcessTree } from '../../support/process-tree.ts';
import { until } from '../../support/until.ts';

const main = fileURLToPath(new URL('../../../sandbox/main.ts', import.meta.url));

const startWithin = { seconds: 60, everyMilliseconds: 25 };

/** The addresses are in the first lines, before those of the posts. */
const shownLines = 200;

/** Starts the sandbox as its users do, with its tables in memory unless there is a folder for them; with the port of an earlier run its address stays. Rejects if it does not start. */
export const startSandboxChild = async ({
  data,
  port = 0,
}: {
  readonly data?: string;
  readonly port?: number;
} = {}) => {
  const lines: string[] = [];
  const ports = ['--port', String(port), '--dynamodb-port', '0', '--provider-port', '0'];
  const tree = startProcessTree({
    command: process.execPath,
    args: ['--inspect=127.0.0.1:0', main, '--no-traffic', ...ports, ...(data === undefined ? [] : ['--data', data])],
    folder: root,
    environment: process.env,
    onLine: (line) => void (lines.length < shownLines && lines.push(line)),
  });
  const found = (pattern: RegExp): string | undefined => pattern.exec(lines.join('\n'))?.[1];
  const ended = tree.ended.then(() => {
    throw new Error(`The sandbox did not start: ${lines.join('\n')}`);
  });
  ended.catch(() => undefined);
  const ready = until('the sandbox starts', () => found(/(Ctrl-C stops everything\.)/), Boolean, startWithin);
  try {
    await Promise.race([ready, ended]);
    const gateway = found(/POST (http:\/\/127\.0\.0\.1:\d+)/) ?? '';
    const state = async () => (await (await fetch(`${gateway}/_sandbox`)).json()) as SandboxState;
    const { addresses, accounts } = await state();
    if (!accounts.includes(demoAccount.userName) || addresses.callbacks.includes('{secret}'))
      throw new Error('Unset CALLFEED_ACCOUNTS and CALLFEED_CALLBACK_SECRET: posts belong to the built-in account.');
    const answers = () => fetch(addresses.dynamodb).then(Boolean, () => false);
    return {
      ...{ addresses, state },
      port: Number(new URL(gateway).port),
      inspector: found(/Debugger listening on (ws:\S+)/) ?? '',
      /** Ends it at once. DynamoDB Local, which has a guard of its own, ends soon after. */
      async kill() {
        tree.kill();
        await tree.stop();
        await until('DynamoDB Local is gone', answers, (is) => !is);
      },
      stop: tree.stop,
    };
  } catch (error) {
    await tree.stop();
    throw error;
  }
};

/** A running sandbox in processes of its own, without calls of its own. */
export type SandboxChild = Awaited<ReturnType<typeof startSandboxChild>>;
