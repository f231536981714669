import { describe, expect, it } from 'vitest';
import type { Context } from '../../cli/frame/command.ts';
import { feedChangesKey } from '../../lib/agents/rows.ts';
import { quarantineEntry, quarantineRow } from '../../lib/callback/store-or-park.ts';
import { demoCall } from '../support/sandbox.ts';
import { cli, jsonLines } from './support/cli-run.ts';
import { forThisFile, startDeployment } from './support/local-deployment.ts';
import { callWithAllFields, customer, sentinel, startReadingDeployment } from './support/reading-deployment.ts';

const deployment = await forThisFile(startReadingDeployment());
const { at } = deployment;
const day = ['timeline', 'asha', '--day', '2026-11-21'];

/** The feed's row, which commands read beside rows that do not show how old they are. */
const feed = ['GetItem on agents'];

/** The account's country, and the other four spellings of a number. */
const spellings = ['GetItem on agents', ...Array(4).fill('Query on calls, index byCustomer')];

/** Access patterns of the contract by number: a command line, the one request that serves it, and those beside it. */
const patterns: readonly (readonly [number, readonly string[], string, readonly string[]])[] = [
  [1, ['agents'], 'Query on agents', []],
  [2, ['agents', 'zoe'], 'GetItem on agents', feed],
  [3, ['agents', '--state', 'ready'], 'Query on agents, index byState', feed],
  [4, ['floor', '--at', '2026-11-21T12:00:00Z'], 'Query on agents', []],
  [5, day, 'Query on agents', feed],
  [6, ['call', callWithAllFields], 'Query on calls', []],
  [7, ['calls', '--from', '2026-11-20T00:00Z', '--to', '2026-11-22T00:00Z'], 'Query on calls, index byTime', []],
  [8, ['calls', '--customer', customer], 'Query on calls, index byCustomer', spellings],
  [9, ['calls', '--agent', 'ravi'], 'Query on calls, index byAgent', []],
];

describe('a command that reads', () => {
  it.each(patterns)(
    'serves access pattern %i with one request, reads the feed only to show the age of agents, and prints each read',
    async (_number, args, request, beside) => {
      const { code, notes } = await at([...args, '--verbose']);
      const lines = notes.split('\n').filter((line) => / on (?:agents|calls)/.test(line));

      expect(code).toBe(0);
      expect(lines.map((line) => line.replace(/:.*/, '')).toSorted()).toEqual([request, ...beside].toSorted());
      for (const line of lines) expect(line).toMatch(/: \d+ rows?, \d+(?:\.5)? read units$/);
    },
  );

  it.each([
    ...patterns.map(([, args]) => args.join(' ')),
    'agents --state unknown',
    'floor --at 2026-11-22T09:00:16Z',
    'timeline zoe --day 2026-11-22',
    'status --verbose',
    'unknown --from 2026-11-20T00:00Z --verbose',
    'day --verbose',
    'day --date 2026-11-21 --by agent',
    'day --date 2026-11-21 --by skill',
    'day --date 2026-11-21 --by campaign',
  ])('hides personal fields and escapes control characters: %s', async (line) => {
    const args = line.split(' ');
    for (const more of [[], ['--json']]) {
      const { code, output, notes } = await at([...args, ...more]);

      expect(code).toBe(0);
      expect(output).not.toBe('');
      expect(output + notes).not.toMatch(sentinel);
      expect(output + notes).not.toContain('\u001B');
    }
  });

  it.each([
    ['agents', /zoe .*SENTINEL Zoe +09876500000 +SENTINELState7/],
    ['floor --at 2026-11-22T09:00:16Z', /SENTINEL Zoe/],
    [`call ${callWithAllFields}`, /comments +SENTINEL comment[\s\S]*SENTINELField7[\s\S]*09876599999/],
    [`call ${callWithAllFields} --json`, /not-a-scalar[^}]*SENTINEL campaign/],
    ['unknown', /agent +state +SENTINELState7 +1 [\s\S]*call +type +SENTINELType7 +1 [\s\S]*extra\.SENTINELField7/],
    ['day --by agent', /zoe +SENTINEL Zoe/],
    ['day --by agent --csv', /2026-11-22,zoe,SENTINEL Zoe,0,/],
    ['calls --csv', /,09876512345,"asha, ravi","SENTINEL Rao, SENTINEL Iyer",/],
    [`calls --customer ${customer}`, /09876512345 +SENTINEL Rao, SENTINEL Iyer/],
  ])('shows personal fields with --show-personal: %s', async (line, shown) => {
    expect((await at([...line.split(' '), '--show-personal'])).output).toMatch(shown);
  });

  it('needs --account where there are several, and then reads no secret', async () => {
    expect(await at(['agents'], { connect: deployment.withTwoAccounts })).toMatchObject({
      code: 2,
      output: '',
      notes: 'There are several accounts. Name one with --account (demo, other).\n',
    });
    for (const args of [['agents'], ['status'], [...day, '--time-zone', 'Asia/Kolkata'], ['calls']])
      expect(await at([...args, '--account', 'demo'], { connect: deployment.withoutSecret })).toMatchObject({
        code: 0,
      });
  });
});

describe('a command that leaves rows out by a filter', async () => {
  const filtered = await forThisFile(startDeployment());
  const entry = { reason: 'broken-json', receivedAt: '2026-11-20T06:00:00.000Z' } as const;
  // A row without a reason, as an earlier version left it, is no entry.
  await filtered.put('quarantine', { id: 'count', posts: 1 });
  for (const account of ['demo', 'other'])
    for (const body of ['{1', '{2'])
      await filtered.put('quarantine', quarantineRow(quarantineEntry({ ...entry, account, body }), 30));
  for (const callId of ['1', '2', '3'])
    await filtered.post(demoCall(callId, { AgentID: 'asha' }), { UCID: callId, ExitStatus: 'x' });
  for (const second of ['00', '15', '30']) {
    const change = { kind: 'feed-change', status: 'live', account: 'demo', revision: 1, version: 1 };
    const at = `2026-11-${second === '15' ? '01' : '20'}T06:00:${second}.000Z`;
    await filtered.put('agents', { ...change, pk: feedChangesKey('demo'), sk: at, recordedAt: at });
  }

  /** Each page of a table has one row, so a filter leaves many of them empty. */
  const pagesOfOneRow: Context['connect'] = async () => {
    const connected = await filtered.connect();
    connected.dynamodb.middlewareStack.add(
      (next, { commandName = '' }) =>
        (args) =>
          next(/^(?:Scan|Query)/.test(commandName) ? { ...args, input: { ...args.input, Limit: 1 } } : args),
      { step: 'initialize' },
    );
    return connected;
  };

  it.each([
    ['quarantine list --account other --json', 2],
    ['quarantine list --json', 4],
    ['status --json', 1],
    ['calls --json --limit 5', 3],
    ['replay --from 2026-11-10 --to 2100-01-01 --account demo --type Call¬Summary¬Recorded --dry-run --json', 1],
    ['replay --from 2026-11-10 --to 2100-01-01 --account demo --type Agent¬Feed¬Interrupted --dry-run --json', 1],
    ['erase --agent asha --account demo --dry-run --json', 1],
  ])('finds no less where pages are short: %s', async (line, lines) => {
    const args = line.split(' ').map((word) => word.replaceAll('¬', ' '));
    const clock = () => new Date(filtered.now());
    const whole = jsonLines(await cli(args, { clock, connect: filtered.connect }));
    const short = jsonLines(await cli(args, { clock, connect: pagesOfOneRow }));

    expect(whole).toHaveLength(lines);
    expect(new Set(short.map((one) => JSON.stringify(one)))).toEqual(new Set(whole.map((one) => JSON.stringify(one))));
  });
});
