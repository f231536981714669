import { spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../torture/temporary-folder.ts';

const module = new URL('../../torture/temporary-folder.ts', import.meta.url).href;

describe('a temporary folder', () => {
  it('is there until it is removed, with all that is in it', () => {
    const { path, remove } = temporaryFolder('test');
    writeFileSync(join(path, 'x'), 'x');
    expect(existsSync(path)).toBe(true);
    remove();

    expect(existsSync(path)).toBe(false);
  });

  it('goes with a process that ends before', () => {
    const script = `
      import { existsSync } from 'node:fs';
      import { temporaryFolder } from '${module}';
      const { path } = temporaryFolder('test');
      process.stdout.write(\`\${existsSync(path)} \${path}\`);
      process.exit(130);`;
    const { stdout, status } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
    const [wasThere, path = ''] = stdout.split(' ');

    expect([status, wasThere, existsSync(path)]).toEqual([130, 'true', false]);
  });
});
