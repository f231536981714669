import { fileURLToPath } from 'node:url';
import { complain, print } from '../../sandbox/cli/output.ts';
import { runCommand } from '../../sandbox/cli/run-command.ts';
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

const options = optionsFrom(process.argv.slice(2), plantedFaults);
await runCommand({ options, usage: usageOf(plantedFaults), run: plantAll, failed: 2 });
