import { fileURLToPath } from 'node:url';
import { firstSignal } from '../../sandbox/cli/first-signal.ts';
import { complain, print } from '../../sandbox/cli/output.ts';
import { optionsFrom, type PlantedOptions, usageOf } from './options.ts';
import { type PlantedFault, unplanted } from './planted-fault.ts';
import { plantedFaults } from './planted-faults.ts';
import { tryFault } from './try-fault.ts';
import { markdown, plain, type Tried } from './written.ts';

const project = fileURLToPath(new URL('../..', import.meta.url));

/** A check that fails without a fault finds nothing by failing with one. Answers whether all of them pass. */
const passesWithout = async (faults: readonly PlantedFault[], seed: number): Promise<boolean> => {
  const firsts = new Map(faults.toReversed().map((fault) => [`${fault.check} ${fault.mutated ?? ''}`, fault]));
  for (const fault of firsts.values()) {
    complain(`${fault.check} without a fault`);
    const { isClean, said } = await tryFault(project, unplanted(fault), seed);
    if (isClean) continue;
    complain(`  it fails by itself: ${said}`);
    return false;
  }
  return true;
};

const plantAll = async ({ faults, seed, isMarkdown }: PlantedOptions): Promise<number> => {
  if (!(await passesWithout(faults, seed))) return 1;
  const tried: Tried[] = [];
  for (const fault of faults) {
    complain(`planting ${fault.name}`);
    const verdict = await tryFault(project, fault, seed);
    complain(`  ${verdict.isCaught ? 'found' : 'NOT FOUND'}: ${verdict.said}`);
    tried.push({ ...fault, ...verdict });
  }
  print((isMarkdown ? markdown : plain)(tried));
  return tried.every(({ isCaught }) => isCaught) ? 0 : 1;
};

/** Resolves with the exit code. */
const run = async (): Promise<number> => {
  const options = optionsFrom(process.argv.slice(2), plantedFaults);
  if (!options.ok) {
    complain(`${options.problem}\n\n${usageOf(plantedFaults)}`);
    return 2;
  }
  if (options.value === 'help') {
    print(usageOf(plantedFaults));
    return 0;
  }
  return plantAll(options.value);
};

try {
  const ended = await Promise.race([run(), firstSignal()]);
  process.exit(ended === 'stopped' ? 130 : ended);
} catch (error) {
  complain(error instanceof Error ? error.message : String(error));
  process.exit(2);
}
