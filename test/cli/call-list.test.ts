import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CallFilters, selectionOf } from '../../cli/call-filters.ts';
import {
  callerTest,
  callsOfCaller,
  firstMatching,
  firstPage,
  matchingOf,
  type Portion,
  spellingsOf,
} from '../../cli/call-list.ts';
import { listSummary } from '../../cli/commands/calls.ts';
import { readCustomer } from '../../cli/console/people.ts';
import { accountsKey, namedAccounts } from '../../lib/accounts/account-index.ts';
import type { CallfeedClient, CallList, CallPage, ListedCall } from '../../lib/client/index.ts';
import { holdsAsync } from '../support/arbitraries.ts';
import { demoCall } from '../support/sandbox.ts';
import { cli, jsonLines } from './support/cli-run.ts';
import { account, startDeployment } from './support/local-deployment.ts';

/** Calls with ids from 0: even ones are answered, odd ones missed, and the first has no type. */
const calls = Array.from(
  { length: 1_000 },
  (_, index): ListedCall => ({
    account: 'demo',
    callId: String(index),
    revision: 1,
    timeZone: 'UTC',
    listedAt: '2026-11-21T10:00:00.000Z',
    status: index % 2 === 0 ? 'answered' : 'not-answered',
    ...(index > 0 && { type: 'inbound' }),
  }),
);

/** A list with at most `maxPage` calls a page; a cursor is the number of calls before it. */
const listOf = (maxPage: number) => {
  const sizes: number[] = [];
  const list: CallList = {
    async *pages(size, cursor = '0') {
      sizes.push(size);
      const end = Number(cursor) + Math.min(size, maxPage);
      yield { calls: calls.slice(Number(cursor), end), next: end < calls.length ? String(end) : undefined };
    },
    async *[Symbol.asyncIterator]() {
      yield* calls;
    },
  };
  return { list, sizes };
};

type Asked = Partial<Pick<Portion, 'limit' | 'cursor'>> & { readonly filters?: CallFilters };

const read = async ({ filters = {}, ...portion }: Asked, maxPage = 1_000) => {
  const { list, sizes } = listOf(maxPage);
  const ids: string[] = [];
  const found = await firstMatching(
    list,
    {
      ...{ limit: Number.POSITIVE_INFINITY, cursor: undefined, ...portion },
      matching: matchingOf(selectionOf(filters), async () => new Map()),
    },
    (some) => ids.push(...some.map(({ callId }) => callId)),
  );
  return { ...found, ids, sizes };
};
const missed = { status: 'not-answered' } as const;

describe('firstMatching', () => {
  it.each<[string, Asked, number, object]>([
    [
      'finds all calls without a limit',
      {},
      400,
      { found: 1_000, read: 1_000, next: undefined, sizes: [1_000, 1_000, 1_000] },
    ],
    [
      'asks for as many calls as are still missing',
      { limit: 5 },
      2,
      { found: 5, read: 5, next: '5', sizes: [5, 3, 1] },
    ],
    [
      'searches in larger pages',
      { limit: 3, filters: missed },
      1_000,
      { ids: ['1', '3', '5'], next: '6', sizes: [200, 6] },
    ],
    [
      'searches several pages',
      { limit: 3, filters: missed },
      2,
      { ids: ['1', '3', '5'], next: '6', sizes: [200, 200, 200] },
    ],
    [
      'continues behind the last call that it returned',
      { limit: 2, cursor: '6', filters: missed },
      1_000,
      { ids: ['7', '9'], next: '10' },
    ],
    [
      'finds no more than there are',
      { limit: 501, filters: missed },
      1_000,
      { found: 500, read: 1_000, next: undefined },
    ],
    [
      'ends with the list when the limit is the number of matches',
      { limit: 500, filters: missed },
      1_000,
      { found: 500, next: undefined },
    ],
    [
      'matches both filters',
      { limit: 1, filters: { status: 'answered', type: 'inbound' } },
      1_000,
      { ids: ['2'], next: '3' },
    ],
    ['finds none if none matches', { filters: { type: 'chat' } }, 1_000, { found: 0, read: 1_000, next: undefined }],
  ])('%s', async (_title, portion, maxPage, expected) => {
    expect(await read(portion, maxPage)).toMatchObject(expected);
  });

  it('finds each call once, whatever the limit', async () => {
    for (const limit of [1, 7, 150, 333]) {
      const ids: string[] = [];
      let cursor: string | undefined;
      do {
        const some = await read({ limit, cursor, filters: missed }, 90);
        ids.push(...some.ids);
        cursor = some.next;
      } while (cursor !== undefined);

      expect(ids).toEqual(calls.filter(({ status }) => status === 'not-answered').map(({ callId }) => callId));
    }
  });
});

describe('listSummary', () => {
  const none = { found: 0, read: 0, next: undefined };
  const summary = (options: object, found: Partial<Parameters<typeof listSummary>[0]> = {}) =>
    listSummary({ ...none, ...found }, options);

  it.each<[string, object, object, string]>([
    ['the number of calls', {}, { found: 3, read: 3 }, '3 listed.'],
    ['the number read, with a filter', { isFiltered: true }, { found: 3, read: 9 }, '3 listed of 9 read.'],
    ['the next cursor', {}, { found: 1, read: 1, next: 'x' }, '1 listed. More with the same options and --cursor x'],
    ['no question without a name', {}, {}, '0 listed.'],
    ['no question behind a cursor', { account: 'a', cursor: 'x' }, {}, '0 listed.'],
  ])('has %s', (_title, options, found, line) => {
    expect(summary(options, found)).toBe(line);
  });

  it.each([{ account: 'a' }, { agent: 'a' }, { customer: '1' }, { skill: 'Sales' }, { campaign: 'Autumn' }])(
    'asks how the names of an empty list are spelt: %o',
    (options) => expect(summary(options, { read: 9 })).toMatch(/^0 listed.* If there should be some: is the account/),
  );
});

describe('callfeed calls', () => {
  let deployment: Awaited<ReturnType<typeof startDeployment>>;

  beforeAll(async () => {
    deployment = await startDeployment();
    const missed = { Status: 'NotAnswered' };
    const { Type, ...withoutType } = demoCall('3', { ...missed, Skill: 'Sales', StartTime: '2026-11-22 01:00:00' });
    const answered = Array.from({ length: 21 }, (_, index) =>
      demoCall(`9${index + 10}`, {
        StartTime: `2026-11-22 03:${index + 10}:00`,
        ...(index < 2 && { TimeToAnswer: `00:00:${index + 39}`, Skill: 'Billing' }),
      }),
    );
    const Item = marshall({ ...accountsKey, kind: 'accounts', accounts: namedAccounts([account]) });
    const { client, tableNames } = deployment.tables;
    await client.send(new PutItemCommand({ TableName: tableNames.agents, Item }));
    // Times are Indian: 00:30 on the 22nd is 19:00 UTC on the 21st.
    for (const call of [
      demoCall('1', { ...missed, StartTime: '2026-11-21 23:59:59' }),
      demoCall('2', { ...missed, HangupBy: 'UserHangup', CampaignName: 'Autumn', StartTime: '2026-11-22 00:30:00' }),
      withoutType,
      demoCall('4', { ...missed, Type: 'Manual', StartTime: '2026-11-22 02:00:00' }),
      ...answered,
    ])
      await deployment.post(call);
  });
  afterAll(() => deployment.stop());

  const at = (...args: readonly string[]) =>
    cli(['calls', ...args], { connect: deployment.connect, clock: () => new Date('2026-11-22T09:00:00.000Z') });
  const missed = async (...args: readonly string[]) =>
    jsonLines(await at('--status', 'not-answered', '--json', ...args)).map(({ callId }) => callId);

  it('lists the missed calls of a day in the account’s zone', async () => {
    expect(await missed('--day', 'today', '--type', 'inbound')).toEqual(['2']);
    expect(await missed('--day', 'today')).toEqual(['4', '3', '2']);
    expect(await missed('--day', '2026-11-21')).toEqual(['1']);
    expect(await missed('--day', 'yesterday')).toEqual(['1']);
    expect(await missed('--day', '2026-11-21', '--time-zone', 'UTC')).toEqual(['4', '3', '2', '1']);
    expect(await missed('--day', '2026-11-23')).toEqual([]);
    expect(await missed('--limit', '1')).toEqual(['4']);
  });

  it.each([
    ['--missed', '--day', 'today', ['3', '2']],
    ['--missed', '--type', 'inbound', ['2', '1']],
    ['--abandoned', '--day', 'today', ['2']],
    ['--missed', '--skill', 'Sales', ['3']],
    ['--missed', '--campaign', 'Autumn', ['2']],
    ['--missed', '--without', 'skill', ['2', '1']],
    ['--missed', '--counted', 'answered', []],
    ['--slower=39', '--day', 'today', ['911']],
    ['--within=39', '--agent', 'asha', ['910']],
    ['--within=40', '--known', 'time-to-answer', ['911', '910']],
    ['--counted=answered', '--skill', 'Billing', ['911', '910']],
  ])('lists calls by the contract’s rules: %s %s %s', async (rule, option, value, ids) => {
    expect(jsonLines(await at(rule, option, value, '--json')).map(({ callId }) => callId)).toEqual(ids);
  });

  it('lists the calls since a time, and those that were first recorded in a range, whatever their start', async () => {
    // It is 09:00 in UTC, and 14:30 in India.
    expect(await missed('--since', '13h')).toEqual(['4']);
    expect(await missed('--since', '2026-11-21T19:00:00Z')).toEqual(['4', '3', '2']);
    expect((await missed('--recorded', '--day', 'today')).toSorted()).toEqual(['1', '2', '3', '4']);
    expect(await missed('--recorded', '--day', 'yesterday')).toEqual([]);
    expect((await at('--recorded', '--since', '1h', '--limit', '2')).output).toMatch(
      /^RECORDED +TIME .*\n2026-11-22T14:30:00\+05:30 {2}2026-11-2/,
    );
  });

  it('has the times of the account’s zone in its table, and takes them for --from', async () => {
    const newest = async (...args: readonly string[]) =>
      /\n(2\S+) /.exec((await at('--limit', '1', ...args)).output)?.[1];

    const local = '2026-11-22T03:30:00+05:30';
    expect(await newest()).toBe(local);
    expect(await newest('--from', local)).toBe(local);
    expect(await newest('--day', 'yesterday', '--time-zone', 'America/New_York')).toBe('2026-11-21T17:00:00-05:00');
    const { tables, ...connected } = await deployment.connect();
    const withoutPoll = async () => ({ ...connected, tables: { ...tables, agents: tables.calls } });
    const { output, notes } = await cli(['calls'], { connect: withoutPoll });
    expect(output).toContain('\n2026-11-21T22:00:00+00:00 ');
    expect(notes).toMatch(/^Times are in UTC: no poll of demo has noted its time zone yet\.\n20 listed/);
  });

  it('prints how many calls it read to find them, and the cursor of the rest', async () => {
    const { output, notes } = await at('--status', 'not-answered', '--limit', '2');
    const [, cursor = ''] = /^2 listed of 25 read\. More with the same options and --cursor (\S+)\n$/.exec(notes) ?? [];

    expect(output.split('\n')).toHaveLength(4);
    expect(output).toMatch(/ missed /);
    expect(await missed('--cursor', cursor)).toEqual(['2', '1']);
  });

  it('lists 20 in a table and all with --json by default', async () => {
    expect(await at()).toMatchObject({
      output: expect.stringMatching(/^TIME +CALL +TYPE /),
      notes: expect.stringMatching(/^20 listed\. More /),
    });
    expect((await at('--json')).notes).toBe('25 listed.\n');
    expect((await at('--json', '--limit', '21')).notes).toMatch(/^21 listed\. More /);
  });
});

describe('the spellings of a number', () => {
  it.each([
    ['09876512345', ['09876512345', '9876512345', '+9876512345', '009876512345']],
    [
      '+44 7700 900123',
      ['+44 7700 900123', '447700900123', '+447700900123', '00447700900123', '7700900123', '07700900123'],
    ],
    ['0044 (0)7700 900123', expect.arrayContaining(['+447700900123', '07700900123'])],
    ['٠٩٨٧٦٥', expect.arrayContaining(['98765', '098765'])],
    ['1234', ['1234', '+1234', '001234', '01234']],
    [' anonymous\n', ['anonymous']],
    ['@asha1234', ['@asha1234']],
    ['000', ['000']],
  ])('typed as %j are these', (typed, spellings) => {
    expect(spellingsOf(typed)).toEqual(spellings);
  });

  it.each([
    ['0042', '09876500042', true],
    ['00042', '+919876500042', true],
    ['0042', '+919876510042', true],
    ['0042', '09876500421', false],
    ['042', '09876500042', false],
    ['09876500042', '+91 98765-00042', true],
    ['+44 7700 900123', '07700 900123', true],
    ['+44 7700 900123', '+1 7700 900123', false],
    ['a0042', '09876500042', false],
  ])('or last digits, typed as %j, fit %j: %s', (typed, number, fits) => {
    expect(callerTest(typed)(number)).toBe(fits);
  });
});

/** A client over these calls. A page ends where DynamoDB's 1 MB do: after `pageRows` calls, or as many as were asked for. */
const clientOf = (calls: readonly Partial<ListedCall>[], pageRows = 1_000) => {
  const listOf = (all: readonly ListedCall[]): CallList => {
    const sorted = all.toSorted((a, b) => b.listedAt.localeCompare(a.listedAt));
    async function* pages(size: number): AsyncGenerator<CallPage> {
      for (let from = 0; from === 0 || from < sorted.length; from += Math.min(size, pageRows)) {
        const end = from + Math.min(size, pageRows);
        yield { calls: sorted.slice(from, end), next: end < sorted.length ? String(end) : undefined };
      }
    }
    return {
      pages,
      [Symbol.asyncIterator]: async function* () {
        yield* sorted;
      },
    };
  };
  const callsOfCustomer = (number: string, { to = '9' }: { readonly to?: string }) =>
    listOf((calls as readonly ListedCall[]).filter((call) => call.customerNumber === number && call.listedAt <= to));
  return { callsOfCustomer, calls: () => listOf(calls as readonly ListedCall[]) } as unknown as CallfeedClient;
};

const instantOf = (second: number): string => new Date(Date.UTC(2026, 10, 21) + second * 1_000).toISOString();

describe('the calls of a caller', () => {
  it('are those of every spelling, newest first, in pages of any size, each call once', async () => {
    const [mine, others] = [
      ['+447700900123', '07700900123', '447700900123'],
      ['+17700900123', '0770090012'],
    ];
    // Many calls have the same instant, as after an import.
    const some = fc.array(fc.tuple(fc.constantFrom(...mine, ...others), fc.integer({ min: 0, max: 4 })), {
      maxLength: 30,
    });
    const property = fc.asyncProperty(some, fc.integer({ min: 1, max: 7 }), async (drawn, size) => {
      const calls = drawn.map(([customerNumber, second], index) => ({
        ...{ callId: `c${index}`, customerNumber, listedAt: instantOf(second) },
      }));
      const list = callsOfCaller(clientOf(calls), '+44 7700 900123', { from: undefined, to: undefined });
      const read: ListedCall[] = [];
      let cursor: string | undefined;
      do {
        const page = await firstPage(list.pages(size, cursor));
        expect(page.calls.length).toBeLessThanOrEqual(size);
        read.push(...page.calls);
        cursor = page.next;
      } while (cursor !== undefined);

      const expected = calls.filter(({ customerNumber }) => mine.includes(customerNumber));
      expect(read.map(({ listedAt }) => listedAt)).toEqual(
        expected
          .map(({ listedAt }) => listedAt)
          .sort()
          .reverse(),
      );
      expect(read.map(({ callId }) => callId).sort()).toEqual(expected.map(({ callId }) => callId).sort());
    });
    await holdsAsync(property);
  });

  it('have a cursor that names nobody, and reject another one', async () => {
    const calls = [1, 2].map((second) => ({
      callId: `c${second}`,
      customerNumber: '07700900123',
      listedAt: instantOf(second),
    }));
    const list = callsOfCaller(clientOf(calls), '+447700900123', { from: undefined, to: undefined });
    const first = await firstPage(list.pages(1));

    expect(Buffer.from(first.next ?? '', 'base64url').toString()).not.toContain('7700900123');
    await expect(firstPage(list.pages(1, 'x'))).rejects.toThrow('cursor: expected the unchanged');
  });
});

describe('the page of a caller', () => {
  const settings = { clock: () => new Date(instantOf(0)), isPersonal: true };
  const read = (client: CallfeedClient, number: string) => readCustomer({ ...settings, client }, { number });

  it('searches the newest 1,000 calls, however few of them a page of DynamoDB has', async () => {
    const calls = Array.from({ length: 1_500 }, (_, index) => ({
      ...{ callId: `c${index}`, listedAt: instantOf(-index), customerNumber: `0987650${1_000 + index}` },
    }));
    const last = await read(clientOf(calls, 335), '1999');
    expect(last).toMatchObject({ searched: 1_000, numbers: ['09876501999'], isAtLeast: false, otherNumbers: 0 });
    expect(last.calls).toHaveLength(1);
    expect(await read(clientOf(calls, 335), '2000')).toMatchObject({ searched: 1_000, calls: [] });
  });

  it('says how many calls and numbers it leaves out', async () => {
    const calls = Array.from({ length: 600 }, (_, index) => ({
      ...{ callId: `c${index}`, listedAt: instantOf(-index), customerNumber: index < 580 ? '0042' : `0${index}0042` },
    }));
    const found = await read(clientOf(calls), '0042');
    expect(found.calls).toHaveLength(500);
    expect(found).toMatchObject({ isAtLeast: true, otherNumbers: 12 });
  });
});
