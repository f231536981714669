import { fileURLToPath } from 'node:url';
import { ok, type Result } from '../../../lib/core/result.ts';
import { print, printError } from '../../../sandbox/cli/terminal.ts';
import { readArguments, runCommand } from '../../support/command-parts.ts';
import { defaultSeed, seedFlag, seedFrom } from '../parts.ts';
import { seededFaults } from './seeded-faults.ts';
import { type SeededFault, tryFault, withoutFault } from './try-fault.ts';

const usage = `Seeds one fault after the other into a copy of the project, and checks that the test which has to find it does.

Usage: npm run seeded-faults -- [NAME...] [flags]        (npm needs the -- before flags)

${seededFaults.map(({ name, check, what }) => `  ${name.padEnd(24)} ${check.padEnd(10)} ${what}`).join('\n')}

  --seed N      the seed of the checks; ${defaultSeed} by default
  --help        prints this

  Each check runs without a fault first, and must find nothing. It prints what found each fault. The command ends
  with 0 if every fault was found, with 1 if one was not or a check fails without a fault, with 2 for wrong arguments,
  and with 130 if it was interrupted.`;

interface SeededFaultsOptions {
  readonly faults: readonly SeededFault[];
  readonly seed: number;
}

const options = readArguments(
  { seed: seedFlag },
  seededFaults.map(({ name }) => name),
  ({ seed: text }, names): Result<SeededFaultsOptions, string> => {
    const seed = seedFrom(text);
    const faults = seededFaults.filter(({ name }) => names.length === 0 || names.includes(name));
    return seed.ok ? ok({ faults, seed: seed.value }) : seed;
  },
);

const project = fileURLToPath(new URL('../../..', import.meta.url));

const tryAllFaults = async ({ faults, seed }: SeededFaultsOptions): Promise<number> => {
  if (!(await passesWithout(faults, seed))) return 1;
  let found = 0;
  for (const fault of faults) {
    printError(`seeding ${fault.name}`);
    const { isFound, finding } = await tryFault(project, fault, seed);
    if (isFound) found += 1;
    print(`${isFound ? 'found' : 'NOT FOUND'} by ${fault.check}: ${fault.what}\n  ${truncated(finding)}`);
  }
  print(`${found} of ${faults.length} faults were found.`);
  return found === faults.length ? 0 : 1;
};

/** Whether every check passes without a fault: one that fails anyway proves nothing by failing. */
const passesWithout = async (faults: readonly SeededFault[], seed: number): Promise<boolean> => {
  const byCheck = Map.groupBy(faults, ({ check, test = '', mutated = '' }) => `${check} ${test}${mutated}`.trim());
  for (const [check, [fault]] of byCheck) {
    if (fault === undefined) continue;
    printError(`${check} without a fault`);
    const { isClean, finding } = await tryFault(project, withoutFault(fault), seed);
    if (isClean) continue;
    printError(`  it fails without a fault: ${finding}`);
    return false;
  }
  return true;
};

const maxCharacters = 140;

/** The beginning of a finding in one line: enough to see which guarantee was broken. */
const truncated = (finding: string): string => {
  const line = finding.replace(/\s+/g, ' ');
  return line.length <= maxCharacters ? line : `${line.slice(0, maxCharacters)} …`;
};

await runCommand({ options, usage, run: tryAllFaults, failureCode: 2 });
