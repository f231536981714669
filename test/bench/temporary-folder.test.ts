import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { withTemporaryFolder } from '../../bench/temporary-folder.ts';

describe('a temporary folder', () => {
  it('is there for what is done with it, and gone afterwards', async () => {
    const folder = await withTemporaryFolder(async (path) => {
      writeFileSync(join(path, 'file'), '');
      return path;
    });

    expect(existsSync(folder)).toBe(false);
  });

  it('is gone after a failure', async () => {
    let folder = '';
    const failed = withTemporaryFolder(async (path) => {
      folder = path;
      throw new Error(`existed: ${existsSync(path)}`);
    });

    await expect(failed).rejects.toThrow('existed: true');
    expect(existsSync(folder)).toBe(false);
  });
});
