import { firstSignal } from '../sandbox/cli/first-signal.ts';
import { complain, print } from '../sandbox/cli/output.ts';
import { optionsFrom, type TortureOptions, usageOf } from './options.ts';
import { parts } from './parts.ts';
import { type Ran, written } from './written.ts';

const runAll = async ({ parts: asked, size, seed, format }: TortureOptions): Promise<number> => {
  const chosen = parts.filter(({ name }) => asked.length === 0 || asked.includes(name));
  const ran: Ran[] = [];
  try {
    for (const { name, what, run } of chosen) {
      const startedAt = performance.now();
      const seconds = () => (performance.now() - startedAt) / 1_000;
      const onProgress = (line: string) => complain(`${seconds().toFixed(1).padStart(7)} s  ${name}: ${line}`);
      const report = await run({ seed, size, onProgress });
      for (const failure of report.failures) complain(`${name} broke a guarantee: ${failure}`);
      ran.push({ name, what, seconds: seconds(), report });
    }
  } finally {
    // A part that cannot be tried takes nothing from those before it, which may have taken an hour.
    if (ran.length > 0) print(written[format]({ seed, size, ran }));
  }
  return ran.some(({ report }) => report.failures.length > 0) ? 1 : 0;
};

/** Resolves with the exit code. */
const run = async (): Promise<number> => {
  const options = optionsFrom(
    process.argv.slice(2),
    parts.map(({ name }) => name),
  );
  if (!options.ok) {
    complain(`${options.problem}\n\n${usageOf(parts)}`);
    return 2;
  }
  if (options.value === 'help') {
    print(usageOf(parts));
    return 0;
  }
  const ended = await Promise.race([runAll(options.value), firstSignal()]);
  return ended === 'stopped' ? 130 : ended;
};

try {
  process.exit(await run());
} catch (error) {
  complain(error instanceof Error ? error.message : String(error));
  process.exit(1);
}
