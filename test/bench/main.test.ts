import { execFile } from 'node:child_process';
import { expect, it } from 'vitest';
import { usageOf } from '../../bench/options.ts';
import { parts } from '../../bench/parts.ts';

const bench = (...args: readonly string[]) =>
  new Promise<object>((resolve) => {
    execFile(process.execPath, ['bench/main.ts', ...args], (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, stdout, stderr }),
    );
  });

it.each([
  [['--help'], { code: 0, stdout: `${usageOf(parts)}\n`, stderr: '' }],
  [['speed'], { code: 2, stdout: '', stderr: expect.stringContaining('There is no part “speed”.') }],
  [['calls', '--json', '/dev/null/x'], { code: 1, stdout: '', stderr: expect.stringContaining('/dev/null') }],
])('npm run bench -- %j is answered before anything is measured', async (args, answer) => {
  expect(await bench(...args)).toEqual(answer);
});
