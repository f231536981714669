import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CallsOptions, listSummary } from '../../../cli/commands/calls.ts';
import type { Context } from '../../../cli/context.ts';
import { type Sandbox, startSandbox } from '../../../sandbox/sandbox.ts';
import { demoCall, postCall } from '../../support/sandbox.ts';
import { cli, jsonLines } from '../support/cli-run.ts';

const none = { found: 0, read: 0, next: undefined };
const told = (asked: object, found: Partial<Parameters<typeof listSummary>[0]> = {}) =>
  listSummary({ ...none, ...found }, CallsOptions.parse({ stack: 's', ...asked }));

describe('below a list of calls', () => {
  it.each<[string, object, object, string]>([
    ['how many there are', {}, { found: 3, read: 3 }, '3 listed.'],
    ['of how many that were read', { status: 'answered' }, { found: 3, read: 9 }, '3 listed of 9 read.'],
    ['where the rest is', {}, { found: 1, read: 1, next: 'x' }, '1 listed. More with the same options and --cursor x'],
    ['nothing more where no name was typed', {}, {}, '0 listed.'],
    ['nothing more where some were read', { account: 'a', type: 'chat' }, { read: 9 }, '0 listed of 9 read.'],
    ['nothing more behind a cursor', { account: 'a', cursor: 'x' }, {}, '0 listed.'],
  ])('is said %s', (_title, asked, found, line) => {
    expect(told(asked, found)).toBe(line);
  });

  it.each([
    [{ account: 'a' }, /^0 listed\. If there should be some: is the account spelt as in the secret\?$/],
    [{ agent: 'a', day: 'today' }, /: is the agent the login id/],
    [{ account: 'a', customer: '1', status: 'answered' }, /^0 listed of 0 read\. .*the account.*, and is the number/],
  ])('is asked about the names that were typed, if nothing is there: %o', (asked, line) => {
    expect(told(asked)).toMatch(line);
  });
});

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
