import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { joinedKey } from '../../../lib/core/text.ts';
import { checkout } from '../../support/packed-package.ts';
import { commandsIn } from './support/example-project.ts';
import { ids, type ReadersSandbox, startReadersSandbox } from './support/readers-sandbox.ts';

const folder = join(checkout, 'docs/examples/aws-cli');
let sandbox: ReadersSandbox;

beforeAll(async () => {
  sandbox = await startReadersSandbox();
});
afterAll(() => sandbox?.stop());

/** Calls a shell function with arguments that the shell does not interpret. */
const call = (name: string, ...args: readonly string[]) =>
  sandbox.run(folder, 'bash', '-c', '. ./callfeed.sh; "$@"', 'bash', name, ...args);

describe('with the AWS CLI', () => {
  it('runs every command of the README', async () => {
    const commands = commandsIn('aws-cli', /^(?:floor_now|missed_calls|one_call) /);
    expect(commands.length).toBeGreaterThan(3);

    for (const command of commands)
      expect(await sandbox.run(folder, 'bash', '-c', `. ./callfeed.sh; ${command}`), command).toMatchObject({
        code: 0,
        errors: '',
      });
  });

  it('encodes keys as the functions do', async () => {
    const parts = ['+91 98', "a!~*'()_.-b", 'ü/#%"\\', '😀'];

    expect(await call('key', ...parts)).toEqual({ code: 0, output: `${joinedKey(...parts)}\n`, errors: '' });
  });

  it('prints the agents and the age of the data', async () => {
    const { output } = await call('floor_now', 'demo');

    expect(output).toMatch(/^Live: seen at \S+Z\nready\tasha\t\S+Z\tSales,Returns\npause\travi\t\S+Z\t\n$/);
  });

  it('prints STALE by the clock, NEVER POLLED without a feed, and neither after an error', async () => {
    const stale = 'STALE: last seen at 2020-11-20T05:30:00.000Z\n';
    expect(await call('floor_now', 'old & gone')).toMatchObject({ code: 0, output: stale });
    expect((await call('feed', 'nobody')).output).toBe('NEVER POLLED: no poll has succeeded yet.\n');

    const { code, output } = await sandbox.run(
      folder,
      'bash',
      '-c',
      'AGENTS_TABLE=none; . ./callfeed.sh; floor_now demo',
    );
    expect(code).not.toBe(0);
    expect(output).toBe('');
  });

  it('prints the missed calls between two instants', async () => {
    expect(await call('missed_calls', 'demo', '2026-11-19T18:30:00.000Z', '2026-11-20T18:29:59.999Z')).toEqual({
      code: 0,
      output: `2026-11-20T04:30:00.000Z\t${ids.missed}\t+91 98 44\tSales\n`,
      errors: '',
    });
  });

  it.each(['Asia/Kolkata', 'America/New_York', 'UTC'])('midnight is that of %s', async (timeZone) => {
    const midnight = new Date((await call('midnight', timeZone)).output.trim());

    expect(midnight.toLocaleTimeString('en-GB', { timeZone })).toBe('00:00:00');
    expect(Date.now() - midnight.getTime()).toBeLessThan(26 * 60 * 60 * 1000);
  });

  it('prints a call with every digit of its id', async () => {
    const { output } = await call('one_call', 'demo', ids.legs);

    expect(output).toBe('call\tanswered\tasha,ravi\tSale\t3\n');
  });
});
