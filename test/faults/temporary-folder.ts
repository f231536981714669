import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder that is removed when told. */
export interface TemporaryFolder {
  readonly path: string;
  readonly remove: () => void;
}

/** Makes a folder that goes with this process at the latest: who is interrupted comes to no `finally`. */
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
