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

/** Lambda's own lines, metrics, and warnings about the program in which MiniStack runs functions say nothing of a failure. */
const isRelevant = (line: string): boolean => !/^(?:START|END|REPORT) |^\{"_aws"|^\((?:node:|Use `node)/.test(line);

/** What was written at last, for whoever has to find out why something does not hold. */
export const lastLogLines = async ({ endpoint, log }: Ministack): Promise<string> => {
  // There may be no functions yet, or no emulator any more.
  const ofFunctions = await logLines({ clients: clientsAt(endpoint) }).catch(() => []);

  return (
    section('MiniStack wrote at last', log().filter(isRelevant)) +
    section('The functions wrote at last', ofFunctions.filter(isRelevant))
  );
};

/** By convention, 128 and the number of SIGINT. */
const interrupted = 130;

/** More than a process tree takes that has to be killed. */
const patienceMilliseconds = 20_000;

const complain = async (error: unknown, ministack: Ministack | undefined): Promise<void> => {
  process.stderr.write(`\n${error instanceof Error ? error.message : String(error)}\n`);
  if (ministack !== undefined) process.stderr.write(await lastLogLines(ministack));
};

/** Runs everything, stops everything, and resolves with the exit code. */
const run = async (): Promise<number> => {
  const signalled = firstSignal();
  const stopping = new AbortController();
  const closers = createClosers(patienceMilliseconds);
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
      if (!stopping.signal.aborted) await complain(error, ministack);
      return 1;
    },
  );
  const code = await Promise.race([outcome, signalled]);
  if (code === 'stopped') print('Stopping.');
  stopping.abort();
  await closers.closeAll();
  if (code === 0) {
    print(`All of it holds (${((performance.now() - startedAt) / 1000).toFixed(0)} s).`);
    print(`Not tried, since MiniStack cannot: ${untested.join(', ')}.`);
  }
  return code === 'stopped' ? interrupted : code;
};

process.exit(await run());
