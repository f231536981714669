import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Does something with a folder that is gone afterwards, and with this process at the latest. */
export const withTemporaryFolder = async <Result>(act: (folder: string) => Promise<Result>): Promise<Result> => {
  const folder = mkdtempSync(join(tmpdir(), 'callfeed-bench-'));
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  process.once('exit', remove);
  try {
    return await act(folder);
  } finally {
    process.off('exit', remove);
    remove();
  }
};
