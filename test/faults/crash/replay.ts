import { print } from '../../../sandbox/cli/terminal.ts';
import { scenarios, tryPlan } from './part.ts';
import { planFrom } from './processes.ts';
import { createTestBed } from './scenario.ts';

/** Plays one scenario with the given faults and prints every call: `node test/faults/crash/replay.ts SCENARIO FAULTS`. */

const [name = '', faults = 'none'] = process.argv.slice(2);
const scenario = scenarios.find((each) => each.name === name);
if (scenario === undefined) {
  print(`There is no scenario “${name}”. The scenarios are: ${scenarios.map((each) => each.name).join(', ')}`);
  process.exit(2);
}

const testBed = await createTestBed();
try {
  const plan = planFrom(faults);
  const baseline = await tryPlan(testBed, scenario, new Map());
  const tried = plan.size === 0 ? baseline : await tryPlan(testBed, scenario, plan, baseline.final);
  for (const [index, call] of (tried.final?.calls ?? []).entries())
    print(`${String(index).padStart(4)}  ${call}${plan.has(index) ? `  <- ${plan.get(index)}` : ''}`);
  for (const { 'detail-type': type, detail } of tried.final?.events ?? [])
    print(
      `event ${type} ${detail['callId'] ?? detail['agentId'] ?? ''} ${detail['revision'] ?? detail['version'] ?? ''}`,
    );
  for (const failure of tried.failures) print(`BROKEN: ${failure}`);
  if (tried.failures.length === 0) print('All guarantees hold.');
  process.exitCode = tried.failures.length === 0 ? 0 : 1;
} finally {
  await testBed.close();
}
