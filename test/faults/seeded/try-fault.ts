import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import * as z from 'zod';
import { tryParseJson } from '../../../lib/core/parse-json.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { type SeededFault, withFault } from './seeded-fault.ts';

/** A copy of the project in a folder of its own. */
export interface SeededCopy {
  readonly folder: string;
  readonly remove: () => void;
}

/** What git knows or would take, so that a change under way is tried as well, and nothing that was built. */
const filesOf = (project: string): readonly string[] =>
  execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: project })
    .toString()
    .split('\0')
    .filter((file) => file !== '');

/** Copies the project, its packages linked, and puts the fault into the copy. */
const seededCopy = (project: string, fault: SeededFault): SeededCopy => {
  const { path: folder, remove } = temporaryFolder('planted');
  try {
    for (const file of filesOf(project)) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      cpSync(join(project, file), join(folder, file));
    }
    symlinkSync(join(project, 'node_modules'), join(folder, 'node_modules'));
    const place = join(folder, fault.file);
    writeFileSync(place, withFault(readFileSync(place, 'utf8'), fault));
    return { folder, remove };
  } catch (error) {
    remove();
    throw error;
  }
};

/** What a check said of a planted fault. */
export interface Verdict {
  readonly isCaught: boolean;
  /** It ran to its end and found nothing. */
  readonly isClean: boolean;
  /** The first breach that was told, or why it was not caught. */
  readonly said: string;
}

const Report = z.object({ ran: z.array(z.object({ report: z.object({ failures: z.array(z.string()) }) })) });

const commandOf = ({ check, mutated = '' }: SeededFault, folder: string, seed: number): readonly string[] =>
  check === 'mutation'
    ? [join(folder, 'node_modules/@stryker-mutator/core/bin/stryker.js'), 'run', '--mutate', mutated]
    : [join(folder, 'test/faults/main.ts'), check, '--quick', '--json', '--seed', String(seed)];

/** A check catches a fault by ending with 1 and saying what is broken; any other end is none. */
const verdictOf = ({ check }: SeededFault, code: number | null, output: string, errors: string): Verdict => {
  const [failure] = Report.safeParse(tryParseJson(output)).data?.ran.flatMap(({ report }) => report.failures) ?? [];
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
export const tryFault = async (project: string, fault: SeededFault, seed: number): Promise<Verdict> => {
  const { folder, remove } = seededCopy(project, fault);
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
