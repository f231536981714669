import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { firstSignal } from '../sandbox/cli/first-signal.ts';
import { print } from '../sandbox/cli/output.ts';
import { createClosers } from '../sandbox/closers.ts';
import { lastWords } from './last-words.ts';
import { notTried } from './leave-out.ts';
import type { Ministack } from './ministack/start-ministack.ts';
import { createSteps } from './runner/steps.ts';
import { scenario } from './scenario.ts';

/** By convention, 128 and the number of SIGINT. */
const interrupted = 130;

/** More than a process tree takes that has to be killed. */
const patienceMilliseconds = 20_000;

const complain = async (error: unknown, ministack: Ministack | undefined): Promise<void> => {
  process.stderr.write(`\n${error instanceof Error ? error.message : String(error)}\n`);
  if (ministack !== undefined) process.stderr.write(await lastWords(ministack));
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
    print(`Not tried, since MiniStack cannot: ${notTried.join(', ')}.`);
  }
  return code === 'stopped' ? interrupted : code;
};

process.exit(await run());
