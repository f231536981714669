import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { contractFiles, staleFiles } from './contract-files.ts';

const usage = `Writes the generated parts of the pages of the contract and of docs/incoming.md, docs/asyncapi.json and docs/schemas from the declarations.

  npm run contract
  npm run contract -- --check   writes nothing; names the files that are stale, and exits with 1 if there are any
`;

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Resolves with the exit code. */
const run = async (args: readonly string[]): Promise<number> => {
  const isKnown = args.length === 0 || (args.length === 1 && args[0] === '--check');
  if (!isKnown) {
    process.stderr.write(usage);
    return 2;
  }
  const files = await contractFiles();
  const stale = await staleFiles(root, files);
  if (args.length === 0) {
    for (const path of stale) await write(join(root, path), files.get(path));
    return 0;
  }
  for (const path of stale) process.stderr.write(`${path} is stale: npm run contract\n`);
  return stale.length === 0 ? 0 : 1;
};

/** A stale file without a text is deleted. */
const write = async (path: string, text: string | undefined): Promise<void> => {
  if (text === undefined) return rm(path);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
};

process.exitCode = await run(process.argv.slice(2));
