import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import * as z from 'zod';
import { tryParseJson } from '../../../lib/core/json.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** What has to find a seeded fault: a part of the fault injection in its quick size, a test file, or the mutation test. */
const checks = ['crash', 'schedules', 'fuzz', 'endurance', 'unit', 'mutation'] as const;
type Check = (typeof checks)[number];

/** A fault that is put into a copy of the project, to prove that a check finds it. */
export interface SeededFault {
  readonly name: string;
  /** What the fault makes the project do. Each is a mistake that somebody could make. */
  readonly what: string;
  readonly check: Check;
  readonly file: string;
  /** Occurs in the file exactly once. */
  readonly find: string;
  readonly replace: string;
  /** For `unit`: the vitest file that must fail. */
  readonly test?: string;
  /** For `mutation`: the file that is mutated. */
  readonly mutated?: string;
}

/** Seeded faults by the check that has to find them, and by their names. */
export type FaultsByCheck = Readonly<
  Partial<Record<Check, Readonly<Record<string, Omit<SeededFault, 'name' | 'check'>>>>>
>;

/** The faults as a list. */
export const faultsIn = (byCheck: FaultsByCheck): readonly SeededFault[] =>
  checks.flatMap((check) => Object.entries(byCheck[check] ?? {}).map(([name, fault]) => ({ name, check, ...fault })));

/** The text with the fault in it. Throws unless `find` occurs exactly once. */
export const withFault = (text: string, { name, file, find, replace }: SeededFault): string => {
  const parts = text.split(find);
  if (parts.length !== 2)
    throw new Error(
      `The text that “${name}” replaces occurs ${parts.length - 1} times in ${file}. It must occur once.`,
    );
  return parts.join(replace);
};

/** The same fault without its effect: the check must then find nothing. */
export const withoutFault = (fault: SeededFault): SeededFault => ({ ...fault, replace: fault.find });

interface Verdict {
  readonly isFound: boolean;
  /** The check ran to its end and found nothing. */
  readonly isClean: boolean;
  /** The first failure that was reported, or why the fault was not found. */
  readonly finding: string;
}

/** Seeds a fault into a copy of the project and runs the check that has to find it. */
export const tryFault = async (project: string, fault: SeededFault, seed: number): Promise<Verdict> => {
  const { folder, remove } = seededCopy(project, fault);
  const child = spawn(process.execPath, commandFor(fault, folder, seed), {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  // The child must end before its folder is removed, or it cannot clean up after itself.
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

/** Copies the project with its packages linked, and puts the fault into the copy. */
const seededCopy = (project: string, fault: SeededFault): { readonly folder: string; readonly remove: () => void } => {
  const { path: folder, remove } = temporaryFolder('seeded');
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

/** What git tracks or would add, so that uncommitted changes are tried as well; nothing that was built. */
const filesOf = (project: string): readonly string[] =>
  execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: project })
    .toString()
    .split('\0')
    .filter((file) => file !== '');

const commandFor = ({ check, test = '', mutated = '' }: SeededFault, folder: string, seed: number) => {
  const inPackages = (path: string): string => join(folder, 'node_modules', path);
  if (check === 'mutation') return [inPackages('@stryker-mutator/core/bin/stryker.js'), 'run', '--mutate', mutated];
  const config = test.endsWith('.long.ts') ? ['--mode', 'long'] : [];
  if (check === 'unit') return [inPackages('vitest/vitest.mjs'), 'run', test, ...config, '--reporter', 'tap-flat'];
  return [join(folder, 'test/faults/main.ts'), check, '--quick', '--json', '--seed', String(seed)];
};

const Report = z.object({ ran: z.array(z.object({ report: z.object({ failures: z.array(z.string()) }) })) });

const failuresInParts = (output: string): readonly string[] =>
  Report.safeParse(tryParseJson(output)).data?.ran.flatMap(({ report }) => report.failures) ?? [];

const failureIn: Readonly<Record<Check, (output: string) => string | undefined>> = {
  crash: (output) => failuresInParts(output)[0],
  schedules: (output) => failuresInParts(output)[0],
  fuzz: (output) => failuresInParts(output)[0],
  endurance: (output) => failuresInParts(output)[0],
  unit: (output) => /^not ok \d+ - (\S+ > .+?) # time/m.exec(output)?.[1],
  mutation: (output) => /(Final mutation score \S+ under breaking threshold \S+)/.exec(output)?.[1],
};

/** A check finds a fault by ending with 1 and reporting a failure. Any other end does not count. */
const verdictOf = ({ check }: SeededFault, code: number | null, output: string, errors: string): Verdict => {
  const failure = failureIn[check](output);
  if (code === 1 && failure !== undefined) return { isFound: true, isClean: false, finding: failure };
  const last = errors.trim().split('\n').at(-1) ?? '';
  return {
    isFound: false,
    isClean: code === 0,
    finding: code === 0 ? 'nothing was found' : `ended with ${code}: ${last}`,
  };
};
