import { globSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CallToCount } from '../../client/index.ts';
import { openDuckDb } from '../../functions/transform-events/duckdb.ts';
import type { CallSummary } from '../../lib/contract/call-events.ts';
import { holdsAsync } from '../support/arbitraries.ts';
import { expectSameFigures } from './expectations.ts';
import { callEvent, intervalEvent, occurredAt, within } from './simulated-day.ts';

const optional = <Value>(arbitrary: fc.Arbitrary<Value>) => fc.option(arbitrary, { nil: undefined, freq: 3 });
const instants = fc.integer({ min: 0, max: 86_399 }).map((second) => new Date(noon + second * 1_000).toISOString());
const noon = Date.parse('2026-11-20T12:00:00.000Z');
const seconds = optional(fc.constantFrom(0, 4.5, 20, 20.001, 300));
const durations = {
  timeToAnswerSeconds: seconds,
  durationSeconds: seconds,
  holdSeconds: seconds,
  wrapUpSeconds: seconds,
  handleSeconds: seconds,
};
const status = optional(fc.constantFrom('answered', 'not-answered', 'unknown'));
const agents = fc.subarray(['asha', 'ravi', 'li']);

const leg = fc.record({
  ucid: fc.constantFrom('1', '2'),
  timeZone: fc.constant('UTC'),
  status,
  agentIds: agents,
  ...durations,
});

/** A call of one of two days, with any fields that a figure depends on. A length below ten seconds is as likely as others. */
const summary = fc
  .record({
    status,
    ...durations,
    timeZone: fc.constant('Asia/Kolkata'),
    type: optional(fc.constantFrom('inbound', 'ivr', 'manual', 'unknown')),
    hangupBy: optional(fc.constantFrom('user', 'agent', 'unknown')),
    startedAt: optional(instants),
    lasted: optional(fc.constantFrom(0, 9.999, 10, 60)),
    skillName: optional(fc.constantFrom('Sales', 'Support')),
    campaignName: optional(fc.constantFrom('Winter', 'Summer')),
    agentIds: agents,
    legs: optional(fc.array(leg, { minLength: 2, maxLength: 3 })),
  })
  .map(({ lasted, startedAt, agentIds, ...facts }) => {
    const ended = startedAt !== undefined && lasted !== undefined;
    return withoutEmpty({
      ...facts,
      startedAt,
      agentIds,
      ...(ended && { endedAt: new Date(Date.parse(startedAt) + lasted * 1_000).toISOString(), elapsedSeconds: lasted }),
    });
  });

const withoutEmpty = (value: object): object =>
  JSON.parse(JSON.stringify(value, (_name, one) => (Array.isArray(one) && one.length === 0 ? undefined : one)));

const asCounted = (call: CallSummary): CallToCount => ({
  ...call,
  listedAt: call.startedAt ?? call.endedAt ?? occurredAt,
});

it('any calls have the figures of `callfeed day` in the views, in any order of their revisions and however often they come', () => {
  const calls = fc.array(fc.array(summary, { minLength: 1, maxLength: 3 }), { minLength: 6, maxLength: 14 });
  return holdsAsync(
    fc.asyncProperty(calls, fc.infiniteStream(fc.nat(9)), async (revisionsOfCalls, draws) => {
      const events = revisionsOfCalls.flatMap((revisions, callId) =>
        revisions.map((call, index) => callEvent(String(callId), index + 1, call)),
      );
      const mixed = [...events, ...events.filter(() => draws.next().value < 5)]
        .map((event) => ({ event, place: draws.next().value }))
        .sort((a, b) => a.place - b.place)
        .map(({ event }) => event);
      const latest = revisionsOfCalls.map((revisions) => asCounted(revisions.at(-1) as CallSummary));

      await within(mixed, async (asking) => {
        for (const [day, start, end] of days) {
          const counted = latest.filter(({ listedAt }) => listedAt >= start && listedAt < end);
          const bounds = { day, start, end, timeZone: 'Asia/Kolkata', agents: [], agentsUpTo: undefined };
          await expectSameFigures({ ...bounds, calls: counted as never }, asking);
        }
      });
    }),
    24,
  );
});

/** The days of the account that the calls above touch. */
const days = [
  ['2026-11-20', '2026-11-19T18:30:00.000Z', '2026-11-20T18:30:00.000Z'],
  ['2026-11-21', '2026-11-20T18:30:00.000Z', '2026-11-21T18:30:00.000Z'],
] as const;

const call = (revision: number, startedAt: string, more: object = {}) =>
  callEvent('1', revision, { timeZone: 'UTC', status: 'answered', startedAt, ...more });

describe('a call', () => {
  it('that a revision moves to the next day, and another one back, counts once', async () => {
    const before = '2026-11-20T23:59:00.000Z';
    const after = '2026-11-21T00:01:00.000Z';
    const list = 'SELECT day, revision FROM calls';
    expect(await within([call(1, before), call(2, after)], ({ ask }) => ask(list))).toEqual([
      { day: '2026-11-21', revision: 2 },
    ]);
    expect(await within([call(1, before), call(2, after), call(3, before)], ({ ask }) => ask(list))).toEqual([
      { day: '2026-11-20', revision: 3 },
    ]);
  });

  it('counts although a call of another account with its id moved to its day', async () => {
    const events = [
      call(1, '2026-11-20T10:00:00.000Z'),
      callEvent('1', 2, { timeZone: 'UTC', startedAt: '2026-11-21T10:00:00.000Z' }, { account: 'other' }),
    ];
    expect(await within(events, ({ ask }) => ask('SELECT account, day FROM calls ORDER BY account'))).toEqual([
      { account: 'demo', day: '2026-11-20' },
      { account: 'other', day: '2026-11-21' },
    ]);
  });

  it('is asked for by a condition on the days beside it alone, so that Athena reads no other', async () => {
    const { plan } = await within([call(2, '2026-11-20T10:00:00.000Z')], async ({ ask }) => ({
      plan: JSON.stringify(await ask(`EXPLAIN (FORMAT json) SELECT call_id FROM calls WHERE day = '2026-11-20'`)),
    }));
    expect(plan.match(/\(substr\(CAST\(\(CAST\(day AS DATE\) [+-] '1 day'::INTERVAL\)/g)).toHaveLength(2);
  });

  it('is answered in time at the limit, and not after it', async () => {
    const answeredAfter = (callId: string, timeToAnswerSeconds: number) =>
      callEvent(callId, 1, { timeZone: 'UTC', status: 'answered', timeToAnswerSeconds });
    const ask = 'SELECT in_time, service_level_calls FROM call_quarters';
    expect(await within([answeredAfter('1', 20), answeredAfter('2', 20.001)], (asking) => asking.ask(ask))).toEqual([
      { in_time: '1', service_level_calls: '2' },
    ]);
  });

  it('has an id that no number could hold', async () => {
    const long = callEvent('12345678901234567890', 1, { timeZone: 'UTC' });
    expect(await within([long], ({ ask }) => ask('SELECT call_id FROM calls'))).toEqual([
      { call_id: '12345678901234567890' },
    ]);
  });
});

it('an interval of an agent counts in each quarter of an hour that it touches, over midnight too, and once', async () => {
  const event = intervalEvent('asha', 'in-call', '2026-11-20T23:50:10.000Z', '2026-11-21T00:20:00.000Z');
  const quarters = await within([event, event], ({ ask }) =>
    ask(
      'SELECT quarter, logged_in_seconds, handling_seconds, available_seconds FROM agent_time_quarters ORDER BY quarter',
    ),
  );
  const inCall = (quarter: string, lasted: number) => ({
    quarter,
    logged_in_seconds: lasted,
    handling_seconds: lasted,
    available_seconds: 0,
  });
  expect(quarters).toEqual([
    inCall('2026-11-20 23:45:00', 590),
    inCall('2026-11-21 00:00:00', 900),
    inCall('2026-11-21 00:15:00', 300),
  ]);
});

describe('a file', () => {
  it('of an older declaration, which lacks columns, is read beside newer ones by the same views', async () => {
    await within([call(1, '2026-11-20T10:00:00.000Z', { skillName: 'Sales' })], async ({ ask }, folder) => {
      const [newer = ''] = globSync(join(folder, 'call_revisions', '*', '*.parquet'));
      const connection = await openDuckDb();
      await connection.run(
        `COPY (SELECT * EXCLUDE (agent_answered, skill_name, day), FROM read_parquet('${newer}') ) TO '${newer.replace('.parquet', '-old.parquet')}'`,
      );
      connection.closeSync();
      expect(await ask('SELECT call_id, skill_name FROM call_revisions ORDER BY skill_name NULLS LAST')).toEqual([
        { call_id: '1', skill_name: 'Sales' },
        { call_id: '1', skill_name: null },
      ]);
      expect(await ask('SELECT sum(calls) AS calls FROM call_quarters')).toEqual([{ calls: '1' }]);
    });
  });
});
