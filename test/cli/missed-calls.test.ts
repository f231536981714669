import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Context } from '../../cli/context.ts';
import { type Sandbox, startSandbox } from '../../sandbox/sandbox.ts';
import { demoCall, postCall } from '../support/sandbox-calls.ts';
import { cli, jsonLines } from './support/cli-run.ts';

let sandbox: Sandbox;

/** Half past midnight of the 22nd is 19:00 UTC of the 21st in Kolkata, where the account is. */
const late = demoCall('1', { Status: 'NotAnswered', StartTime: '2026-11-21 23:59:59' });
const early = demoCall('2', { Status: 'NotAnswered', StartTime: '2026-11-22 00:30:00' });
const { Type, ...withoutType } = demoCall('3', { Status: 'NotAnswered', StartTime: '2026-11-22 01:00:00' });
const manual = demoCall('4', { Status: 'NotAnswered', Type: 'Manual', StartTime: '2026-11-22 02:00:00' });
const answered = Array.from({ length: 21 }, (_, index) =>
  demoCall(`9${index + 10}`, { StartTime: `2026-11-22 03:${index + 10}:00` }),
);

beforeAll(async () => {
  sandbox = await startSandbox({ port: 0, dynamodbPort: 0, providerPort: 0, traffic: false, polling: false });
  for (const call of [late, early, withoutType, manual, ...answered]) await postCall(sandbox.addresses.callbacks, call);
}, 60_000);
afterAll(() => sandbox.stop());

const clock: Context['clock'] = () => new Date('2026-11-22T09:00:00.000Z');
const at = (...args: readonly string[]) => cli(['calls', ...args, '--endpoint', sandbox.addresses.gateway], { clock });
const missed = async (...args: readonly string[]) =>
  jsonLines(await at('--status', 'not-answered', '--json', ...args)).map(({ callId }) => callId);

describe('the calls that were missed', () => {
  it('are those of a status and type, of a day in the account’s zone, however few of many they are', async () => {
    expect(await missed('--day', 'today', '--type', 'inbound')).toEqual(['2']);
    expect(await missed('--day', 'today')).toEqual(['4', '3', '2']);
    expect(await missed('--day', '2026-11-21')).toEqual(['1']);
    expect(await missed('--day', '2026-11-21', '--time-zone', 'UTC')).toEqual(['4', '3', '2', '1']);
    expect(await missed('--day', '2026-11-23')).toEqual([]);
    expect(await missed('--limit', '1')).toEqual(['4']);
  });

  it('are told with how many were read for them, and where the rest is', async () => {
    const { output, notes } = await at('--status', 'not-answered', '--limit', '2');
    const [, cursor = ''] = /^2 listed of 25 read\. More with the same options and --cursor (\S+)\n$/.exec(notes) ?? [];

    expect(output.split('\n')).toHaveLength(4);
    expect(await missed('--cursor', cursor)).toEqual(['2', '1']);
  });
});

describe('a list of calls', () => {
  it('is of 20 as a table and of all with --json, unless told', async () => {
    expect((await at()).notes).toMatch(/^20 listed\. More /);
    expect((await at('--json')).notes).toBe('25 listed.\n');
    expect((await at('--json', '--limit', '21')).notes).toMatch(/^21 listed\. More /);
  });
});
