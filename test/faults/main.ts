import { print, printError, runCommand } from '../../sandbox/cli/run-command.ts';
import { type FaultInjectionOptions, optionsFrom, usageOf } from './options.ts';
import { markdownOf, type PartRun } from './part.ts';
import { parts } from './parts.ts';

const runAll = async ({ parts: names, size, seed, isJson }: FaultInjectionOptions): Promise<number> => {
  const chosen = parts.filter(({ name }) => names.length === 0 || names.includes(name));
  const ran: PartRun[] = [];
  try {
    for (const { name, what, run } of chosen) {
      const startedAt = performance.now();
      const seconds = () => (performance.now() - startedAt) / 1_000;
      const onProgress = (line: string) => printError(`${seconds().toFixed(1).padStart(7)} s  ${name}: ${line}`);
      const report = await run({ seed, size, onProgress });
      for (const failure of report.failures) printError(`${name} broke a guarantee: ${failure}`);
      ran.push({ name, what, seconds: seconds(), report });
    }
  } finally {
    // The parts before one that cannot run may have taken an hour: their figures are printed anyway.
    if (ran.length > 0) print(isJson ? JSON.stringify({ seed, size, ran }, undefined, 2) : markdownOf(ran));
  }
  return ran.some(({ report }) => report.failures.length > 0) ? 1 : 0;
};

const options = optionsFrom(
  process.argv.slice(2),
  parts.map(({ name }) => name),
);
await runCommand({ options, usage: usageOf(parts), run: runAll });
