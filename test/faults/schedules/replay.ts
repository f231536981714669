import { modelNamed, readRegression } from './models.ts';

const print = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

/** Plays one kept history and prints what happens, step by step. */
const replay = async (file: string): Promise<void> => {
  const { model, what, history } = await readRegression(file);
  print(`${model}: ${what}`);
  const tally = await modelNamed(model).replay(history, print);
  print(`All guarantees held. ${JSON.stringify(tally)}`);
};

const [, , file] = process.argv;
if (file === undefined) {
  print('Usage: node test/faults/schedules/replay.ts FILE');
  process.exitCode = 2;
} else
  await replay(file).catch((error: unknown) => {
    print(String(error));
    process.exitCode = 1;
  });
