import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { firstSignal, print } from '../../../sandbox/cli/run-command.ts';
import { createClosers } from '../../../sandbox/closers.ts';
import { clientsAt } from './clients.ts';
import { logLines } from './deployment.ts';
import { type Ministack, untested } from './ministack/start-ministack.ts';
import { scenario } from './scenario.ts';
import { createSteps } from './step-runner.ts';

const shown = { lines: 20, characters: 300 };

const section = (title: string, lines: readonly string[]): string => {
  const last = lines.slice(-shown.lines).map((line) => line.slice(0, shown.characters));
  return `\n${title}:\n${last.join('\n')}\n`;
};

/** Leaves out Lambda's own lines, metrics and warnings of Node: none of them explains a failure. */
const isRelevant = (line: string): boolean => !/^(?:START|END|REPORT) |^\{"_aws"|^\((?:node:|Use `node)/.test(line);

/** The last log lines of the emulator and of the functions, for a report of a failure. */
export const lastLogLines = async ({ endpoint, log }: Ministack): Promise<string> => {
  // The functions may not exist yet, or the emulator may have ended.
  const functionLines = await logLines({ clients: clientsAt(endpoint) }).catch(() => []);

  return (
    section('Last log lines of MiniStack', log().filter(isRelevant)) +
    section('Last log lines of the functions', functionLines.filter(isRelevant))
  );
};

/** The exit code by convention: 128 plus the number of SIGINT. */
const interrupted = 130;

/** Longer than it takes to kill a process tree. */
const closeTimeoutMilliseconds = 20_000;

const printFailure = async (error: unknown, ministack: Ministack | undefined): Promise<void> => {
  process.stderr.write(`\n${error instanceof Error ? error.message : String(error)}\n`);
  if (ministack !== undefined) process.stderr.write(await lastLogLines(ministack));
};

/** Runs the scenario, stops everything that it started, and resolves with the exit code. */
const run = async (): Promise<number> => {
  const signalled = firstSignal();
  const stopping = new AbortController();
  const closers = createClosers(closeTimeoutMilliseconds);
  const folder = await mkdtemp(join(tmpdir(), 'callfeed-e2e-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  const step = createSteps({ print, now: () => performance.now(), stopped: stopping.signal });
  let ministack: Ministack | undefined;
  const onStarted = (started: Ministack): void => {
    ministack = started;
  };

  const startedAt = performance.now();
  const outcome = scenario({ step, folder, closers, onStarted }).then(
    () => 0,
    async (error: unknown) => {
      if (!stopping.signal.aborted) await printFailure(error, ministack);
      return 1;
    },
  );
  const code = await Promise.race([outcome, signalled]);
  if (code === 'stopped') print('Stopping.');
  stopping.abort();
  await closers.closeAll();
  if (code === 0) {
    print(`All steps passed (${((performance.now() - startedAt) / 1000).toFixed(0)} s).`);
    print(`Not tested, since MiniStack does not support it: ${untested.join(', ')}.`);
  }
  return code === 'stopped' ? interrupted : code;
};

process.exit(await run());
