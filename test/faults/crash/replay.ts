import { scenarios } from './part.ts';
import { planFrom } from './processes.ts';
import { createTestBed } from './run-scenario.ts';
import { tryPlan } from './try-plan.ts';

/** Plays one scenario with the faults that are named, and tells every call: `node test/faults/crash/replay.ts SCENARIO FAULTS`. */

const print = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

const [name = '', faults = 'none'] = process.argv.slice(2);
const scenario = scenarios.find((each) => each.name === name);
if (scenario === undefined) {
  print(`There is no scenario “${name}”. There are: ${scenarios.map((each) => each.name).join(', ')}`);
  process.exit(2);
}

const stage = await createTestBed();
try {
  const plan = planFrom(faults);
  const undisturbed = await tryPlan(stage, scenario, new Map());
  const tried = plan.size === 0 ? undisturbed : await tryPlan(stage, scenario, plan, undisturbed.ending);
  for (const [index, call] of (tried.ending?.calls ?? []).entries())
    print(`${String(index).padStart(4)}  ${call}${plan.has(index) ? `  <- ${plan.get(index)}` : ''}`);
  for (const { 'detail-type': type, detail } of tried.ending?.events ?? [])
    print(
      `event ${type} ${detail['callId'] ?? detail['agentId'] ?? ''} ${detail['revision'] ?? detail['version'] ?? ''}`,
    );
  for (const failure of tried.failures) print(`BROKEN: ${failure}`);
  if (tried.failures.length === 0) print('All guarantees hold.');
  process.exitCode = tried.failures.length === 0 ? 0 : 1;
} finally {
  await stage.close();
}
