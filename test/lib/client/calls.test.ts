import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type CallQuery, cursorAfter, keyAfter } from '../../../lib/client/calls.ts';
import {
  type CallfeedClient,
  type CallList,
  createCallfeedClient,
  type ListedCall,
  type Read,
} from '../../../lib/client/index.ts';
import { byCustomer, byTime } from '../../../lib/client/table-reader.ts';
import { specificationSummary as summary } from '../../fixtures/calls.ts';
import { type Receiver, startReceiver } from '../../support/deployed-receiver.ts';
import { formOf } from '../../support/http-api-event.ts';
import { collected, meteredReads } from './support/clients.ts';

let receiver: Receiver;
let client: CallfeedClient;
let metered: ReturnType<typeof meteredReads>;
const reads: Read[] = [];

/** Calls a minute apart from 11:00 in India, the last one transferred; ids 100, 101, ... */
const calls = Array.from({ length: 8 }, (_, index) => ({
  ...summary,
  monitorUCID: String(100 + index),
  StartTime: `2026-11-20 11:0${index}:00`,
  CallerID: index % 2 === 0 ? '+91#42' : '09000000043',
  AgentID: index === 7 ? 'agent1 -> asha#2' : 'agent1',
}));
const newestFirst = ['107', '106', '105', '104', '103', '102', '101', '100'];

beforeAll(async () => {
  receiver = await startReceiver();
  await receiver.answer({ body: formOf(calls) });
  await receiver.answer({ body: formOf({ ...calls[0], UCID: 900, Disposition: 'Sale' }) });
  const participant = { UCID: 100, CallID: 1, ParticipantNumber: '09000000077', ExitStatus: 'x' };
  await receiver.answer({ body: formOf([{ ...calls[0], UCID: 901, Status: 'NotAnswered' }, participant]) });
  metered = meteredReads(receiver.client);
  client = createCallfeedClient({
    dynamodb: metered.dynamodb,
    tables: { calls: receiver.callsTable, agents: 'none' },
    account: 'demo',
    onRead: (read) => reads.push(read),
  });
});

beforeEach(() => {
  metered.takeRequests();
  reads.splice(0);
});

afterAll(() => receiver.stop());

/** The requests since the last call, each in a line. */
const requestLines = () => {
  expect(metered.takeRequests()).toHaveLength(reads.length);
  return reads
    .splice(0)
    .map(({ operation, table, index, rows, units }) =>
      [operation, table, ...(index === undefined ? [] : [index]), rows, units].join(' '),
    );
};

const ids = async (list: AsyncIterable<ListedCall>) => (await collected(list)).map(({ callId }) => callId);

const pagesOf = async (list: CallList, size: number, cursor?: string) =>
  (await collected(list.pages(size, cursor))).map((page) => page.calls.map(({ callId }) => callId));

describe('a call', () => {
  it('is read with its legs, participants and deliveries by one query', async () => {
    const found = await client.call('100');

    expect(found?.call).toMatchObject({
      account: 'demo',
      callId: '100',
      revision: 3,
      dispositions: ['Sale'],
      elapsedSeconds: 250,
      status: 'answered',
      legs: [
        { ucid: '900', status: 'answered' },
        { ucid: '901', status: 'not-answered' },
      ],
    });
    expect(found?.call?.deliveries).toHaveLength(3);
    expect(found?.participants).toMatchObject([{ callId: '100', exitStatus: 'x', participantNumber: '09000000077' }]);
    expect(found?.call).not.toHaveProperty('pk');
    expect(found?.call).not.toHaveProperty('expiresAt');
    expect(requestLines()).toEqual([expect.stringMatching(/^Query calls 2 (?:0.5|1)$/)]);
  });

  it('does not contain the entries of its further agents', async () => {
    await client.call('107');

    expect(requestLines()).toEqual([expect.stringMatching(/^Query calls 1 (?:0.5|1)$/)]);
  });

  it('is undefined if it is unknown', async () => {
    expect(await client.call('1#0')).toBeUndefined();
    expect(requestLines()).toEqual([expect.stringMatching(/^Query calls 0 /)]);
  });
});

describe('a list of calls', () => {
  it('has the account’s calls, newest first', async () => {
    const found = await collected(client.calls());

    expect(found.map(({ callId }) => callId)).toEqual(newestFirst);
    expect(requestLines()).toEqual([expect.stringMatching(/^Query calls byTime 8 /)]);
  });

  it.each([
    [
      'both ends included',
      { from: '2026-11-20T05:31:00Z', to: '2026-11-20T11:05:00+05:30' },
      ['105', '104', '103', '102', '101'],
    ],
    ['from an end', { from: new Date('2026-11-20T05:36:00.000Z') }, ['107', '106']],
    ['to an end', { to: '2026-11-20T05:31:59.999Z' }, ['101', '100']],
    ['of one instant', { from: '2026-11-20T05:31:00Z', to: '2026-11-20T05:31:00Z' }, ['101']],
    ['of another year', { from: '2027-01-01T00:00:00Z' }, []],
  ])('is limited to a range: %s', async (_which, range, found) => {
    expect(await ids(client.calls(range))).toEqual(found);
    expect(requestLines()).toHaveLength(1);
  });

  it('has the calls of a customer’s number with any characters', async () => {
    expect(await ids(client.callsOfCustomer('09000000043'))).toEqual(['107', '105', '103', '101']);
    expect(await ids(client.callsOfCustomer('+91#42', { to: '2026-11-20T05:32:00Z' }))).toEqual(['102', '100']);
    expect(await ids(client.callsOfCustomer('09000000044'))).toEqual([]);
    expect(requestLines()).toEqual([
      expect.stringMatching(/^Query calls byCustomer 4 /),
      expect.stringMatching(/^Query calls byCustomer 2 /),
      expect.stringMatching(/^Query calls byCustomer 0 /),
    ]);
  });

  it('has a transferred call under each of its agents, with the same fields', async () => {
    const [first] = await collected(client.callsOfAgent('agent1', { from: '2026-11-20T05:37:00Z' }));
    const second = await collected(client.callsOfAgent('asha#2'));

    expect(second).toEqual([first]);
    expect(first).toMatchObject({ callId: '107', agentIds: ['agent1', 'asha#2'], status: 'answered' });
    expect(requestLines()).toHaveLength(2);
  });

  it('has pages of a size, each one request and none empty', async () => {
    expect(await pagesOf(client.calls(), 4)).toEqual([
      ['107', '106', '105', '104'],
      ['103', '102', '101', '100'],
    ]);
    expect(requestLines()).toHaveLength(3);
    expect((await pagesOf(client.calls(), 3)).map(({ length }) => length)).toEqual([3, 3, 2]);
    expect(await pagesOf(client.callsOfAgent('nobody'), 3)).toEqual([[]]);
  });

  it('continues at a cursor in another client, and rejects it for another list', async () => {
    const list = () => client.callsOfAgent('agent1');
    const [page] = await collected(list().pages(7));

    expect(await pagesOf(list(), 10, page?.next)).toEqual([['100']]);
    expect(() => client.callsOfAgent('asha#2').pages(10, page?.next)).toThrow(RangeError);
    expect((await collected(list().pages(10))).map(({ next }) => next)).toEqual([undefined]);
  });

  it('reads a page only when the loop needs it', async () => {
    const pages = client.calls().pages(2)[Symbol.asyncIterator]();
    expect(requestLines()).toEqual([]);

    await pages.next();
    await pages.next();
    expect(requestLines()).toHaveLength(2);
    for await (const _ of client.calls().pages(2)) break;
    expect(requestLines()).toHaveLength(1);
  });
});

const list: CallQuery = {
  ...byCustomer,
  partition: 'demo#09000000042',
  from: '2026-11-20T00:00:00.000Z',
  to: '2026-11-21T00:00:00.000Z',
};
const last = { pk: 'demo#100', sk: 'call', customerCalls: list.partition, listedAt: '2026-11-20T05:30:00.000Z' };
const cursor = cursorAfter(list, { ...last, status: 'answered' });

describe('a cursor', () => {
  it('has the key of the row that it follows', () => {
    expect(keyAfter(list, cursor)).toEqual({
      pk: { S: 'demo#100' },
      sk: { S: 'call' },
      customerCalls: { S: 'demo#09000000042' },
      listedAt: { S: '2026-11-20T05:30:00.000Z' },
    });
  });

  it('is safe in a URL, and does not contain the customer’s number', () => {
    expect(cursor).toMatch(/^[\w-]+$/);
    expect(Buffer.from(cursor, 'base64url').toString()).not.toContain('0900');
  });

  it.each<[string, CallQuery]>([
    ['another customer', { ...list, partition: 'demo#09000000043' }],
    ['another account', { ...list, partition: 'other#09000000042' }],
    ['another index', { ...list, ...byTime }],
  ])('is rejected for the list of %s', (_what, other) => {
    expect(() => keyAfter(other, cursor)).toThrow(
      new RangeError('cursor: expected a cursor of this list, not of another.'),
    );
  });

  it.each([
    { from: '2026-11-20T05:30:00.001Z', to: undefined },
    { from: undefined, to: '2026-11-20T05:29:59.999Z' },
  ])('is rejected for a range that it is outside of: %o', (range) => {
    expect(() => keyAfter({ ...list, ...range }, cursor)).toThrow(
      new RangeError('cursor: expected a cursor within the same range of time.'),
    );
  });

  it.each([
    { from: undefined, to: undefined },
    { from: last.listedAt, to: last.listedAt },
  ])('is accepted for another range that it is within: %o', (range) => {
    expect(keyAfter({ ...list, ...range }, cursor)).toEqual(keyAfter(list, cursor));
  });

  it.each(['', 'x', 'bnVsbA', Buffer.from('["a","b"]').toString('base64url'), cursor.slice(1), `${cursor}x`.slice(2)])(
    'is rejected if it is %j',
    (text) => {
      expect(() => keyAfter(list, text)).toThrow(new RangeError('cursor: expected the unchanged `next` of a page.'));
    },
  );
});
