import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

const script = path.join(import.meta.dirname, 'support/watch-for-a-moment.ts');

describe('watching', () => {
  it('leaves no timer behind, be it aborted in a pause or left', async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [script]);

    expect(stdout).toBe('paused: true\nover: true\nnone\n');
  });
});
