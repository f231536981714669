import { describe, expect, expectTypeOf, it } from 'vitest';
import {
  type CallfeedClient,
  createCallfeedClient,
  type Floor,
  type FloorAt,
  type Freshness,
  type ListedCall,
} from '../../client/index.ts';
import { rejectingClient } from './support/clients.ts';

/** A value of any type, as JavaScript callers may pass. */
const unchecked = <T>(value: unknown): T => value as T;

const client = rejectingClient();
const instant = /expected a Date or an ISO instant with its zone, such as 2026-11-20T06:00:00Z/;

describe('a text that becomes a key', () => {
  const asked = {
    agentId: [
      (value: string) => client.agent(value),
      (value: string) => client.agentDay(value, '2026-11-21', 'UTC'),
      async (value: string) => client.callsOfAgent(value),
    ],
    callId: [(value: string) => client.call(value)],
    number: [
      async (value: string) => client.callsOfCustomer(value),
      (value: string) => client.otherSpellings(value, { day: '2026-11-21', timeZone: 'UTC' }),
    ],
    account: [async (account: string) => createCallfeedClient({ ...unusedOptions, account })],
  };
  const unusedOptions = { dynamodb: unchecked<never>({}), tables: { calls: 'calls', agents: 'agents' } };
  const askers = Object.entries(asked).flatMap(([name, all]) => all.map((ask, index) => ({ name, index, ask })));

  it.each(askers)('is rejected as $name ($index) unless it is text', async ({ name, ask }) => {
    for (const value of ['', 4178, undefined, null, '\uD800'])
      await expect(ask(unchecked(value))).rejects.toThrow(
        new TypeError(`${name}: expected text that is not empty. Ids are text too: numbers lose digits.`),
      );
    await expect(ask('9'.repeat(1001))).rejects.toThrow(RangeError);
    await expect(ask('é'.repeat(167))).rejects.toThrow(`${name}: expected at most 1000 characters`);
  });

  it('is rejected as the name of a table too', () => {
    expect(() =>
      createCallfeedClient({ ...unusedOptions, account: 'demo', tables: { calls: '', agents: 'a' } }),
    ).toThrow('tables.calls: expected text');
    expect(() =>
      createCallfeedClient({ ...unusedOptions, account: 'demo', tables: { calls: 'c', agents: '' } }),
    ).toThrow('tables.agents: expected text');
  });
});

describe('an instant', () => {
  it.each([
    ['a local time, which is no instant', '2026-11-20T06:00:00'],
    ['a day', '2026-11-20'],
    ['a day that never was', '2026-02-30T06:00:00Z'],
    ['seconds since the epoch', 1_795_154_400],
    ['a Date that is none', new Date(Number.NaN)],
    ['one before the epoch', '1969-12-31T23:59:59Z'],
    ['null', null],
  ])('is rejected if it is %s', async (_why, value) => {
    await expect(client.floorAt(unchecked(value))).rejects.toThrow(instant);
    expect(() => client.calls({ from: unchecked(value) })).toThrow(instant);
    expect(() => client.callsOfAgent('asha', { to: unchecked(value) })).toThrow(TypeError);
  });

  it.each([
    ['2026-11-20T06:00:00.001Z', '2026-11-20T11:30:00+05:30'],
    [new Date('2026-11-20T06:00:00.001Z'), '2026-11-20T06:00Z'],
  ])('may be %s, but not in a range that ends before it begins', (from, to) => {
    expect(() => client.callsOfCustomer('09000000042', { from, to })).toThrow(
      new RangeError('from, to: expected a range that does not end before it begins.'),
    );
    expect(() => client.callsOfCustomer('09000000042', { from: to, to: from })).not.toThrow();
    expect(() => client.calls({ recordedFrom: from, recordedTo: to })).toThrow(
      new RangeError('recordedFrom, recordedTo: expected a range that does not end before it begins.'),
    );
  });

  it.each<[string, object, string]>([
    ['a day without its zone', { day: '2026-11-20' }, 'timeZone: expected an IANA time zone'],
    ['a zone without its day', { timeZone: 'UTC' }, 'day: expected a date'],
    ['a day that is none', { day: '2026-02-30', timeZone: 'UTC' }, 'day: expected a date'],
    ['a day and a range', { day: '2026-11-20', timeZone: 'UTC', to: new Date(0) }, 'day, from, to: expected a day or'],
    ['a recording without a beginning', { recordedTo: new Date(0) }, 'recordedFrom: expected a Date'],
    ['recording and start', { recordedFrom: new Date(0), from: new Date(0) }, 'recordedFrom, recordedTo: expected no'],
  ])('limits no list with %s', (_what, range, message) => {
    expect(() => client.calls(unchecked(range))).toThrow(message);
  });
});

it('other spellings of a number are looked for in the range that is asked for', async () => {
  const range = { day: '2026-11-21', timeZone: 'UTC' };
  await expect(client.otherSpellings('09000000042', range)).rejects.toThrow('A request was sent');
  expect(await client.otherSpellings('09000000042')).toEqual({ calls: [], isComplete: false });
});

describe('an instant of the past', () => {
  it('may be up to a minute ahead of the client’s clock', async () => {
    await expect(client.floorAt('2026-11-22T09:01:00.000Z')).rejects.toThrow('A request was sent');
    await expect(client.floorAt('2026-11-22T09:01:00.001Z')).rejects.toThrow(
      new RangeError('moment: expected an instant in the past.'),
    );
  });
});

describe('an argument', () => {
  const days = ['2026-2-3', '2026-02-29', '20261121', '2026-11-21T00:00:00Z', '', undefined];
  const zones = ['Asia/Nowhere', 'IST', '+05:30', '', undefined];
  const day = '2026-11-21';
  const noDay = 'day: expected a date such as 2026-11-20.';
  const noZone = 'timeZone: expected an IANA time zone such as Asia/Kolkata, or UTC.';
  const reversed = { from: '2026-11-02', to: '2026-11-01' };
  const of32Days = { from: '2026-10-01', to: '2026-11-01' };
  const ofNoDays = [
    { from: '2026-11-31', to: '2026-12-01' },
    { from: '2026-11-30', to: undefined },
  ];

  it.each<[string, readonly unknown[], (value: never) => Promise<unknown>, string | RegExp]>([
    ['a day', days, (value) => client.agentDay('asha', value, 'Asia/Kolkata'), noDay],
    ['a zone', zones, (value) => client.agentDay('asha', day, value), noZone],
    [
      'a last day',
      ['9999-12-31'],
      (value) => client.agentDay('asha', value, 'UTC'),
      'day: expected a date before 9999-12-31.',
    ],
    [
      'days',
      [reversed, of32Days],
      (value) => client.period(value, 'UTC'),
      'from, to: expected 1 to 31 days, the first day first.',
    ],
    ['the days of a period', ofNoDays, (value) => client.period(value, 'UTC'), noDay],
    ['the zone of a period', ['IST'], (value) => client.period({ from: day, to: day }, value), noZone],
    [
      'a state',
      ['logged-out', 'READY', 'lunch', '', undefined],
      client.agentsInState,
      /^state: expected one of ready, acw, .*, unknown\.$/,
    ],
  ])('is rejected as %s if it is one of %j', async (_what, values, ask, message) => {
    for (const value of values) {
      await expect(ask(value as never)).rejects.toThrow(message);
      await expect(ask(value as never)).rejects.toBeInstanceOf(RangeError);
    }
  });

  it('may be a period of 31 days, also where clocks change', async () => {
    const october = client.period({ from: '2026-10-01', to: '2026-10-31' }, 'Europe/London');
    await expect(october).rejects.toThrow('A request was sent');
  });
});

describe('a number', () => {
  it.each([0, -1, 1001, 2.5, Number.NaN, '10', undefined])('is rejected as the size of a page if it is %j', (size) => {
    expect(() => client.calls().pages(unchecked(size))).toThrow(
      new RangeError('size: expected a whole number from 1 to 1000.'),
    );
  });

  it.each([0, 0.5, 3601, Number.POSITIVE_INFINITY, '5'])('is rejected as everySeconds if it is %j', (everySeconds) => {
    expect(() => client.watch({ everySeconds: unchecked(everySeconds) })).toThrow(
      new RangeError('everySeconds: expected a number from 1 to 3600.'),
    );
  });
});

describe('the types of the client', () => {
  it('have agents and an age only after a check of the freshness, live and stale ones by different names', () => {
    type Live = Extract<Floor, { readonly freshness: 'live' }>;
    type Stale = Extract<Floor, { readonly freshness: 'stale' }>;

    expectTypeOf<Floor>().not.toHaveProperty('agents');
    expectTypeOf<Floor>().not.toHaveProperty('lastKnownAgents');
    expectTypeOf<Live>().not.toHaveProperty('lastKnownAgents');
    expectTypeOf<Stale>().not.toHaveProperty('agents');
    expectTypeOf<FloorAt>().not.toHaveProperty('agents');
    expectTypeOf<Freshness>().not.toHaveProperty('ageSeconds');
    expectTypeOf<Awaited<ReturnType<CallfeedClient['agent']>>>().not.toHaveProperty('state');
  });

  it('have no fields that entries of lists lack, and no state of an agent who has logged out', () => {
    expectTypeOf<ListedCall>().not.toHaveProperty('deliveries');
    expectTypeOf<ListedCall>().not.toHaveProperty('pk');
    expectTypeOf<'logged-out'>().not.toExtend<Parameters<CallfeedClient['agentsInState']>[0]>();
  });
});
