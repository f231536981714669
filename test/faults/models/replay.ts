import { print } from '../../../sandbox/cli/terminal.ts';
import { modelNamed, readRegressions } from './models.ts';

const usage = `Plays a history again and prints what happens.

Usage: node test/faults/models/replay.ts MODEL SEED PATH     as a failure shows it
       node test/faults/models/replay.ts FILE NAME           a regression, such as schedules/regressions/calls.ndjson
`;

/** A regression by its file and name, or a counterexample by its model, seed and path. */
const historyFrom = async (
  first: string,
  second: string,
  path = '',
): Promise<readonly [model: string, history: unknown]> => {
  if (!first.endsWith('.ndjson')) return [first, modelNamed(first).historyAt(Number(second), path)];
  const regression = (await readRegressions(first)).find(({ name }) => name === second);
  if (regression === undefined) throw new Error(`There is no regression “${second}” in ${first}.`);
  return [regression.model, regression.history];
};

const replay = async (first: string, second: string, path?: string): Promise<void> => {
  const [model, history] = await historyFrom(first, second, path);
  print(JSON.stringify(history));
  const counters = await modelNamed(model).replay(history, print);
  print(`All guarantees held. ${JSON.stringify(counters)}`);
};

const [, , first, second, path] = process.argv;
if (first === undefined || second === undefined) {
  process.stderr.write(usage);
  process.exitCode = 2;
} else
  await replay(first, second, path).catch((error: unknown) => {
    print(String(error));
    process.exitCode = 1;
  });
