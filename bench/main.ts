import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { complain, print } from '../sandbox/cli/output.ts';
import { runCommand } from '../sandbox/cli/run-command.ts';
import { machine } from './machine.ts';
import { type BenchOptions, optionsFrom, usageOf } from './options.ts';
import { parts } from './parts.ts';
import { type Ran, type Run, written } from './written.ts';

const runAll = async ({ parts: asked, repetitions, json, markdown }: BenchOptions): Promise<number> => {
  // At once, so that a file that cannot be written is told of before half an hour has gone.
  mkdirSync(dirname(json), { recursive: true });
  writeFileSync(json, '');
  const ran: Ran[] = [];
  try {
    for (const { name, run } of parts.filter((part) => asked.length === 0 || asked.includes(part.name))) {
      const startedAt = performance.now();
      const seconds = () => (performance.now() - startedAt) / 1_000;
      const onProgress = (line: string) => complain(`${seconds().toFixed(1).padStart(7)} s  ${name}: ${line}`);
      ran.push({ name, report: await run({ repetitions, onProgress }), seconds: seconds() });
    }
  } finally {
    // A part that cannot be measured takes nothing from those before it.
    const all: Run = { machine: machine(), repetitions, ran };
    writeFileSync(json, written.json(all));
    if (ran.length > 0) print(markdown ? written.markdown(all) : written.plain(all));
  }
  complain(`Everything that was measured is in ${json}`);
  return ran.some(({ report }) => report.failures.length > 0) ? 1 : 0;
};

const options = optionsFrom(
  process.argv.slice(2),
  parts.map(({ name }) => name),
);
await runCommand({ options, usage: usageOf(parts), run: runAll });
