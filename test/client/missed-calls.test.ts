import { BatchGetItemCommand, GetItemCommand, QueryCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CallfeedClient, createCallfeedClient, type MissedCalls } from '../../client/index.ts';
import { accountsKey, namedAccounts } from '../../lib/accounts/account-index.ts';
import { marshalled } from '../../lib/storage/rows.ts';
import { type Deployment, deployment } from '../deployment/index.ts';
import { demoAccount } from '../fixtures/accounts.ts';
import { specificationSummary } from '../fixtures/calls.ts';
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

/** A day on which calls were answered that ended no wait, and others that did. */
const until = (time: string) => ({ EndTime: `2026-11-10 ${time}` });
const inVain = { ...answered, CustomerStatus: 'not_answered', DialStatus: 'not_answered' };
const withoutAgent = { Status: 'Answered', Type: 'Predictive', AgentID: '', AgentStatus: 'NotDialed' };
const continued = { Status: 'Answered', Type: 'Inbound', UUI: 'SkillTransfer-204~asha' };
const callsOfOtherDay = [
  ['200', '2026-11-10 14:00:00', '09840070021', { ...missed, ...until('14:00:41') }],
  ['201', '2026-11-10 14:30:00', '09840070021', { ...inVain, ...until('14:30:41') }],
  ['202', '2026-11-10 14:01:00', '09840070022', { ...missed, ...until('14:01:41') }],
  ['203', '2026-11-10 14:31:00', '09840070022', { ...withoutAgent, ...until('14:31:41') }],
  ['204', '2026-11-10 15:00:00', '09840070031', { ...missed, ...until('15:00:41') }],
  ['205', '2026-11-10 15:00:00', '09840070031', { ...continued, ...until('15:04:00') }],
  ['206', '2026-11-10 17:00:00', '09840070023', { ...answered, ...until('18:05:00') }],
  ['207', '2026-11-10 18:00:00', '09840070023', { ...missed, ...until('18:00:30') }],
  ['208', '2026-11-10 18:10:00', '09840070024', { ...missed, ...until('18:10:30') }],
  ['209', '2026-11-10 18:11:00', '09840070024', { ...inVain, ...until('18:11:30') }],
  ['210', '2026-11-10 18:12:00', '09840070024', { ...inVain, ...until('18:12:30') }],
  ['211', '2026-11-10 18:13:00', '09840070024', { ...answered, ...until('18:15:00') }],
  ['212', '2026-11-10 18:14:00', '09840070029', { ...answered, ...until('18:16:00') }],
  ['213', '2026-11-10 19:00:00', '09840070025', { ...missed, ...until('19:00:30') }],
  ['214', '2026-11-10 20:00:00', '09840070025', { ...missed, ...until('20:00:30') }],
  ['215', '2026-11-10 20:30:00', '09840070025', { ...answered, ...until('20:31:00') }],
  ['216', '2026-11-10 23:50:00', '09840070032', { ...missed, ...until('23:50:30') }],
  ['217', '2026-11-11 00:01:00', '09840070032', { ...missed, ...until('23:59:59'), UUI: 'SkillTransfer-216~asha' }],
  ['218', '2026-11-11 00:02:00', '09840070032', { ...continued, ...until('23:59:59'), UUI: 'SkillTransfer-217~asha' }],
] as const;

/** Calls whose callers withheld their numbers, and one in which nobody was missed or heard. */
const callsOfThirdDay = [
  ['300', '2026-11-05 10:00:00', 'anonymous', missed],
  ['301', '2026-11-05 10:05:00', 'anonymous', missed],
  ['302', '2026-11-05 10:10:00', 'anonymous', answered],
  ['303', '2026-11-05 10:15:00', '09840070041', { ...missed, Type: 'Manual' }],
] as const;

beforeAll(async () => {
  receiver = await deployment({ startedAt: '2026-11-21T09:00:00.000Z' });
  for (const [monitorUCID, StartTime, CallerID, outcome] of [...calls, ...callsOfOtherDay, ...callsOfThirdDay])
    await receiver.post({ ...specificationSummary, monitorUCID, StartTime, CallerID, ...outcome });
  metered = meteredReads(receiver.dynamodb);
});
afterAll(() => receiver.stop());

const clientAt = (now: string, dynamodb = metered.dynamodb) =>
  createCallfeedClient({
    dynamodb,
    tables: receiver.tables,
    account: 'demo',
    clock: () => new Date(now),
    onRead: metered.onRead,
  });
const statesIn = ({ calls }: MissedCalls) => calls.map(({ call, state }) => `${call.callId} ${state}`);
type Question = Parameters<CallfeedClient['missedCalls']>[0];
const readBy = async (client: CallfeedClient, question: Question) => {
  const found = await client.missedCalls(question);
  if ('moreThan' in found) throw new Error(`more than ${found.moreThan}`);
  return found;
};

describe('what became of a call', () => {
  const now = '2026-11-21T09:00:00.000Z';
  const waitOf = async (id: string, client = clientAt(now)) => {
    const { call } = (await client.call(id)) ?? {};
    if (call === undefined) throw new Error(`no call ${id}`);
    return await client.callWait(call);
  };

  /** The account's list by time has 11 pages of other calls. */
  const crowded = () => {
    const other = { account: 'demo', revision: 1, timeZone: 'UTC', status: 'answered', sk: 'call', pk: 'other' };
    const listed = marshalled({ ...other, callId: 'other', listedAt: '2026-11-10T08:00:00.000Z' });
    const send = async (command: object, ...rest: never[]) => {
      if (!(command instanceof QueryCommand) || command.input.IndexName !== 'byTime' || command.input.Limit === 1)
        return await Reflect.apply(receiver.dynamodb.send, receiver.dynamodb, [command, ...rest]);
      const at = Number(command.input.ExclusiveStartKey?.['pk']?.N ?? 0);
      return { Items: Array(1_000).fill(listed), ...(at < 10 && { LastEvaluatedKey: { pk: { N: String(at + 1) } } }) };
    };
    return clientAt(now, { send } as never);
  };

  it.each<
    [
      id: string,
      state: string | undefined,
      by: string | undefined,
      after: number | undefined,
      attempts: string,
      ended: string,
    ]
  >([
    ['101', 'returned', '106', 82_800, '102', ''],
    ['102', 'returned', '106', 82_500, '101', ''],
    ['105', 'open', undefined, undefined, '', ''],
    ['106', undefined, undefined, undefined, '', '102 101'],
    ['200', 'open', undefined, undefined, '', ''],
    ['201', undefined, undefined, undefined, '', ''],
    ['204', 'continued', '205', 0, '', ''],
    ['205', undefined, undefined, undefined, '', '204'],
    ['206', undefined, undefined, undefined, '', '207'],
    ['208', 'returned', '211', 180, '', ''],
    ['213', 'returned', '215', 5_400, '214', ''],
    ['215', undefined, undefined, undefined, '', '214 213'],
    ['216', 'continued', '218', 720, '217', ''],
    ['300', 'no-number', undefined, undefined, '', ''],
    ['301', 'no-number', undefined, undefined, '', ''],
    ['302', undefined, undefined, undefined, '', ''],
  ])(
    'is what the list of missed calls says, whichever way it is read: %s',
    async (id, state, by, after, attempts, ended) => {
      for (const [client, isComplete] of [
        [clientAt(now), true],
        [crowded(), false],
      ] as const) {
        const { missed, ...wait } = await waitOf(id, client);

        expect(
          missed && [missed.call.callId, missed.state, missed.answeredBy?.callId, missed.answeredBy?.afterSeconds],
        ).toEqual(state && [id, state, by, after]);
        expect(missed?.endedBy?.callId).toBe(by);
        expect(missed?.attempts.map(({ callId }) => callId).join(' ') ?? '').toBe(attempts);
        expect(wait.ended.map(({ call }) => call.callId).join(' ')).toBe(ended);
        expect(wait).toMatchObject({ asOf: now, isComplete });
      }
    },
  );

  it('is nothing, without a request, of a call in which nobody was missed or heard', async () => {
    const { call } = (await clientAt(now).call('303')) ?? {};
    metered.takeRequests();

    expect(await clientAt(now).callWait(call as never)).toEqual({
      asOf: now,
      missed: undefined,
      ended: [],
      isComplete: true,
    });
    expect(metered.requestLines()).toEqual([]);
  });

  it('is read with one request for the calls around it, and one for the row of what would end the wait', async () => {
    const { call } = (await clientAt(now).call('101')) ?? {};
    metered.takeRequests();
    await clientAt(now).callWait(call as never);

    expect(metered.requestLines()).toEqual([
      ...[/^GetItem agents /, /^Query calls byTime 1 /, /^GetItem calls 1 /].map((line) => expect.stringMatching(line)),
      expect.stringMatching(/^Query calls byTime 8 /),
      expect.stringMatching(/^BatchGetItem calls 1 /),
    ]);
  });
});

describe('the missed calls of an account', () => {
  it('are those of the last day, by one request beside those that find the country', async () => {
    metered.takeRequests();
    const found = await readBy(clientAt('2026-11-20T06:00:00.000Z'), { withinSeconds: 3_600, to: undefined });

    expect(statesIn(found)).toEqual(['105 open', '103 returned', '102 open', '101 open']);
    expect(found).toMatchObject({
      asOf: '2026-11-20T06:00:00.000Z',
      counts: { open: 3, returned: 1, 'rang-again': 0, continued: 0, 'no-number': 0, 'shared-number': 0, erased: 0 },
      returnedAfterSeconds: 600,
      waiting: [{ attempts: 2, callIds: ['101', '102'], customerNumberE164: '+919000000002' }, { attempts: 1 }],
    });
    expect(metered.requestLines()).toEqual([
      expect.stringMatching(/^GetItem agents 0 /),
      expect.stringMatching(/^Query calls byTime 1 /),
      expect.stringMatching(/^GetItem calls 1 /),
      expect.stringMatching(/^Query calls byTime 6 /),
      // The row of the call back.
      expect.stringMatching(/^BatchGetItem calls 1 /),
    ]);
  });

  const otherDay = { day: '2026-11-10', timeZone: 'Asia/Kolkata' };
  it('are open where the customer, or an agent, had no part in the call back, as its row says', async () => {
    metered.takeRequests();
    const found = await readBy(clientAt('2026-11-21T09:00:00.000Z'), otherDay);

    expect(
      found.calls.map(({ call, state, answeredBy: by }) => [call.callId, state, by?.callId, by?.afterSeconds]),
    ).toEqual([
      ['216', 'continued', '218', 720],
      ['214', 'returned', '215', 1_800],
      ['213', 'returned', '215', 5_400],
      ['208', 'returned', '211', 180],
      ['207', 'returned', '206', 0],
      ['204', 'continued', '205', 0],
      ['202', 'open', undefined, undefined],
      ['200', 'open', undefined, undefined],
    ]);
    expect(found.waiting.map(({ callIds }) => callIds)).toEqual([['200'], ['202']]);
    const rowsRead = metered.requestLines().filter((line) => line.startsWith('Batch'));
    // 201, 203, 206, 209 and 215 would end a wait, then 210, then 211. Nobody was to hear from 212.
    expect(rowsRead).toEqual([/ 5 /, / 1 /, / 1 /].map((rows) => expect.stringMatching(rows)));
  });

  it('end by a call that began before the range, of which the missed ones do not count', async () => {
    const from = '2026-11-10T18:00+05:30';
    const to = '2026-11-10T18:10+05:30';
    const at = (earliest: string) => readBy(clientAt('2026-11-21T09:00:00.000Z'), { from: earliest, to });

    expect(statesIn(await at(from))).toEqual(['208 returned', '207 returned']);
    expect(statesIn(await at('2026-11-10T18:01+05:30'))).toEqual(['208 returned']);
  });

  it('count a call back as answered whose row has expired', async () => {
    const send = async (command: object, ...rest: never[]) =>
      command instanceof BatchGetItemCommand
        ? { Responses: {} }
        : await Reflect.apply(receiver.dynamodb.send, receiver.dynamodb, [command, ...rest]);
    const found = await readBy(clientAt('2026-11-21T09:00:00.000Z', { send } as never), otherDay);

    expect(found.counts).toMatchObject({ open: 0, returned: 6, continued: 2 });
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
      moreThan: maxCalls,
      since,
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
