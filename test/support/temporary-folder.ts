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
