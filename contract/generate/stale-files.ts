import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Files } from './schema-files.ts';

/** The files below a folder that are not what they should be: other, missing, or of something that is no more. */
export const staleFiles = async (root: string, files: Files): Promise<readonly string[]> => {
  const stale: string[] = [];
  for (const [path, text] of files) if ((await written(join(root, path))) !== text) stale.push(path);
  for await (const path of glob('docs/schemas/**/*.json', { cwd: root })) if (!files.has(path)) stale.push(path);
  return stale;
};

/** A file that is not there is no text of ours. */
const written = (path: string): Promise<string | undefined> => readFile(path, 'utf8').catch(() => undefined);
