import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import * as z from 'zod';
import { parsed } from '../../lib/json/parsed.ts';
import { plantedCopy } from './planted-copy.ts';
import type { PlantedFault } from './planted-fault.ts';

/** What a check said of a planted fault. */
export interface Verdict {
  readonly isCaught: boolean;
  /** It ran to its end and found nothing. */
  readonly isClean: boolean;
  /** The first breach that was told, or why it was not caught. */
  readonly said: string;
}

const Report = z.object({ ran: z.array(z.object({ report: z.object({ failures: z.array(z.string()) }) })) });

const commandOf = ({ check, mutated = '' }: PlantedFault, folder: string, seed: number): readonly string[] =>
  check === 'mutation'
    ? [join(folder, 'node_modules/@stryker-mutator/core/bin/stryker.js'), 'run', '--mutate', mutated]
    : [join(folder, 'torture/main.ts'), check, '--quick', '--json', '--seed', String(seed)];

/** A check catches a fault by ending with 1 and saying what is broken; any other end is none. */
const verdictOf = ({ check }: PlantedFault, code: number | null, output: string, errors: string): Verdict => {
  const [failure] = Report.safeParse(parsed(output)).data?.ran.flatMap(({ report }) => report.failures) ?? [];
  const [, score] = /(Final mutation score \S+ under breaking threshold \S+)/.exec(output) ?? [];
  const said = check === 'mutation' ? score : failure;
  if (code === 1 && said !== undefined) return { isCaught: true, isClean: false, said };
  const last = errors.trim().split('\n').at(-1) ?? '';
  return {
    isCaught: false,
    isClean: code === 0,
    said: code === 0 ? 'nothing was found' : `ended with ${code}: ${last}`,
  };
};

/** Plants a fault in a copy of the project and runs the check that has to find it. */
export const tryFault = async (project: string, fault: PlantedFault, seed: number): Promise<Verdict> => {
  const { folder, remove } = plantedCopy(project, fault);
  const child = spawn(process.execPath, commandOf(fault, folder, seed), {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  // Told before its folder goes, it clears away what is its own.
  const end = () => child.kill();
  process.prependOnceListener('exit', end);
  try {
    const [output, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
    return verdictOf(fault, code, output, errors);
  } finally {
    process.off('exit', end);
    remove();
  }
};
