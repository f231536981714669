import { tmpdir } from 'node:os';
import { describe, expect, it } from 'vitest';
import { startProcessTree } from '../../../e2e/process/child-process-tree.ts';

/** Starts another process that prints its id and stays, and stays itself unless it is told to end. */
const parent = (ends: boolean): string => `
  const { spawn } = require('node:child_process');
  const child = spawn(process.execPath, ['-e', 'console.log(process.pid); setInterval(() => {}, 1000)'], { stdio: 'inherit' });
  ${ends ? "child.once('spawn', () => process.exit(3));" : ''}
`;

const started = (script: string) => {
  const lines: string[] = [];
  const tree = startProcessTree({
    command: process.execPath,
    args: ['-e', script],
    folder: tmpdir(),
    environment: { PATH: process.env['PATH'] },
    onLine: (line) => lines.push(line),
  });

  return { tree, grandchild: () => expect.poll(() => Number(lines[0])).toBeGreaterThan(0), lines };
};

const isThere = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

describe('a process tree', () => {
  it.each([
    { when: 'at work', ends: false },
    { when: 'whose root has ended', ends: true },
  ])('$when is gone to the last process once it is stopped', async ({ ends }) => {
    const { tree, grandchild, lines } = started(parent(ends));
    await grandchild();
    if (ends) expect(await tree.ended).toBe(3);
    expect(isThere(Number(lines[0]))).toBe(true);

    await tree.stop();

    expect(isThere(Number(lines[0]))).toBe(false);
  });

  it('can be stopped when it has ended by itself, and again', async () => {
    const { tree, lines } = started("console.log('last line')");
    expect(await tree.ended).toBe(0);

    await tree.stop();
    await tree.stop();

    expect(lines).toEqual(['last line']);
  });

  it('of a command that does not exist ends in failure, and says so', async () => {
    const lines: string[] = [];
    const tree = startProcessTree({
      command: 'no-such-command',
      args: [],
      folder: tmpdir(),
      environment: {},
      onLine: (line) => lines.push(line),
    });

    expect(await tree.ended).not.toBe(0);
    await tree.stop();
    expect(lines.join()).toContain('no-such-command');
  });
});
