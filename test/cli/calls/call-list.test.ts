import { beforeAll, describe, expect, it } from 'vitest';
import { type CallFilters, callFilters } from '../../../cli/calls/call-filters.ts';
import { firstMatching, type ListedPortion, selectionOf } from '../../../cli/calls/call-list.ts';
import { listSummary } from '../../../cli/calls/call-table.ts';
import type { CallList, ListedCall } from '../../../client/index.ts';
import { accountsKey, namedAccounts } from '../../../lib/accounts/account-index.ts';
import { demoCall } from '../../support/sandbox.ts';
import { cli, jsonLines } from '../support/cli-run.ts';
import { account, forThisFile, startDeployment } from '../support/local-deployment.ts';

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

type Asked = Partial<Pick<ListedPortion, 'limit' | 'cursor'>> & { readonly filters?: CallFilters };

const read = async ({ filters = {}, ...portion }: Asked, maxPage = 1_000) => {
  const { list, sizes } = listOf(maxPage);
  const ids: string[] = [];
  const found = await firstMatching(
    list,
    {
      limit: Number.POSITIVE_INFINITY,
      cursor: undefined,
      ...portion,
      selection: selectionOf([filters], { rowsOf: async () => new Map(), states: async () => new Map() }),
    },
    (some) => void ids.push(...some.map(({ callId }) => callId)),
  );
  return { ...found, ids, sizes };
};

describe('firstMatching', () => {
  const none = undefined;
  const filters = { status: 'not-answered' } as const;
  const answered = { status: 'answered', type: 'inbound' } as const;
  const three = { limit: 3, filters };
  it.each<[string, Asked, number, object]>([
    ['finds all without a limit', {}, 400, { found: 1_000, read: 1_000, next: none, sizes: Array(3).fill(1_000) }],
    ['asks for as many as are still missing', { limit: 5 }, 2, { found: 5, read: 5, next: '5', sizes: [5, 3, 1] }],
    ['searches in larger pages', three, 1_000, { ids: ['1', '3', '5'], next: '6', sizes: [200, 6] }],
    ['searches several pages', three, 2, { ids: ['1', '3', '5'], next: '6', sizes: [200, 200, 200] }],
    ['continues behind the last call', { limit: 2, cursor: '6', filters }, 1_000, { ids: ['7', '9'], next: '10' }],
    ['finds no more than there are', { limit: 501, filters }, 1_000, { found: 500, read: 1_000, next: none }],
    ['ends with the list at its last match', { limit: 500, filters }, 1_000, { found: 500, next: none }],
    ['matches both filters', { limit: 1, filters: answered }, 1_000, { ids: ['2'], next: '3' }],
    ['finds none if none matches', { filters: { type: 'chat' } }, 1_000, { found: 0, read: 1_000, next: none }],
  ])('%s', async (_title, portion, maxPage, expected) => {
    expect(await read(portion, maxPage)).toMatchObject(expected);
  });

  it('finds each call once, whatever the limit', async () => {
    for (const limit of [1, 7, 150, 333]) {
      const ids: string[] = [];
      let cursor: string | undefined;
      do {
        const some = await read({ limit, cursor, filters }, 90);
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
    [
      'the range of the next page, where the options would name another one',
      { since: { agoMs: 1 }, moving: { from: 'F', to: undefined } },
      { found: 1, read: 1, next: 'x' },
      '1 listed. More with the same options, --from F in place of --since and --cursor x',
    ],
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

it.each(Object.entries(callFilters))('the filter %s has its name on the page too', (name, { label }) => {
  expect(label.split(/[ (]/)).toContain(name);
});

describe('callfeed calls', async () => {
  const deployment = await forThisFile(startDeployment());

  beforeAll(async () => {
    const missed = { Status: 'NotAnswered' };
    const { Type, ...withoutType } = demoCall('3', { ...missed, Skill: 'Sales', StartTime: '2026-11-22 01:00:00' });
    const answered = Array.from({ length: 21 }, (_, index) =>
      demoCall(`9${index + 10}`, {
        StartTime: `2026-11-22 03:${index + 10}:00`,
        ...(index < 2 && { TimeToAnswer: `00:00:${index + 39}`, Skill: 'Billing' }),
        ...(index < 4 && { CallerID: '09876500001', AgentID: index < 3 ? 'asha' : 'ravi' }),
      }),
    );
    await deployment.put('agents', { ...accountsKey, kind: 'accounts', accounts: namedAccounts([account]) });
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
    ['--customer=+919876500001', '--agent', 'asha', ['912', '911', '910']],
    ['--customer=+919876500001', '--agent', 'ravi', ['913']],
  ])('lists calls by the contract’s rules: %s %s %s', async (rule, option, value, ids) => {
    expect(jsonLines(await at(rule, option, value, '--json')).map(({ callId }) => callId)).toEqual(ids);
  });

  it.each([
    ['--skill', 'sales', 'There are calls of skill Sales.'],
    ['--skill', 'bill', 'There are calls of skill Billing.'],
    ['--campaign', 'AUTUMN ', 'There are calls of campaign Autumn.'],
    ['--skill', 'nothing like it', 'If there should be some'],
  ])('names the text that calls have where none has the one that is asked for: %s %j', async (option, text, hint) => {
    const { notes } = await at('--day', 'today', option, text);

    expect(notes).toContain(`0 listed of 24 read. ${hint}`);
  });

  it.each([
    [['--agent', 'Asha'], '0 listed. There are calls of agent asha.'],
    [['--agent', 'rav', '--skill', 'Sales'], '0 listed of 0 read. There are calls of agent ravi.'],
    [['--agent', 'Asha', '--customer', '09876500001'], 'listed of 4 read. There are calls of agent asha.'],
    // She has no call of this skill, so her name is not what is wrong.
    [['--agent', 'asha', '--skill', 'Cheese'], 'read. If there should be some'],
    [['--agent', 'nobody'], 'every other name as it was sent? “callfeed day --by agent” lists the agents of a day.'],
  ])('names agents who have calls where the one that is asked for has none: %s', async (options, hint) => {
    expect((await at('--day', 'today', ...options)).notes).toContain(hint);
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
