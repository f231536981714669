import { expect, it } from 'vitest';
import { startScript } from '../support/sandbox-process.ts';

it('the command runs from a checkout, which need not be built', async () => {
  const { ended, output, errors } = startScript('cli/callfeed.js', ['--help']);

  expect([await ended, errors()]).toEqual([0, '']);
  expect(output()).toContain('Usage: callfeed');
});
