import { PutItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type CallQuery, cursorAfter, keyAfter } from '../../client/cursor.ts';
import { type CallfeedClient, type CallList, createCallfeedClient, type ListedCall } from '../../client/index.ts';
import { byCustomer, byTime } from '../../client/query-keys.ts';
import {
  archived,
  asked,
  failed,
  givenUp,
  newRecording,
  recordingRow,
  type StoredRecording,
} from '../../functions/archive-recordings/recording-row.ts';
import { marshalled } from '../../lib/storage/rows.ts';
import { type Deployment, deployment } from '../deployment/index.ts';
import { specificationSummary as summary } from '../fixtures/calls.ts';
import { startTestTables, type TestTables } from '../support/dynamodb-local.ts';
import { collected, meteredReads, rejectingClient } from './support/clients.ts';

let receiver: Deployment;
let client: CallfeedClient;
let metered: ReturnType<typeof meteredReads>;

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
  receiver = await deployment({ on: 'local' });
  await receiver.post(calls);
  await receiver.post({ ...calls[0], UCID: 900, Disposition: 'Sale' });
  const participant = { UCID: 100, CallID: 1, ParticipantNumber: '09000000077', ExitStatus: 'x' };
  await receiver.post([{ ...calls[0], UCID: 901, Status: 'NotAnswered' }, participant]);
  await receiver.post({ ...participant, UCID: 200, Apikey: summary.Apikey });
  metered = meteredReads(receiver.dynamodb);
  client = createCallfeedClient({
    dynamodb: metered.dynamodb,
    tables: receiver.tables,
    account: 'demo',
    onRead: metered.onRead,
  });
});

beforeEach(() => {
  metered.takeRequests();
});

afterAll(() => receiver.stop());

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
      deliveries: { length: 3 },
    });
    expect(found?.participants).toMatchObject([{ callId: '100', exitStatus: 'x', participantNumber: '09000000077' }]);
    for (const internal of ['pk', 'expiresAt']) expect(found?.call).not.toHaveProperty(internal);
    expect(metered.requestLines()).toEqual([expect.stringMatching(/^Query calls 2 (?:0.5|1)$/)]);
  });

  it('is read without the entries of its further agents, or with participants alone, and is undefined if unknown', async () => {
    expect(await client.call('107')).toMatchObject({ call: { callId: '107' }, participants: [] });
    expect(await client.call('200')).toMatchObject({ call: undefined, participants: [{ callId: '200' }] });
    expect(await client.call('1#0')).toBeUndefined();

    expect(metered.requestLines()).toEqual([
      expect.stringMatching(/^Query calls 1 (?:0.5|1)$/),
      expect.stringMatching(/^Query calls 1 (?:0.5|1)$/),
      expect.stringMatching(/^Query calls 0 /),
    ]);
  });
});

it('the rows of several calls are those that exist, each once, by one request', async () => {
  const rows = await client.callRows(['107', '100', '107', '1#0']);

  expect(rows.map(({ callId, elapsedSeconds }) => `${callId} ${elapsedSeconds}`).sort()).toEqual([
    ...['100 250', '107 undefined'],
  ]);
  expect(metered.requestLines()).toEqual([expect.stringMatching(/^BatchGetItem calls 2 /)]);
  const notText = 'callIds: expected text that is not empty. Ids are text too: numbers lose digits.';
  await expect(client.callRows(['100', ''])).rejects.toThrow(new TypeError(notText));
  expect(await client.callRows([])).toEqual([]);
});

describe('a list of calls', () => {
  it('has the account’s calls, newest first', async () => {
    const found = await collected(client.calls());

    expect(found.map(({ callId }) => callId)).toEqual(newestFirst);
    expect(metered.requestLines()).toEqual([expect.stringMatching(/^Query calls byTime 8 /)]);
  });

  it.each([
    ['inclusive', { from: '2026-11-20T05:31:00Z', to: '2026-11-20T11:05:00+05:30' }, newestFirst.slice(2, 7)],
    ['from an end', { from: new Date('2026-11-20T05:36:00.000Z') }, ['107', '106']],
    ['to an end', { to: '2026-11-20T05:31:59.999Z' }, ['101', '100']],
    ['of one instant', { from: '2026-11-20T05:31:00Z', to: '2026-11-20T05:31:00Z' }, ['101']],
    ['of another year', { from: '2027-01-01T00:00:00Z' }, []],
  ])('is limited to a range: %s', async (_which, range, found) => {
    expect(await ids(client.calls(range))).toEqual(found);
    expect(metered.requestLines()).toHaveLength(1);
  });

  it('has the calls of a customer’s number with any characters', async () => {
    const spelt = ['09000000043', '+91 90000-00043'];
    for (const typed of spelt) expect(await ids(client.callsOfCustomer(typed))).toEqual(['107', '105', '103', '101']);
    metered.takeRequests();
    expect(await ids(client.callsOfCustomer('09000000043'))).toEqual(['107', '105', '103', '101']);
    expect(await ids(client.callsOfCustomer('+91#42', { to: '2026-11-20T05:32:00Z' }))).toEqual(['102', '100']);
    expect(await ids(client.callsOfCustomer('09000000044'))).toEqual([]);
    // No poll has noted the country of the account, which decides the spellings: it is that of the newest call.
    const country = ['GetItem agents 0', 'Query calls byTime 1', 'GetItem calls 1'];
    const spellings = (rows: number) =>
      Array.from({ length: 5 }, (_, index) => `Query calls byCustomer ${index === 0 ? rows : 0}`);
    expect(metered.requestLines().map((line) => line.replace(/ [^ ]+$/, ''))).toEqual([
      ...country,
      ...spellings(4),
      // Of a range also its other calls are looked at.
      ...country,
      'Query calls byTime 3',
      'Query calls byCustomer 2',
      ...country,
      ...spellings(0),
    ]);
  });

  it('has a transferred call under each of its agents, with the same fields', async () => {
    const [first] = await collected(client.callsOfAgent('agent1', { from: '2026-11-20T05:37:00Z' }));
    const second = await collected(client.callsOfAgent('asha#2'));

    expect(second).toEqual([first]);
    expect(first).toMatchObject({ callId: '107', agentIds: ['agent1', 'asha#2'], status: 'answered' });
    expect(metered.requestLines()).toHaveLength(2);
  });

  it('has pages of a size, each one request and none empty', async () => {
    expect(await pagesOf(client.calls(), 4)).toEqual([
      ['107', '106', '105', '104'],
      ['103', '102', '101', '100'],
    ]);
    expect(metered.requestLines()).toHaveLength(3);
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
    expect(metered.requestLines()).toEqual([]);

    await pages.next();
    await pages.next();
    expect(metered.requestLines()).toHaveLength(2);
    for await (const _ of client.calls().pages(2)) break;
    expect(metered.requestLines()).toHaveLength(1);
    for await (const _ of client.calls()) break;
    expect(metered.takeRequests()).toMatchObject([{ input: { Limit: 100 } }]);
  });
});

describe('a list of calls by their recording', () => {
  let recorder: Deployment;
  let recording: CallfeedClient;
  const recordings = [
    ['in-time', '2026-11-20 23:00:00', '2026-11-20T17:35:00.000Z'],
    ['before-its-start', '2026-11-20 23:39:00', '2026-11-20T18:05:00.000Z'],
    ['at-the-limit', '2026-11-20 22:40:00', '2026-11-20T18:10:00.000Z'],
    ['over-midnight', '2026-11-20 23:58:00', '2026-11-20T18:31:00.000Z'],
    ['late', '2026-11-20 12:00:00', '2026-11-21T02:00:00.000Z'],
    ['later', '2026-11-19 12:00:00', '2026-11-21T03:00:00.000Z'],
    ['early', '2026-11-22 12:00:00', '2026-11-21T04:00:00.000Z'],
    ['older-version', '2026-11-20 23:50:00', '2026-11-20T18:32:00.000Z'],
  ] as const;

  beforeAll(async () => {
    recorder = await deployment({ on: 'local' });
    for (const [monitorUCID, StartTime, at] of recordings) {
      recorder.advance(at);
      await recorder.post({ ...summary, monitorUCID, StartTime, AgentID: 'asha -> ravi' });
    }
    // A later revision does not change when a call was first recorded.
    const revision = { ...summary, monitorUCID: 'in-time', StartTime: '2026-11-20 23:00:00', Disposition: 'Sale' };
    await recorder.post(revision);
    const Key = { pk: { S: 'demo#older-version' }, sk: { S: 'call' } };
    const UpdateExpression = 'REMOVE firstRecordedAt, lateCalls';
    await recorder.dynamodb.send(new UpdateItemCommand({ TableName: recorder.tables.calls, Key, UpdateExpression }));
    const tables = { calls: recorder.tables.calls, agents: 'none' };
    recording = createCallfeedClient({ dynamodb: recorder.dynamodb, tables, account: 'demo' });
  });
  afterAll(() => recorder.stop());

  const midnight = '2026-11-20T18:30:00.000Z';
  const justBefore = '2026-11-20T18:29:59.999Z';
  const afterMidnight = ['early', 'later', 'late', 'over-midnight', 'older-version'];
  const everything = [...afterMidnight, 'before-its-start', 'in-time', 'at-the-limit'];
  const instant = (at: string) => ({ recordedFrom: at, recordedTo: at });

  it.each([
    ['the day of their start', { recordedFrom: '2026-11-19T18:30:00Z', recordedTo: justBefore }, everything.slice(5)],
    ['the day after', { recordedFrom: midnight, recordedTo: '2026-11-21T18:29:59.999Z' }, afterMidnight],
    ['without an end', { recordedFrom: new Date(midnight) }, afterMidnight],
    ['the instant of one', instant('2026-11-20T18:10:00Z'), ['at-the-limit']],
    ['that of a late one', instant('2026-11-21T02:00:00Z'), ['late']],
    ['the instant of one whose clock was ahead', instant('2026-11-20T18:05:00Z'), ['before-its-start']],
    ['a time without calls', { recordedFrom: '2026-11-21T05:00:00Z' }, []],
  ])('has every call that was first recorded in the range, and no other: %s', async (_which, range, found) => {
    expect(await ids(recording.calls(range))).toEqual(found);
  });

  it('shows when each was first recorded', async () => {
    const found = await collected(recording.calls({ recordedFrom: '2026-11-20T00:00:00Z' }));

    expect(found.map(({ callId, firstRecordedAt }) => [callId, firstRecordedAt]).sort()).toEqual(
      recordings.map(([callId, , at]) => [callId, at]).sort(),
    );
  });

  it.each([1, 2, 3, 7, 8])('has the same calls in pages of %i, and continues at each cursor', async (size) => {
    const list = () => recording.calls({ recordedFrom: '2026-11-20T00:00:00Z' });
    const pages = await collected(list().pages(size));
    expect(pages.flatMap(({ calls }) => calls.map(({ callId }) => callId))).toEqual(everything);
    expect(pages.map(({ calls }) => calls.length).slice(0, -1)).toEqual(pages.slice(1).map(() => size));

    let read = 0;
    for (const { calls, next } of pages) {
      read += calls.length;
      if (next !== undefined) expect((await pagesOf(list(), 9, next)).flat()).toEqual(everything.slice(read));
    }
  });

  it('is one empty page where there is none, and rejects cursors of other lists and lists that it is not', async () => {
    expect(await pagesOf(recording.calls({ recordedFrom: '2026-11-21T05:00:00Z' }), 3)).toEqual([[]]);
    const [byStart] = await collected(recording.calls().pages(1));
    expect(() => recording.calls({ recordedFrom: midnight }).pages(1, byStart?.next)).toThrow(
      new RangeError('cursor: expected a cursor of this list, not of another.'),
    );
    const [byRecording] = await collected(recording.calls({ recordedFrom: '2026-11-20T00:00:00Z' }).pages(4));
    expect(() => recording.calls().pages(1, byRecording?.next)).toThrow(RangeError);
    expect(() => recording.calls({ recordedFrom: midnight }).pages(0)).toThrow(/^size: /);
  });

  it('has a call of several agents once: its entries under further agents are in no such list', async () => {
    expect(await ids(recording.calls(instant('2026-11-21T02:00:00Z')))).toEqual(['late']);
    // The start of the early one, a day after its receipt, counts for nothing: it has its place at its end.
    const ofRavi = await ids(recording.callsOfAgent('ravi', { to: '2026-11-20T06:30:00Z' }));
    expect(ofRavi).toEqual(['late', 'early', 'later']);
  });
});

it.each([
  ['2026-11-20', 'Asia/Kolkata', 8],
  ['2026-11-20', 'Pacific/Auckland', 8],
  ['2026-11-19', 'America/Los_Angeles', 8],
  ['2026-11-21', 'Asia/Kolkata', 0],
])('a day of calls is that of its time zone: %s in %s', async (day, timeZone, count) => {
  expect(await ids(client.calls({ day, timeZone }))).toHaveLength(count);
  expect(await ids(client.callsOfCustomer('09000000043', { day, timeZone }))).toHaveLength(count / 2);
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
  it('is safe in a URL, and does not contain the customer’s number', () => {
    expect(cursor).toMatch(/^[\w-]+$/);
    expect(Buffer.from(cursor, 'base64url').toString()).not.toContain('0900');
  });

  const notOfThis = 'cursor: expected a cursor of this list, not of another.';
  const outside = 'cursor: expected a cursor within the same range of time.';
  const changed = 'cursor: expected the unchanged `next` of a page.';
  it.each<[string, Partial<CallQuery>, string, string?]>([
    ['for the list of another customer', { partition: 'demo#09000000043' }, notOfThis],
    ['for the list of another account', { partition: 'other#09000000042' }, notOfThis],
    ['for another index', byTime, notOfThis],
    ['for a range that begins later', { from: '2026-11-20T05:30:00.001Z', to: undefined }, outside],
    ['for a range that ends earlier', { from: undefined, to: '2026-11-20T05:29:59.999Z' }, outside],
    ...['', 'x', 'bnVsbA', 'WyJhIiwiYiJd', cursor.slice(1), `${cursor}x`.slice(2)].map(
      (text): [string, object, string, string] => [`if it is “${text}”`, {}, changed, text],
    ),
  ])('is rejected %s', (_what, other, message, text = cursor) => {
    expect(() => keyAfter({ ...list, ...other }, text)).toThrow(new RangeError(message));
  });

  it.each([
    { from: undefined, to: undefined },
    { from: last.listedAt, to: last.listedAt },
  ])('is accepted for another range that it is within: %o', (range) => {
    expect(keyAfter({ ...list, ...range }, cursor)).toEqual(keyAfter(list, cursor));
  });
});

describe('recordings', () => {
  const at = (minute: number) => `2026-11-20T06:${String(minute).padStart(2, '0')}:00.000Z`;
  const object = { bucket: 'recordings', contentType: 'audio/wav', sizeBytes: 9, sha256: 'a'.repeat(64) };

  /** More than one request of BatchGetItem takes. */
  const inVain = 120;

  let tables: TestTables;
  let client: CallfeedClient;

  const put = (stored: StoredRecording) =>
    tables.client.send(
      new PutItemCommand({ TableName: tables.tableNames.calls, Item: marshalled({ ...recordingRow(stored) }) }),
    );
  const fresh = (callId: string, url: string, minute: number) =>
    asked(
      newRecording({ account: 'demo', callId }, url, { expiresAt: 4_000_000_000 }, at(minute)),
      at(minute),
      at(minute),
    );

  beforeAll(async () => {
    tables = await startTestTables();
    client = createCallfeedClient({ dynamodb: tables.client, tables: tables.tableNames, account: 'demo' });
    await put(archived(fresh('42', 'one', 1), object, at(2)));
    await put(givenUp(fresh('42', 'two', 3), 'not-https', at(4)));
    await put(failed(fresh('43', 'three', 5), 'not-found', at(6), at(7)));
    await put(failed(fresh('44', 'four', 1), 'empty', at(6), at(7)));
    for (let call = 0; call < inVain; call++)
      await put(givenUp(fresh(`9${call}`, 'x', call % 60), 'too-large', at(call % 60)));
  });
  afterAll(() => tables.stop());

  it('of a call are read with what became of each', async () => {
    const found = (await client.recordings('42')).toSorted((a, b) => a.status.localeCompare(b.status));

    expect(found).toMatchObject([
      { ...object, callId: '42', status: 'archived', archivedAt: at(2) },
      { callId: '42', status: 'given-up', problem: 'not-https', givenUpAt: at(4) },
    ]);
    expect(await client.recordings('nothing')).toEqual([]);
  });

  it('that were asked for in vain are listed by status, the longest first', async () => {
    expect((await collected(client.recordingsInVain('waiting'))).map(({ callId }) => callId)).toEqual(['44', '43']);
    const given = await collected(client.recordingsInVain('given-up'));
    expect(given).toHaveLength(inVain + 1);
    expect(given.map(({ givenUpAt = '' }) => givenUpAt)).toEqual(
      given.map(({ givenUpAt = '' }) => givenUpAt).toSorted(),
    );
  });

  it('are asked for by a known status and a call that is text', async () => {
    expect(() => rejectingClient().recordingsInVain('archived' as never)).toThrow(
      new RangeError('status: expected one of waiting, given-up.'),
    );
    await expect(rejectingClient().recordings('')).rejects.toThrow('callId: expected text that is not empty');
  });
});
