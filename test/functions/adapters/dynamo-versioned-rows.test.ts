import { randomUUID } from 'node:crypto';
import {
  type BatchGetItemCommand,
  ConditionalCheckFailedException,
  type DynamoDBClient,
  DynamoDBServiceException,
  TransactionCanceledException,
} from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { dynamoAgentTable } from '../../../functions/adapters/dynamo-agent-table.ts';
import { dynamoVersionedRows, queryRows, readRows } from '../../../functions/adapters/dynamo-versioned-rows.ts';
import { dynamoReceipts } from '../../../functions/publish-changes/app.ts';
import type { Alongside, KeyedRow, Row, VersionedRow } from '../../../lib/storage/rows.ts';
import { startTestTables, type TestTables } from '../../support/dynamodb-local.ts';
import { generousDeadline } from '../../support/memory-ports.ts';
import { scriptedClient, watchedLimits } from '../../support/watched-clients.ts';

const nothing: Alongside = { puts: [], removes: [] };

const rowsIn = (pk: string, number: number): readonly KeyedRow[] =>
  Array.from({ length: number }, (_, index) => ({ pk, sk: `other#${String(index).padStart(3, '0')}` }));

/** As many of these characters as an attribute `text` of the row can hold: DynamoDB counts 400 KB in UTF-8. */
const largestText = ({ pk, sk }: KeyedRow, character = 'x'): string =>
  character.repeat(Math.floor((400 * 1024 - Buffer.byteLength(`pk${pk}sk${sk}text`)) / Buffer.byteLength(character)));

describe('versioned rows, over DynamoDB Local,', () => {
  let tables: TestTables;

  beforeAll(async () => {
    tables = await startTestTables();
  });

  afterAll(() => tables.stop());

  const settings = () => ({ client: tables.client, tableName: tables.tableNames.agents, deadlineMs: 15_000 });

  /** A table, and a partition of it that no other test uses. */
  const setUp = () => {
    const { putNextVersion } = dynamoVersionedRows(tables.client, tables.tableNames.agents);
    const table = dynamoAgentTable(settings());
    const pk = randomUUID();
    const row = (version: number, more: Row = {}): VersionedRow => ({ pk, sk: 'main', version, ...more });
    return {
      pk,
      row,
      table,
      rows: (partition: string = pk) => table.query(partition),
      put: (next: VersionedRow, alongside = nothing) => putNextVersion(next, alongside, generousDeadline()),
    };
  };
  const written = { kind: 'written' };

  describe('for a row alone', () => {
    it('writes only the version after the stored one, and otherwise answers the row that is there', async () => {
      const { put, row, rows } = setUp();
      expect(await put(row(2))).toEqual({ kind: 'conflict', row: undefined });

      expect(await put(row(1, { by: 'first' }))).toEqual(written);
      expect(await put(row(1, { by: 'second' }))).toEqual({ kind: 'conflict', row: row(1, { by: 'first' }) });
      expect(await put(row(2))).toEqual(written);
      for (const version of [1, 2, 4]) expect(await put(row(version))).toEqual({ kind: 'conflict', row: row(2) });

      expect(await rows()).toEqual([row(2)]);
    });

    it('stores the row as it was, without attributes that are undefined', async () => {
      const { put, row, rows } = setUp();
      const deliveries = [{ id: '007', receivedAt: 'now', differences: { skills: ['a', 'b'] } }];
      const more = { deliveries, counts: { ready: 2 }, empty: '', none: [], nothing: null, isOn: false, share: 0.1 };

      await put(row(1, { ...more, gone: undefined }));

      const stored = row(1, { ...more, deliveries: [...deliveries] });
      deliveries.pop();
      expect(await rows()).toStrictEqual([stored]);
      expect(await put(row(1))).toStrictEqual({ kind: 'conflict', row: stored });
    });

    it.each(['x', 'é', '字'])('stores a row of 400 KB of “%s”, and rejects a larger one', async (character) => {
      const { put, row, rows } = setUp();
      const text = largestText({ pk: row(1).pk, sk: 'mainversion123' }, character);

      expect(await put(row(1, { text }))).toEqual(written);
      expect(await put(row(2, { text: `${text}${character.repeat(14)}` }))).toEqual({ kind: 'rejected' });

      expect(await rows()).toEqual([row(1, { text })]);
    });
  });

  describe('for a row with others alongside', () => {
    it('writes up to 99 other rows with it, and removes others, in any partition', async () => {
      const { put, pk, row, rows } = setUp();
      const old = [
        { pk, sk: 'old' },
        { pk: `${pk}#x`, sk: 'old' },
      ];
      await put(row(1), { puts: old, removes: [] });

      const puts = rowsIn(pk, 97);
      const removes = old.map((key) => ({ ...key, not: 'a key' }));
      expect(await put(row(2), { puts, removes })).toEqual(written);

      expect(await rows()).toEqual([row(2), ...puts]);
      expect(await rows(`${pk}#x`)).toEqual([]);
    });

    it('writes and removes nothing when it conflicts, and answers the row', async () => {
      const { put, pk, row, rows } = setUp();
      const other = { pk, sk: 'other', state: 'ready' };
      await put(row(1), { puts: [other], removes: [] });

      const puts = [
        { ...other, state: 'busy' },
        { pk, sk: 'another' },
      ];
      expect(await put(row(1), { puts, removes: [] })).toEqual({ kind: 'conflict', row: row(1) });
      expect(await put(row(3), { puts: [], removes: [other] })).toEqual({ kind: 'conflict', row: row(1) });

      expect(await rows()).toEqual([row(1), other]);
    });

    it('lets one of many concurrent writers win, with or without other rows', async () => {
      const { put, pk, row, rows } = setUp();
      const alongside = (index: number) => ({ puts: index % 2 === 0 ? [] : [{ pk, sk: 'other' }], removes: [] });

      const results = await Promise.all(
        Array.from({ length: 12 }, (_, index) => put(row(1, { index }), alongside(index))),
      );

      const winners = results.flatMap(({ kind }, index) => (kind === 'written' ? [index] : []));
      expect(winners).toHaveLength(1);
      expect(results.filter(({ kind }) => kind === 'conflict')).toHaveLength(11);
      expect(await rows()).toContainEqual(row(1, { index: winners[0] }));
    });

    it.each<[string, (row: VersionedRow) => Alongside]>([
      ['a hundred other rows', ({ pk }) => ({ puts: rowsIn(pk, 100), removes: [] })],
      ['the row itself', (row) => ({ puts: [row], removes: [] })],
      [
        'rows of more than 4 MB',
        ({ pk }) => ({ puts: rowsIn(pk, 11).map((each) => ({ ...each, text: 'é'.repeat(195_000) })), removes: [] }),
      ],
    ])('rejects %s alongside, and writes nothing', async (_title, alongside) => {
      const { put, row, rows } = setUp();

      expect(await put(row(1), alongside(row(1)))).toEqual({ kind: 'rejected' });
      expect(await rows()).toEqual([]);
    });
  });

  it('throws for rows of the agents that it can never store: the poller made them', async () => {
    const { table, row, rows } = setUp();
    const puts = [{ ...row(1), sk: 'other', text: 'é'.repeat(210_000) }];

    await expect(table.write(row(1), { puts, removes: [] })).rejects.toThrow('can never store these rows');
    expect(await rows()).toEqual([]);
  });

  it('puts and removes many rows of the agents, whether they exist or not', async () => {
    const { table, pk, rows } = setUp();
    for (const [count, state] of [
      [60, 'ready'],
      [30, 'busy'],
    ] as const)
      await table.put(rowsIn(pk, count).map((row) => ({ ...row, state })));
    await table.remove([...rowsIn(pk, 10).map((row) => ({ ...row, not: 'a key' })), { pk, sk: 'never-there' }]);

    expect((await rows()).map(({ state }) => state)).toEqual([...Array(20).fill('busy'), ...Array(30).fill('ready')]);
  });

  it('moves the instants of an account’s callbacks on, each by itself, and never back', async () => {
    const { advance } = dynamoReceipts(settings());
    const [first = '', second = '', third = ''] = [1, 2, 3].map((minute) => `2026-11-20T06:0${minute}:00.000Z`);
    for (const [instant, at] of [
      ['lastReceivedAt', second],
      ['lastReceivedAt', second],
      ['lastReceivedAt', first],
      ['heldUpAt', first],
      ['heldUpAt', third],
    ] as const)
      await advance('a#b', instant, at);

    expect(await setUp().rows('a%23b#callbacks')).toEqual([
      {
        pk: 'a%23b#callbacks',
        sk: 'callbacks',
        kind: 'callbacks',
        account: 'a#b',
        lastReceivedAt: second,
        heldUpAt: third,
      },
    ]);
  });
});

describe('dynamoVersionedRows', () => {
  const row = (version: number) => ({ pk: 'demo', sk: 'main', version });
  const item = (version: number) => ({ pk: { S: 'demo' }, sk: { S: 'main' }, version: { N: String(version) } });
  const alone = { puts: [], removes: [] };
  const withOther = { puts: [{ pk: 'demo', sk: 'other' }], removes: [] };

  const put = async (version: number, alongside: typeof withOther, answer: () => unknown = () => ({})) => {
    const { client, sent } = scriptedClient<DynamoDBClient>(answer);
    return {
      result: await dynamoVersionedRows(client, 't').putNextVersion(row(version), alongside, generousDeadline()),
      sent,
    };
  };

  const metadata = { $metadata: {}, message: 'rejected' };

  const failure = (name: string) => () => {
    throw new DynamoDBServiceException({ ...metadata, $fault: 'client', name });
  };

  const conditionFailed = (Item?: ReturnType<typeof item>) => () => {
    throw new ConditionalCheckFailedException({ ...metadata, ...(Item && { Item }) });
  };

  const cancelled =
    (...reasons: readonly (string | { readonly Code: string; readonly Item: ReturnType<typeof item> })[]) =>
    () => {
      const CancellationReasons = reasons.map((reason) => (typeof reason === 'string' ? { Code: reason } : reason));
      throw new TransactionCanceledException({ ...metadata, CancellationReasons });
    };

  it.each([
    ['a row that is there', alone, conditionFailed(item(5)), row(5)],
    ['a row that was there and is gone', alone, conditionFailed(), undefined],
    ['a row that a transaction is writing', alone, failure('TransactionConflictException'), undefined],
    ['one in a transaction', withOther, cancelled({ Code: 'ConditionalCheckFailed', Item: item(5) }, 'None'), row(5)],
    ['a row that is gone, in a transaction', withOther, cancelled('ConditionalCheckFailed', 'None'), undefined],
    ['a transaction that collides with another write', withOther, cancelled('None', 'TransactionConflict'), undefined],
    ['the same transaction, still in progress', withOther, failure('TransactionInProgressException'), undefined],
  ])('conflicts with %s, after one call', async (_title, alongside, answer, shown) => {
    const { result, sent } = await put(2, alongside, answer);

    expect(result).toEqual({ kind: 'conflict', row: shown });
    expect(sent).toHaveLength(1);
  });

  it.each([
    ['a put', alone, failure('ValidationException')],
    ['a transaction', withOther, cancelled('None', 'ValidationError')],
  ])('rejects %s that DynamoDB can never accept', async (_title, alongside, answer) => {
    expect((await put(2, alongside, answer)).result).toEqual({ kind: 'rejected' });
  });

  it.each([
    ['throttling', alone, failure('ThrottlingException')],
    ['a transaction without capacity', withOther, cancelled('None', 'ThrottlingError')],
    ['a transaction cancelled without a reason', withOther, cancelled()],
    ['an error that is not DynamoDB’s', alone, () => Promise.reject(new TypeError('ECONNREFUSED'))],
  ])('throws for %s', async (_title, alongside, answer) => {
    await expect(put(2, alongside, answer)).rejects.toThrow();
  });
});

describe('readRows', () => {
  it('reads a hundred keys a call, and those again that DynamoDB left unread', async () => {
    const keys = Array.from({ length: 101 }, (_, index) => ({ pk: String(index), sk: 'call' }));
    const asked: number[] = [];
    const client = {
      send: async ({ input }: BatchGetItemCommand) => {
        const Keys = input.RequestItems?.['calls']?.Keys ?? [];
        asked.push(Keys.length);
        const isFirst = asked.length === 1;
        return {
          Responses: { calls: isFirst ? Keys.slice(3) : Keys },
          ...(isFirst && { UnprocessedKeys: { calls: { Keys: Keys.slice(0, 3) } } }),
        };
      },
    };

    const rows = await readRows(client as never, 'calls')(keys, generousDeadline());
    expect(asked).toEqual([100, 3, 1]);
    expect(new Set(rows.map(({ pk }) => pk))).toEqual(new Set(keys.map(({ pk }) => pk)));
  });
});

it('queryRows has a new limit for each page', async () => {
  onTestFinished(() => void vi.restoreAllMocks());
  const limits = watchedLimits();
  const pages = [
    { Items: [{ pk: { S: '1' } }], LastEvaluatedKey: { pk: { S: '1' } } },
    { Items: [{ pk: { S: '2' } }] },
  ];
  const send = async (_command: unknown, { abortSignal }: { readonly abortSignal: AbortSignal }) => {
    abortSignal.throwIfAborted();
    limits.pass();
    return pages.shift();
  };

  const query = queryRows({ client: { send } as never, tableName: 'calls', deadlineMs: 2_500 });
  expect(await query('demo')).toEqual([{ pk: '1' }, { pk: '2' }]);
});
