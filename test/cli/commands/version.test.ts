import { describe, expect, it } from 'vitest';
import { misfit, ownVersion } from '../../../cli/commands/version.ts';
import type { Context } from '../../../cli/context.ts';
import { Problem } from '../../../cli/problem.ts';
import { cli, jsonLines } from '../support/cli-run.ts';
import { stubDeployment } from '../support/stub-deployment.ts';

const at = (version: string | undefined): Partial<Context> => ({
  connect: async () => ({ ...stubDeployment(), version }),
});

describe('callfeed --version', () => {
  it.each([['--version'], ['-V'], ['version']])('%s prints both versions', async (flag) => {
    expect(await cli([flag, '--stack', 'callfeed-dev'], at('1.2.3'))).toMatchObject({
      code: 0,
      output: `callfeed ${ownVersion}\ncallfeed-dev 1.2.3\n`,
    });
  });

  it('prints JSON', async () => {
    const run = await cli(['--version', '--json'], at(ownVersion));

    expect(jsonLines(run)).toEqual([{ callfeed: ownVersion, deployment: ownVersion }]);
    expect(run.notes).toBe('');
  });

  it('prints its own version where no deployment answers', async () => {
    const connect = () => Promise.reject(new Problem('There is no stack.'));
    const { code, output, notes } = await cli(['--version'], { connect });

    expect([code, output]).toEqual([0, `callfeed ${ownVersion}\n`]);
    expect(notes).toBe('The version of the deployment is not known. There is no stack.\n');
  });

  it('says of a deployment that names no version which ones do not', async () => {
    expect((await cli(['--version'], at(undefined))).output).toContain('callfeed-prod before 1.0.0\n');
  });
});

it('every command says where it does not fit the deployment', async () => {
  const { notes } = await cli(['parked', 'list'], at('999.0.0'));

  expect(notes).toContain(misfit(ownVersion, '999.0.0'));
});

it.each([
  ['the same', '1.2.3', '1.2.3', true],
  ['an older deployment of the same major version', '1.2.0', '1.1.9', true],
  ['a newer patch', '1.2.0', '1.2.1', false],
  ['a newer minor version', '1.9.0', '1.10.0', false],
  ['an older major version', '2.0.0', '1.9.0', false],
  ['a newer major version', '1.9.0', '2.0.0', false],
  ['no version', '1.0.0', 'main', true],
])('%s: a command line %s and a deployment %s', (_what, own, deployed, fits) => {
  expect(misfit(own, deployed) === undefined).toBe(fits);
});
