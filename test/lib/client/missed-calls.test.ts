import { GetItemCommand, QueryCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accountsKey, namedAccounts } from '../../../lib/accounts/account-index.ts';
import { type CallfeedClient, createCallfeedClient, type MissedCalls } from '../../../lib/client/index.ts';
import { marshalled } from '../../../lib/storage/rows.ts';
import { type Deployment, deployment } from '../../deployment/index.ts';
import { demoAccount } from '../../fixtures/accounts.ts';
import { specificationSummary } from '../../fixtures/calls.ts';
import { meteredReads, rejectingClient } from './support/clients.ts';

let receiver: Deployment;
let metered: ReturnType<typeof meteredReads>;

/** Calls by their ids: when they began in India, the number, and what came of them. The last is of a day later. */
const missed = { Status: 'NotAnswered', Type: 'Inbound' };
const answered = { Status: 'Answered', Type: 'Manual' };
const calls = [
  ['100', '2026-11-19 09:00:00', '09000000001', missed],
  ['101', '2026-11-20 09:00:00', '09000000002', missed],
  ['102', '2026-11-20 09:05:00', '+919000000002', missed],
  ['103', '2026-11-20 09:10:00', '9000000003', missed],
  ['104', '2026-11-20 09:20:00', '+919000000003', answered],
  ['105', '2026-11-20 09:30:00', '+912240001000', missed],
  ['106', '2026-11-21 08:00:00', '00919000000002', answered],
  ['107', '2026-11-21 08:30:00', '09000000004', missed],
] as const;

beforeAll(async () => {
  receiver = await deployment({ startedAt: '2026-11-21T09:00:00.000Z' });
  for (const [monitorUCID, StartTime, CallerID, outcome] of calls)
    await receiver.post({ ...specificationSummary, monitorUCID, StartTime, CallerID, ...outcome });
  metered = meteredReads(receiver.dynamodb);
});
afterAll(() => receiver.stop());

const clientAt = (now: string, dynamodb = metered.dynamodb) =>
  createCallfeedClient({
    ...{ dynamodb, tables: receiver.tables, account: 'demo', clock: () => new Date(now) },
    onRead: metered.onRead,
  });
const statesIn = ({ calls }: MissedCalls) => calls.map(({ call, state }) => `${call.callId} ${state}`);
type Question = Parameters<CallfeedClient['missedCalls']>[0];
const readBy = async (client: CallfeedClient, question: Question) => {
  const found = await client.missedCalls(question);
  if ('moreThan' in found) throw new Error(`more than ${found.moreThan}`);
  return found;
};

describe('the missed calls of an account', () => {
  it('are those of the last day, by one request beside those that find the country', async () => {
    metered.takeRequests();
    const found = await readBy(clientAt('2026-11-20T06:00:00.000Z'), { withinSeconds: 3_600, to: undefined });

    expect(statesIn(found)).toEqual(['105 open', '103 returned', '102 open', '101 open']);
    expect(found).toMatchObject({
      asOf: '2026-11-20T06:00:00.000Z',
      counts: { open: 3, returned: 1, 'rang-again': 0, 'no-number': 0, 'shared-number': 0, erased: 0 },
      returnedAfterSeconds: 600,
      waiting: [{ attempts: 2, callIds: ['101', '102'], customerNumberE164: '+919000000002' }, { attempts: 1 }],
    });
    expect(metered.requestLines()).toEqual([
      expect.stringMatching(/^GetItem agents 0 /),
      expect.stringMatching(/^Query calls byTime 1 /),
      expect.stringMatching(/^GetItem calls 1 /),
      expect.stringMatching(/^Query calls byTime 5 /),
    ]);
  });

  const day = { day: '2026-11-20', timeZone: 'Asia/Kolkata' };
  it.each<[string, Question, string]>([
    ['of a day, returned on the next', day, '105 open, 103 returned, 102 returned, 101 returned'],
    ['within some seconds', { ...day, withinSeconds: 599 }, '105 open, 103 open, 102 open, 101 open'],
    ['up to an instant', { from: '2026-11-19T00:00Z', to: '2026-11-20T03:31Z' }, '101 returned, 100 open'],
    ['without an end', { from: '2026-11-20T04:00Z' }, '107 open, 105 open'],
    ['as of a moment', { ...day, asOf: '2026-11-21T02:29:59Z' }, '105 open, 103 returned, 102 open, 101 open'],
    ['as of a moment of the range', { ...day, asOf: '2026-11-20T03:39Z' }, '102 open, 101 open'],
    ['of the day before a moment', { asOf: '2026-11-20T03:30Z' }, '101 open, 100 open'],
    ['if as many may be read', { ...day, maxCalls: 7 }, '105 open, 103 returned, 102 returned, 101 returned'],
    ['that are open', { from: '2026-11-19T00:00Z', open: true }, '107 open, 105 open, 100 open'],
  ])('are those %s', async (_which, question, states) => {
    const found = await readBy(clientAt('2026-11-21T09:00:00.000Z'), question);

    expect(statesIn(found).join(', ')).toBe(states);
    expect(found.counts.open).toBe(states.split('open').length - 1);
  });

  it('say how many calls were read', async () => {
    const read: number[] = [];
    await clientAt('2026-11-21T09:00:00.000Z').missedCalls({ ...day, onProgress: (calls) => read.push(calls) });

    expect(read).toEqual([7]);
  });

  it('are as of the moment that is asked for, and wait since then', async () => {
    const asOf = '2026-11-20T03:39:00.000Z';
    const found = await readBy(clientAt('2026-11-21T09:00:00.000Z'), { ...day, asOf: new Date(asOf) });

    expect(found).toMatchObject({ asOf, waiting: [{ attempts: 2, waitingSeconds: 540 }] });
    expect(found.returnedAfterSeconds).toBeUndefined();
  });

  const week = { from: '2026-11-15T00:00Z', to: '2026-11-21T23:00Z' };
  it.each([
    [6, '2026-11-20T03:35:00.000Z'],
    [1, '2026-11-21T03:00:00.000Z'],
  ])('are not read of more than %d calls, and since when these started is said', async (maxCalls, since) => {
    expect(await clientAt('2026-11-21T09:00:00.000Z').missedCalls({ ...week, maxCalls })).toEqual({
      ...{ moreThan: maxCalls, since },
    });
  });

  /** A client of a table with 51 pages of 1,000 calls, each of a minute before. */
  const largeAccount = () => {
    const listed = { account: 'demo', revision: 1, timeZone: 'UTC', status: 'answered', sk: 'call' };
    const calls = Array.from({ length: 1_000 }, (_, index) =>
      marshalled({ ...listed, pk: `demo#${index}`, callId: `${index}` }),
    );
    const send = async (command: object) => {
      if (!(command instanceof QueryCommand) || command.input.Limit === 1) return { Items: [] };
      const at = Number(command.input.ExclusiveStartKey?.['pk']?.N ?? 0);
      const listedAt = { S: new Date(Date.UTC(2026, 10, 20, 5, -at)).toISOString() };
      const Items = calls.map((call) => ({ ...call, listedAt, callId: { S: `${at} ${call['callId']?.S}` } }));
      return { Items, ...(at < 50 && { LastEvaluatedKey: { pk: { N: String(at + 1) } } }) };
    };
    return clientAt('2026-11-21T09:00:00.000Z', { send } as never);
  };

  it.each<[string, Question, object]>([
    ['the last day', {}, { calls: [] }],
    ['a day and the day after it', { day: '2026-11-19', timeZone: 'UTC' }, { calls: [] }],
    ['three days', { from: '2026-11-18T00:00Z' }, { moreThan: 50_000, since: '2026-11-20T04:11:00.000Z' }],
    ['a day and two after it', { ...day, withinSeconds: 172_801 }, { moreThan: 50_000 }],
    ['a week', week, { moreThan: 50_000 }],
    ['all time', { to: '2026-11-20T00:00Z' }, { moreThan: 50_000 }],
  ])('of 51,000 calls of %s are read whole only if it is short', async (_which, question, expected) => {
    expect(await largeAccount().missedCalls(question)).toMatchObject(expected);
  });

  it.each<[Question, string]>([
    [{ ...week, asOf: '2026-11-14T00:00Z' }, 'from, asOf: expected a range that does not end before it begins.'],
    [{ asOf: '2030-01-01T00:00Z' }, 'asOf: expected an instant in the past.'],
    ...[0, 1.5, 31 * 86_400 + 1].map((withinSeconds): [Question, string] => [
      { withinSeconds },
      'withinSeconds: expected a whole number from 1 to 2678400.',
    ]),
  ])('are not asked for %o', async (question, message) => {
    await expect(rejectingClient().missedCalls(question)).rejects.toThrow(new RangeError(message));
  });

  it('are compared as numbers of the account’s country, and those that many share are named apart', async () => {
    const accounts = namedAccounts([{ ...demoAccount, country: 'GB', sharedNumbers: ['+91 (22) 4000-1000', 'x'] }]);
    const Item = marshalled({ ...accountsKey, kind: 'accounts', accounts });
    const send = async (command: object, ...rest: never[]) =>
      command instanceof GetItemCommand
        ? { Item }
        : await Reflect.apply(receiver.dynamodb.send, receiver.dynamodb, [command, ...rest]);
    const found = await readBy(clientAt('2026-11-21T09:00:00.000Z', { send }), day);

    expect(statesIn(found)).toEqual(['105 shared-number', '103 open', '102 returned', '101 open']);
  });
});
