import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { fail, ok } from '../lib/core/result.ts';
import { print, printError } from '../sandbox/cli/terminal.ts';
import { readArguments, runCommand } from './support/command-parts.ts';

const usage = `Runs tests again and again while every core is kept busy by something else. A test that fails here
fails by chance on somebody's machine.

Usage: npm run test:stress -- [flags]        (npm needs the -- before flags)

  --runs N        how often (default: 5)
  --busy N        how many processes keep the cores busy (default: as many as there are cores)
  --script NAME   the npm script to run: test (default), test:long or e2e
  --help          prints this

  It prints a line for each run, with the tests that failed, and writes what a run printed to a file whose name the
  line has. It ends with 1 if a run failed.`;

/** What keeps a core busy until this process ends, however it ends: an abandoned child loses its channel. */
const busyLoop =
  "process.on('disconnect', () => process.exit()); setInterval(() => { const end = Date.now() + 50; while (Date.now() < end); }, 0)";

const keepBusy = (count: number) => {
  const loops = Array.from({ length: count }, () =>
    spawn(process.execPath, ['-e', busyLoop], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] }),
  );
  return () => {
    for (const loop of loops) loop.kill();
  };
};

const runOnce = async (script: string) => {
  const startedMs = Date.now();
  const child = spawn('npm', ['run', script], { stdio: ['ignore', 'pipe', 'pipe'] });
  const chunks: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  const [code] = await once(child, 'close');
  const output = stripVTControlCharacters(Buffer.concat(chunks).toString());
  const failed = [...new Set(output.match(/^ *FAIL .*$/gm) ?? [])].map((line) => line.trim());
  return { code, output, failed, seconds: Math.round((Date.now() - startedMs) / 1000) };
};

interface Options {
  readonly runs: number;
  readonly busy: number;
  readonly script: string;
}

const run = async ({ runs, busy, script }: Options) => {
  const folder = join(tmpdir(), `callfeed-stress-${process.pid}`);
  await mkdir(folder);
  printError(`Running ${script} ${runs} times beside busy processes: ${busy}.`);
  const stop = keepBusy(busy);
  let failures = 0;
  try {
    for (let index = 1; index <= runs; index++) {
      const { code, output, failed, seconds } = await runOnce(script);
      const file = join(folder, `${index}.log`);
      await writeFile(file, output);
      if (code !== 0) failures += 1;
      print([`${index}: ${code === 0 ? 'passed' : 'FAILED'} after ${seconds} s, ${file}`, ...failed].join('\n  '));
    }
  } finally {
    stop();
  }
  print(`${failures} of ${runs} runs failed.`);
  return failures === 0 ? 0 : 1;
};

const isCount = (text: string): boolean => /^[1-9]\d{0,2}$/.test(text);

const options = readArguments(
  {
    runs: { type: 'string', default: '5' },
    busy: { type: 'string', default: String(availableParallelism()) },
    script: { type: 'string', default: 'test' },
  },
  [],
  ({ runs, busy, script }) =>
    isCount(runs) && isCount(busy)
      ? ok({ runs: Number(runs), busy: Number(busy), script })
      : fail('--runs and --busy take a whole number from 1 to 999.'),
);
await runCommand({ options, usage, run });
