import { print, printError } from '../../sandbox/cli/terminal.ts';
import { scenarios, tryPlan } from './crash/part.ts';
import { planFrom } from './crash/processes.ts';
import { createTestBed } from './crash/scenario.ts';
import { modelNamed, readRegressions } from './models/models.ts';

const usage = `Plays again what broke a guarantee, and prints what happens.

Usage: node test/faults/replay.ts SCENARIO CALL:FAULT,…   a scenario with faults in its calls; without them: none
       node test/faults/replay.ts MODEL SEED PATH         a history, as a failure shows it
       node test/faults/replay.ts FILE NAME               a regression, such as schedules/regressions/calls.ndjson
`;

/** Prints every call and event of a scenario. Resolves with whether all guarantees held. */
const replayScenario = async (name: string, faults: string): Promise<boolean> => {
  const scenario = scenarios.find((each) => each.name === name);
  if (scenario === undefined)
    throw new Error(
      `There is no scenario “${name}”. The scenarios are: ${scenarios.map((each) => each.name).join(', ')}`,
    );
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
    return tried.failures.length === 0;
  } finally {
    await testBed.close();
  }
};

const replayHistory = async (model: string, history: unknown): Promise<boolean> => {
  print(JSON.stringify(history));
  print(JSON.stringify(await modelNamed(model).replay(history, print)));
  return true;
};

const regressionIn = async (file: string, named: string) => {
  const regression = (await readRegressions(file)).find(({ name }) => name === named);
  if (regression === undefined) throw new Error(`There is no regression “${named}” in ${file}.`);
  return regression;
};

const replay = async (first: string, second = 'none', path?: string): Promise<boolean> => {
  if (path !== undefined) return replayHistory(first, modelNamed(first).historyAt(Number(second), path));
  if (!first.endsWith('.ndjson')) return replayScenario(first, second);
  const { model, history } = await regressionIn(first, second);
  return replayHistory(model, history);
};

const [, , first, second, path] = process.argv;
if (first === undefined) {
  printError(usage);
  process.exitCode = 2;
} else {
  const isKept = await replay(first, second, path).catch((error: unknown) => {
    print(String(error));
    return false;
  });
  if (isKept) print('All guarantees held.');
  process.exitCode = isKept ? 0 : 1;
}
