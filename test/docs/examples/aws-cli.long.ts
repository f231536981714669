import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keyFingerprint } from '../../../lib/accounts/accounts.ts';
import { joinedKey } from '../../../lib/storage/rows.ts';
import type { SandboxState } from '../../../sandbox/sandbox-state.ts';
import { checkout } from '../../support/packed-package.ts';
import { commandsIn } from './support/example-project.ts';
import { callbackSecret, ids, type ReadersSandbox, startReadersSandbox } from './support/readers-sandbox.ts';
import { blocksIn, runAsPrinted, runbookSection } from './support/runbook.ts';

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

  it('prints what a sender has put into a field, and no control character', async () => {
    const { output } = await call('missed_calls', 'demo', '2026-11-12T00:00:00.000Z', '2026-11-13T00:00:00.000Z');
    expect(output).toMatch(/\tA\[2J\u202eB\n$/);
    expect((await call('one_call', 'demo', ids.hostile)).output).toBe('call\tnot-answered\t\tNo2J sale\t1\n');
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

describe('the runbook', () => {
  const state = async (): Promise<SandboxState> =>
    (await fetch(sandbox.addresses.sandbox)).json() as Promise<SandboxState>;
  const fingerprints = async () => (await state()).keyFingerprints['demo'];
  const atService = (apiKeys: readonly string[]) =>
    fetch(`${sandbox.addresses.accounts}/demo?at=service`, { method: 'PUT', body: JSON.stringify({ apiKeys }) });
  const soon = { timeout: 60_000, interval: 1_000 };

  let addressSecret = callbackSecret;
  const bash = (typed: string, ...blocks: readonly (string | undefined)[]) =>
    runAsPrinted(sandbox.addresses.sandbox, { typed, callbackSecret: addressSecret }, ...blocks);

  it('changes the key of an account without a gap, and goes back', { timeout: 400_000 }, async () => {
    const [read, type, prepare, attempt, put, probe, watch, remove, redrive, goBack] = blocksIn(
      runbookSection("Change an account's key"),
    );
    const edit = [read, type, prepare] as const;
    const [old, next] = ['demo-key', 'next-key'];

    expect(await bash('mistyped', ...edit, attempt)).toMatchObject({
      code: 1,
      output: expect.stringContaining('2 live keys'),
    });
    await atService([old, next]);
    const tried = await bash(next, ...edit, attempt);
    expect([tried.code, tried.output, tried.errors]).toEqual([
      0,
      expect.stringMatching(/demo: 2 live keys[\s\S]*logged in/),
      '',
    ]);
    expect((await bash(next, ...edit, probe)).output).toContain('unknown-key');
    const early = { StartTime: '2026-11-20 10:00:00', EndTime: '2026-11-20 10:02:00', Apikey: next };
    expect(await sandbox.post('107', early)).toMatchObject([200, { quarantined: 1, reason: 'unknown-key' }]);

    expect(await bash(next, ...edit, put)).toEqual({
      code: 0,
      output: expect.stringMatching(/^[0-9a-f-]{36}\n$/),
      errors: '',
    });
    expect(await fingerprints()).toEqual([next, old].map(keyFingerprint));
    await expect.poll(async () => (await bash(next, type, probe)).output, soon).toContain('not-a-call-summary');

    await atService([next]);
    const withdrawnAt = new Date().toISOString();
    const asOf = async () => (await sandbox.feed())?.['asOf']?.S ?? '';
    await expect.poll(async () => (await asOf()) > withdrawnAt, soon).toBe(true);
    const watched = await bash(next, read, watch);
    expect([watched.code, watched.output]).toEqual([0, expect.not.stringContaining('STALE')]);
    expect((await bash(next, read, 'npx callfeed call 107 --stack "$STACK"')).code).not.toBe(0);
    // The posts of step 5 that came too early are no calls.
    expect((await bash(next, redrive)).errors).toMatch(/^1 redriven, [1-9]\d* not\.$/m);
    expect((await bash(next, read, 'npx callfeed call 107 --stack "$STACK"')).code).toBe(0);

    expect((await bash(next, read, remove)).output).toContain('demo: 1 live key,');
    expect(await fingerprints()).toEqual([next].map(keyFingerprint));
    expect((await bash(next, read, goBack)).code).toBe(0);
    expect(await fingerprints()).toEqual([next, old].map(keyFingerprint));
  });

  it('shows whether an address with another callback secret is accepted', async () => {
    const [, type, probe] = blocksIn(runbookSection('Change the callback secret'));
    addressSecret = '';

    expect((await bash('not-the-secret', type, probe)).output).toContain('callback-secret-wrong');
    expect((await bash(callbackSecret, type, probe)).output).toContain('not-a-call-summary');
  });
});
