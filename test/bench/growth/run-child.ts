import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';

/** What is measured: the processor's time in milliseconds, or memory in megabytes. */
export const Quantity = z.enum(['time', 'memory']);
export type Quantity = z.infer<typeof Quantity>;

/** One figure of one round. */
export const Reading = z.object({
  subject: z.string(),
  counted: z.string(),
  base: z.int(),
  work: z.string(),
  size: z.int(),
  round: z.int(),
  value: z.number(),
});
export type Reading = z.infer<typeof Reading>;

const child = fileURLToPath(new URL('./child.ts', import.meta.url));

/** Garbage is collected in the thread that makes it, so that its time counts. */
const always = ['--expose-gc', '--single-threaded-gc'];

/** V8 may hold next to nothing but what is alive, so that what it holds tells what the work needs. */
const tight = [
  '--max-semi-space-size=1',
  '--no-incremental-marking',
  '--optimize-for-size',
  '--heap-growing-percent=5',
];

/** Subjects that are measured in one process. */
export interface Measurement {
  readonly quantity: Quantity;
  readonly subjects: readonly string[];
  readonly flags: readonly string[];
}

/** A list allocates so little that every collection can be a full one; with large floors that would take hours. */
export const measurements: readonly Measurement[] = [
  { quantity: 'time', subjects: ['poll', 'delivery', 'list'], flags: always },
  { quantity: 'memory', subjects: ['poll', 'delivery'], flags: [...always, ...tight] },
  { quantity: 'memory', subjects: ['list'], flags: [...always, '--max-semi-space-size=1', '--gc-global'] },
];

/** Measures in a process of its own, in which nothing else has been done. Rejects if it fails. */
export const runChild = async (
  { quantity, subjects, flags }: Measurement,
  rounds: number,
  onProgress: (line: string) => void,
): Promise<readonly Reading[]> => {
  const running = spawn(process.execPath, [...flags, child, quantity, String(rounds), ...subjects], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const last: string[] = [];
  createInterface(running.stderr).on('line', (line) => {
    last.push(line);
    onProgress(line);
  });
  const [output, [code]] = await Promise.all([text(running.stdout), once(running, 'close')]);
  if (code !== 0) throw new Error(`The measurement of ${quantity} ended with ${code}:\n${last.slice(-20).join('\n')}`);
  return z.array(Reading).parse(JSON.parse(output));
};
