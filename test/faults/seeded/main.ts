import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { ok } from '../../../lib/core/result.ts';
import { print, printError } from '../../../sandbox/cli/terminal.ts';
import { readArguments, runCommand } from '../../support/command-parts.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { type SeededFault, seededFaults, withFault } from './seeded-faults.ts';

const usage = `Seeds one fault after the other into a copy of the project, and checks that the test which has to find it does.

Usage: npm run seeded-faults -- [NAME...]        (npm needs the -- before flags)

${seededFaults.map(({ name, what }) => `  ${name.padEnd(24)} ${what}`).join('\n')}

  --help        prints this

  Each test runs without a fault first, and must pass. The command prints what found each fault. It ends with 0 if every
  fault was found, with 1 if one was not or a test fails without a fault, with 2 for wrong arguments, and with 130 if it was
  interrupted.`;

const project = fileURLToPath(new URL('../../..', import.meta.url));

/** Copies what git tracks or would add, with its packages linked, and puts the fault into the copy. */
const seededCopy = (fault: SeededFault) => {
  const { path: folder, remove } = temporaryFolder('seeded');
  const listing = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const files = execFileSync('git', listing, { cwd: project }).toString().split('\0').filter(Boolean);
  for (const file of files) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    cpSync(join(project, file), join(folder, file));
  }
  symlinkSync(join(project, 'node_modules'), join(folder, 'node_modules'));
  const place = join(folder, fault.file);
  writeFileSync(place, withFault(readFileSync(place, 'utf8'), fault));
  return { folder, remove };
};

/** What failed first in the test, none if it passes. Any other end than these two is an error. */
const failureOf = async (fault: SeededFault): Promise<string | undefined> => {
  const { folder, remove } = seededCopy(fault);
  const mode = fault.test.endsWith('.long.ts') ? ['--mode', 'long'] : [];
  const child = spawn(
    process.execPath,
    [join(folder, 'node_modules/vitest/vitest.mjs'), 'run', fault.test, ...mode, '--reporter', 'tap-flat'],
    { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, FC_SHARE: '1' } },
  );
  // The child must end before its folder is removed, or it cannot clean up after itself.
  const end = () => child.kill();
  process.prependOnceListener('exit', end);
  try {
    const [output, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
    const failed = /^not ok \d+ - (\S+ > .+?) # time/m.exec(output)?.[1];
    const message = /^ +message: "(.*)"$/m.exec(output)?.[1];
    if (code === 0) return undefined;
    if (code === 1 && failed !== undefined) return [failed, message].filter(Boolean).join(': ').slice(0, 300);
    throw new Error(`${fault.test} ended with ${code}: ${errors.trim().split('\n').at(-1)}`);
  } finally {
    process.off('exit', end);
    remove();
  }
};

const tryAll = async (faults: readonly SeededFault[]): Promise<number> => {
  for (const fault of new Map(faults.map((each) => [each.test, each])).values()) {
    printError(`${fault.test} without a fault`);
    const failure = await failureOf({ ...fault, replace: fault.find });
    // A test that fails anyway proves nothing by failing.
    if (failure !== undefined) throw new Error(`It fails without a fault: ${failure}`);
  }
  let found = 0;
  for (const fault of faults) {
    printError(`seeding ${fault.name}`);
    const failure = await failureOf(fault);
    if (failure !== undefined) found += 1;
    print(`${failure === undefined ? 'NOT FOUND' : 'found'}: ${fault.what}\n  ${failure ?? fault.test}`);
  }
  print(`${found} of ${faults.length} faults were found.`);
  return found === faults.length ? 0 : 1;
};

const names = seededFaults.map(({ name }) => name);
const options = readArguments({}, names, (_, some) =>
  ok(seededFaults.filter(({ name }) => some.length === 0 || some.includes(name))),
);
await runCommand({ options, usage, run: tryAll });
