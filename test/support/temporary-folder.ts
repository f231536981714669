import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder for the time of a run. */
export interface TemporaryFolder {
  readonly path: string;
  readonly remove: () => void;
}

/** Makes a folder that is removed when this process exits, at the latest: an interrupt skips every `finally`. */
export const temporaryFolder = (name: string): TemporaryFolder => {
  const path = mkdtempSync(join(tmpdir(), `callfeed-${name}-`));
  const removed = () => rmSync(path, { recursive: true, force: true, maxRetries: 3 });
  process.once('exit', removed);
  return {
    path,
    remove() {
      process.off('exit', removed);
      removed();
    },
  };
};

/**
 * For vitest's `globalSetup`, first of all: the workers of a run and the processes that they start make their temporary
 * folders in one that is removed at the end, `cdk.out` of an `App` without a folder among them.
 */
export const setup = (): (() => void) => {
  const { path, remove } = temporaryFolder('tests');
  process.env['TMPDIR'] = path;
  return remove;
};
