import { describe, expect, it } from 'vitest';
import { globalRegistry } from 'zod/mini';
import { periodArgument } from '../../client/arguments.ts';
import { readDay, readPeriod } from '../../client/day.ts';
import type { DayProgress } from '../../client/day-agents.ts';
import { DayCall } from '../../client/day-call.ts';
import { periodsOfDay } from '../../client/day-figures.ts';
import {
  type AgentTime,
  agentFigureDefinitions,
  agentFigures,
  type CallFigureName,
  type CallFigures,
  type CallGrouping,
  type CallToCount,
  callFigureDefinitions,
  callFigures,
  callFiguresBy,
  callFiguresByTime,
  createCallfeedClient,
  dayFigures,
  dayFiguresBy,
} from '../../client/index.ts';
import type { TableReader } from '../../client/table-reader.ts';
import { agentsOfCall, countCalls, countedCallOf, countTest } from '../../lib/contract/call-counts.ts';
import { keysOf } from '../../lib/core/collections.ts';
import { deployment, loggedIn, call as summary } from '../deployment/index.ts';

/** A day in India: from 18:30 UTC to 18:30 UTC. */
const bounds = { start: '2026-11-20T18:30:00.000Z', end: '2026-11-21T18:30:00.000Z', timeZone: 'Asia/Kolkata' };

/** A call by its local start and its length. */
const call = (local: string, seconds: number, facts: Partial<CallToCount> = {}): CallToCount => {
  const startedAt = new Date(`2026-11-21T${local}+05:30`).toISOString();
  const endedAt = new Date(Date.parse(startedAt) + seconds * 1000).toISOString();
  return { listedAt: startedAt, startedAt, endedAt, type: 'inbound', ...facts };
};
const answered = (agent: string, timeToAnswerSeconds: number, durationSeconds: number) =>
  ({ status: 'answered', agentIds: [agent], timeToAnswerSeconds, durationSeconds }) as const;
const missed = { status: 'not-answered', hangupBy: 'user' } as const;

const legs = [
  { agentIds: ['asha'], status: 'answered', timeToAnswerSeconds: 4, durationSeconds: 40, wrapUpSeconds: 9 },
  { agentIds: ['omar'], status: 'not-answered', durationSeconds: 0, wrapUpSeconds: 0 },
  { agentIds: ['ravi'], status: 'answered', timeToAnswerSeconds: 6, durationSeconds: 50 },
  { agentIds: ['asha', 'ravi'], status: 'answered', durationSeconds: 500 },
] as const;

const calls: readonly CallToCount[] = [
  call('10:00:00', 70, { ...answered('asha', 10, 60), skillName: 'Sales', holdSeconds: 0, wrapUpSeconds: 5 }),
  // Transferred: one talk time for both of its agents.
  call('10:20:00', 220, { ...answered('asha', 20, 200), agentIds: ['asha', 'ravi'], skillName: 'Sales' }),
  // Transferred, with a leg for each agent. One of them did not answer.
  call('10:40:00', 100, { status: 'answered', agentIds: ['asha', 'omar', 'ravi'], durationSeconds: 90, legs }),
  call('11:00:00', 4, { ...missed, skillName: 'Sales' }),
  // Exactly as long as the threshold.
  call('11:05:00', 10, { ...missed, skillName: 'Support', agentIds: ['omar'] }),
  call('11:10:00', 3, { ...missed, hangupBy: 'system' }),
  // Without a type: counts as inbound.
  call('11:59:59', 2, { ...missed, type: undefined }),
  call('12:00:00', 5, { type: 'inbound', status: 'unknown', skillName: 'Support' }),
  // Outgoing and of an unknown type: not offered. A menu's call is not handled.
  call('13:00:00', 30, { ...answered('ravi', 99, 25), type: 'manual' }),
  call('13:00:00', 30, { type: 'manual', status: 'not-answered' }),
  call('13:00:00', 30, { type: 'unknown', status: 'not-answered', hangupBy: 'user' }),
  call('13:00:00', 30, { type: 'ivr', status: 'answered', durationSeconds: 30 }),
  // Over midnight, without its agent.
  call('23:59:00', 120, { status: 'answered', timeToAnswerSeconds: 30, durationSeconds: 90, holdSeconds: 8 }),
];
const settings = { shortSeconds: 10 };

const values = (figures: Partial<CallFigures>) =>
  Object.fromEntries(
    Object.entries(figures).flatMap(([name, { value }]) => (value === undefined ? [] : [[name, value]])),
  );
const counts = [
  ...(['calls', 'offered', 'answered', 'missed', 'abandoned', 'shortAbandoned', 'undecided', 'handled'] as const),
];
const countsOf = (figures: CallFigures) => counts.map((name) => figures[name].value);

it('a call is in the list of a count, or of a sum of counts, where it counts there', () => {
  const asked = { shortSeconds: 10, withinSeconds: 19 };
  const unclear = call('11:20:00', 5, { ...missed, hangupBy: undefined });
  const parts = [...calls, unclear].flatMap((one) =>
    [undefined, ...agentsOfCall(one)].map((agent) => countedCallOf(one, agent)),
  );
  const counted = countCalls(parts, asked);
  const listed = keysOf(counted).map((name) => [name, parts.filter(countTest(name, asked).fits).length]);

  expect(Object.fromEntries(listed)).toEqual(counted);
  expect(Object.entries(counted).filter(([, count]) => count === 0)).toEqual([]);
});

describe('callFigures', () => {
  it('are those of a day by hand', () => {
    expect(values(callFigures(calls, settings))).toEqual({
      calls: 13,
      offered: 9,
      answered: 4,
      missed: 4,
      abandoned: 3,
      shortAbandoned: 2,
      undecided: 1,
      // Of seven calls without the two short ones, two of five that tell: 10 s and 20 s; not 30 s, nor the two missed ones.
      answeredLate: 1,
      serviceLevel: 0.4,
      // The call of ten seconds, of four answered ones and two missed ones that tell who hung up.
      abandonment: 0.167,
      timeToAnswerMedianSeconds: 20,
      timeToAnswerAverageSeconds: 20,
      timeToAnswerLongestSeconds: 30,
      handled: 5,
      talkMedianSeconds: 90,
      talkAverageSeconds: 93,
      talkTotalSeconds: 465,
      holdMedianSeconds: 4,
      holdAverageSeconds: 4,
      holdTotalSeconds: 8,
      wrapUpMedianSeconds: 5,
      wrapUpAverageSeconds: 5,
      wrapUpTotalSeconds: 5,
      handleMedianSeconds: 65,
      handleAverageSeconds: 65,
    });
    const { serviceLevel } = callFigures(calls, { ...settings, withinSeconds: 19 });
    expect(serviceLevel).toEqual({ value: 0.2, calls: 5, of: 7 });
  });

  it('say of how many calls they are', () => {
    const figures = callFigures(calls, settings);

    expect(figures.talkMedianSeconds).toMatchObject({ calls: 5, of: 5 });
    expect(figures.holdMedianSeconds).toMatchObject({ calls: 2, of: 5 });
    expect(figures.timeToAnswerMedianSeconds).toMatchObject({ calls: 3, of: 4 });
    expect(figures.abandoned).toMatchObject({ calls: 4, of: 4 });
    expect(figures.answered).toMatchObject({ calls: 8, of: 9 });
  });

  const one = (facts: Partial<CallToCount>) => [call('10:00:00', 5, facts)];
  const talks = (...lasted: readonly number[]) => lasted.flatMap((seconds) => one(answered('a', 1, seconds)));
  const withoutEnd = { ...missed, endedAt: undefined };
  const endsFirst = { ...missed, startedAt: '2026-11-21T00:00:00.000Z', endedAt: '2026-11-20T23:59:59.000Z' };
  const wrappedUp = { ...answered('asha', 1, 9), wrapUpSeconds: 1 };
  const withSum = { ...wrappedUp, handleSeconds: 10 };
  it.each<[string, CallFigureName, readonly CallToCount[], number | RegExp]>([
    ['no call', 'offered', [], 0],
    ['no call', 'missed', [], 0],
    ['no call', 'talkTotalSeconds', [], /^No call was handled\.$/],
    ['only a call without a status', 'answered', one({}), /no such call has a status/i],
    ['only a call without a status', 'missed', one({}), /no such call has a status/i],
    ['only a call with an unknown status', 'abandoned', one({ status: 'unknown' }), /status/],
    ['only a call with an unknown status', 'shortAbandoned', one({ status: 'unknown' }), /status/],
    ['only a call with an unknown status', 'handled', one({ status: 'unknown' }), /status/],
    ['only a call with an unknown status', 'undecided', one({ status: 'unknown' }), 1],
    ['an outgoing call of unknown status', 'missed', one({ type: 'manual', status: 'unknown' }), 0],
    ['no call', 'serviceLevel', [], /^No call was offered/],
    ['only a short abandoned call', 'serviceLevel', one(missed), /^No call was offered/],
    ['only a call without a status', 'serviceLevel', one({}), /status that is known/],
    ['no answer', 'serviceLevel', [...one({ status: 'answered' }), ...one({ status: 'not-answered' })], /timeToAnswer/],
    ['only a missed call', 'serviceLevel', one({ status: 'not-answered' }), 0],
    ['only a call without a status', 'abandonment', one({}), /who hung up/],
    ['a missed call without hangupBy', 'abandonment', one({ status: 'not-answered' }), /who hung up/],
    ['an answered call without hangupBy', 'abandonment', one({ status: 'answered' }), 0],
    ['a call without its hold', 'handleAverageSeconds', one(wrappedUp), /handleSeconds/],
    ['one of which the service sends the sum', 'handleAverageSeconds', one(withSum), 10],
    ['one with all three and another sum', 'handleAverageSeconds', one({ ...withSum, holdSeconds: 2 }), 12],
    ['a missed call without hangupBy', 'abandoned', one({ status: 'not-answered' }), /hangupBy/],
    ['a missed call with an unknown hangupBy', 'abandoned', one({ ...missed, hangupBy: 'unknown' }), /hangupBy/],
    ['a missed call without hangupBy', 'shortAbandoned', one({ status: 'not-answered' }), /hangupBy/],
    ['no missed call', 'abandoned', one(answered('asha', 1, 2)), 0],
    ['an abandoned call without an end', 'shortAbandoned', one(withoutEnd), /a start, and an end after it/],
    ['an abandoned call that ends before its start', 'shortAbandoned', one(endsFirst), /an end after it/],
    ['an abandoned call without an end beside one', 'shortAbandoned', [...one(withoutEnd), ...one(missed)], 1],
    ['no answered call with it', 'holdTotalSeconds', one(answered('asha', 1, 2)), /^No handled call has holdSec/],
    ['an answered call with zero', 'holdTotalSeconds', one({ ...answered('asha', 1, 2), holdSeconds: 0 }), 0],
    ['an even number', 'talkMedianSeconds', talks(9, 100, 10, 11), 10.5],
    ['thirds', 'talkAverageSeconds', talks(1, 1, 2), 1.333],
  ])('of %s: %s', (_title, name, list, expected) => {
    const figure = callFigures(list, settings)[name];

    if (typeof expected === 'number') expect(figure).toMatchObject({ value: expected });
    else expect(figure).toEqual({ value: undefined, reason: expect.stringMatching(expected) });
  });
});

describe('callFiguresBy', () => {
  const groups = (by: 'agent' | 'skill' | 'campaign') =>
    callFiguresBy(by, calls.toReversed(), settings).map(({ key, figures }) => [key, countsOf(figures)]);

  it('counts a call under its skill, the largest group first and calls without one last', () => {
    expect(groups('skill')).toEqual([
      ['Sales', [3, 3, 2, 1, 1, 1, 0, 2]],
      ['Support', [2, 2, 0, 1, 1, 0, 1, 0]],
      [undefined, [8, 4, 2, 2, 1, 1, 0, 3]],
    ]);
    expect(groups('campaign')).toEqual([[undefined, countsOf(callFigures(calls, settings))]]);
  });

  it('counts a transferred call under each agent, and as answered by those who did', () => {
    expect(groups('agent')).toEqual([
      ['asha', [3, 3, 3, 0, 0, 0, 0, 3]],
      ['ravi', [3, 2, 2, 0, 0, 0, 0, 3]],
      ['omar', [2, 2, 0, 1, 1, 0, 0, 0]],
      [undefined, [8, 5, 1, 3, 2, 2, 1, 1]],
    ]);
  });

  it.each([
    ['answered', 50],
    ['not-answered', undefined],
    ['unknown', 50],
    [undefined, 50],
  ] as const)('takes an answered call as answered by an agent unless the leg is %s', (status, talk) => {
    const own = { agentIds: ['ravi'], status, durationSeconds: 50 };
    const transferred = { status: 'answered', agentIds: ['asha', 'ravi'], legs: [legs[0], own] } as const;
    const ravi = callFiguresBy('agent', [call('10:00:00', 100, transferred)], settings).find(
      ({ key }) => key === 'ravi',
    );

    const figures = values(ravi?.figures ?? {});
    const count = Number(talk !== undefined);
    expect([figures['answered'], figures['handled'], figures['talkTotalSeconds']]).toEqual([count, count, talk]);
  });

  it('has of an agent the durations that are of nobody else', () => {
    const [asha, ravi] = callFiguresBy('agent', calls, settings).map(({ figures }) => figures);

    expect(asha).toMatchObject({ talkTotalSeconds: { value: 100, calls: 2 }, wrapUpTotalSeconds: { value: 14 } });
    expect(ravi).toMatchObject({
      talkTotalSeconds: { value: 75, calls: 2 },
      timeToAnswerAverageSeconds: { value: 6, calls: 1 },
      wrapUpTotalSeconds: { reason: 'No handled call has wrapUpSeconds, or several agents share it.' },
    });
  });
});

describe('callFiguresByTime', () => {
  const nonEmpty = (minutes: 60 | 15) =>
    callFiguresByTime(minutes, calls, bounds, settings)
      .filter(({ figures }) => figures.calls.value !== 0)
      .map(({ key, figures }) => [key, figures.calls.value]);

  it('has every period of the local day, and each call in that of its start', () => {
    expect(callFiguresByTime(60, calls, bounds, settings)).toHaveLength(24);
    expect(callFiguresByTime(15, calls, bounds, settings)).toHaveLength(96);
    expect(nonEmpty(60)).toEqual([
      ['2026-11-21T04:30:00.000Z', 3],
      ['2026-11-21T05:30:00.000Z', 4],
      ['2026-11-21T06:30:00.000Z', 1],
      ['2026-11-21T07:30:00.000Z', 4],
      ['2026-11-21T17:30:00.000Z', 1],
    ]);
    expect(nonEmpty(15).map(([, count]) => count)).toEqual([1, 1, 1, 3, 1, 1, 4, 1]);
    expect([...periodsOfDay(15, bounds).values()].at(-1)?.to).toBe('2026-11-21T18:29:59.999Z');
  });

  it.each([
    ['23 hours', 'Europe/London', '2026-03-29T00:00:00.000Z', '2026-03-29T23:00:00.000Z', 23, 92],
    ['25 hours', 'Europe/London', '2026-10-24T23:00:00.000Z', '2026-10-26T00:00:00.000Z', 25, 100],
    ['an hour and a half', 'Australia/Lord_Howe', '2026-04-04T13:00:00.000Z', '2026-04-05T13:30:00.000Z', 25, 98],
  ])('has every period of a day of %s', (_title, timeZone, start, end, hours, quarters) => {
    expect(callFiguresByTime(60, [], { start, end, timeZone }, settings)).toHaveLength(hours);
    expect(callFiguresByTime(15, [], { start, end, timeZone }, settings)).toHaveLength(quarters);
  });
});

/** Two days in London: clocks go back in the night between them, so that the second day has 25 hours. */
describe('the figures of several days', () => {
  const period = { start: '2026-10-23T23:00:00.000Z', end: '2026-10-26T00:00:00.000Z', timeZone: 'Europe/London' };
  const agents: readonly AgentTime[] = [
    {
      agentId: 'asha',
      secondsByState: { ready: 300, 'in-call': 300 },
      secondsByDay: { '2026-10-24': { ready: 100, 'in-call': 300 }, '2026-10-25': { ready: 200 } },
    },
    { agentId: 'meera', secondsByState: { acw: 100 }, secondsByDay: { '2026-10-24': { acw: 100 } } },
  ];
  const at = (listedAt: string, seconds?: number): CallToCount => ({
    listedAt,
    startedAt: listedAt,
    type: 'inbound',
    durationSeconds: seconds,
    ...(seconds === undefined ? missed : { status: 'answered', agentIds: ['asha'] }),
  });
  const calls = [
    at('2026-10-23T23:00:00.000Z', 10), // The 24th, 00:00:00
    at('2026-10-24T00:10:00.000Z', 20), // 01:10
    at('2026-10-24T22:59:59.999Z'), // 23:59:59
    at('2026-10-24T23:00:00.000Z', 50), // The 25th, 00:00:00
    at('2026-10-25T00:10:00.000Z', 60), // 01:10
    at('2026-10-25T01:10:00.000Z', 90), // 01:10 again
    at('2026-10-25T23:59:59.999Z'), // 23:59:59
  ];
  const rows = (by: CallGrouping, days = { ...period, calls, agents }) =>
    dayFiguresBy(by, days, settings).flatMap(({ key, calls: of, agents: time }) =>
      of.calls.value === 0 && time === undefined
        ? []
        : [key, of.answered.value, of.missed.value, of.talkMedianSeconds.value, time?.loggedInSeconds.value]
            .map((value) => value ?? '-')
            .join(' '),
    );

  it.each<[CallGrouping, readonly string[]]>([
    ['day', ['2026-10-24 2 1 15 500', '2026-10-25 3 1 60 200']],
    ['hour', ['00:00 2 0 30 -', '01:00 3 0 60 -', '23:00 0 2 - -']],
    ['quarter', ['00:00 2 0 30 -', '01:00 3 0 60 -', '23:45 0 2 - -']],
    ['agent', ['asha 5 0 50 600', '- 0 2 - -', 'meera 0 0 - 100']],
    ['skill', ['- 5 2 50 -']],
  ])('by %s', (by, expected) => {
    expect(rows(by)).toEqual(expected);
  });

  it('have a row for every day and for every hour that one of them has', () => {
    const none = { ...period, calls: [], agents: [] };
    expect(dayFiguresBy('day', none, settings).map(({ key }) => key)).toEqual(['2026-10-24', '2026-10-25']);
    expect(dayFiguresBy('hour', none, settings)).toHaveLength(24);
    expect(dayFiguresBy('day', none, settings)[0]?.agents?.occupancy.reason).toMatch(/^No interval is stored/);
    // London at 01:00 on the day in which clocks go forward, together with the day after it.
    const spring = { ...none, start: '2026-03-29T00:00:00.000Z', end: '2026-03-30T23:00:00.000Z' };
    const hours = dayFiguresBy('hour', spring, settings).map(({ key }) => Number(key?.slice(0, 2)));
    expect(hours).toEqual([...Array(24).keys()]);
    expect(dayFiguresBy('day', { ...bounds, calls: [], agents: [] }, settings).map(({ key }) => key)).toEqual([
      '2026-11-21',
    ]);
  });
});

describe('agentFigures', () => {
  const states = { ready: 60, calling: 10, 'in-call': 20, acw: 30, pause: 900, busy: 100, idle: 7 };
  const unknown = { value: undefined, reason: expect.stringMatching(/^No interval is stored/) };

  const ofOne = {
    loggedInSeconds: { value: 1127 },
    handlingSeconds: { value: 60 },
    availableSeconds: { value: 60 },
    occupancy: { value: 0.5 },
    secondsByState: states,
  };
  const ofSeveral = {
    loggedInSeconds: { value: 30 },
    occupancy: { value: 0.333 },
    secondsByState: { ready: 20, acw: 10 },
  };
  const notHandling = { value: undefined, reason: 'Nobody was ready or handled a call.' };
  const ofNobody = { loggedInSeconds: unknown, occupancy: unknown, secondsByState: undefined };
  it.each<[string, readonly AgentTime['secondsByState'][], object]>([
    ['one agent, by the trade’s definition of occupancy', [states], ofOne],
    ['several, without those of whom nothing is stored', [{ ready: 10 }, { ready: 10, acw: 10 }, undefined], ofSeveral],
    ['an agent in a pause all day', [{ pause: 10 }], { handlingSeconds: { value: 0 }, occupancy: notHandling }],
    ['nobody', [undefined], ofNobody],
  ])('are of %s', (_title, times, figures) => {
    const agents = times.map((secondsByState, agent) => ({ agentId: String(agent), secondsByState }));
    expect(agentFigures(agents)).toMatchObject(figures);
  });
});

describe('the figures of a day', () => {
  const agents: readonly AgentTime[] = [
    { agentId: 'asha', secondsByState: { ready: 100, 'in-call': 100 } },
    { agentId: 'meera', secondsByState: { ready: 50 } },
  ];
  const day = { ...bounds, calls, agents };

  it('have by agent the time of each, and agents without a call last', () => {
    const groups = dayFiguresBy('agent', day, settings);

    expect(groups.map(({ key, agents: found }) => [key, found?.loggedInSeconds.value])).toEqual([
      ['asha', 200],
      ['ravi', undefined],
      ['omar', undefined],
      [undefined, undefined],
      ['meera', 50],
    ]);
    expect(groups.at(-1)?.calls.calls).toMatchObject({ value: 0 });
    expect(groups.map((group) => 'agents' in group)).toEqual([true, true, true, false, true]);
    expect(dayFigures(day, settings).agents.loggedInSeconds.value).toBe(250);
  });

  it('have a definition each, which ends as a sentence does', () => {
    const definitions = Object.entries({ ...callFigureDefinitions, ...agentFigureDefinitions });
    expect(definitions.map(([name]) => name)).toEqual(
      Object.keys({ ...dayFigures(day, settings).calls, ...agentFigureDefinitions }),
    );
    for (const [, { definition }] of definitions) expect(definition).toMatch(/^[A-Z].*\.$/);
  });

  it('are computed from fields that are not personal', () => {
    const personal = Object.entries(DayCall.shape).filter(
      ([, field]) => globalRegistry.get(field)?.['personal'] === true,
    );
    expect(personal).toEqual([]);
  });
});

/** Lists calls of which each started an hour before the one before it, so many a request, and has their rows but the eighth. */
const tableOf = (calls: number, listedAtOnce: number) => {
  const asked: unknown[] = [];
  const progress: string[] = [];
  const table: TableReader = {
    row: () => Promise.reject(new Error('not needed')),
    async page({ partition, from, to, fields, isBackwards }, { after, limit }) {
      const first = Number(after?.['pk']?.S ?? 0);
      asked.push([partition, from, to, fields, limit, first, isBackwards]);
      const startOf = (id: number) => new Date(Date.parse('2026-11-21T18:00:00.000Z') - id * 3_600_000).toISOString();
      const listed = Array.from({ length: Math.min(listedAtOnce, calls - first) }, (_, index) => first + index);
      const rows = listed.map((id) => ({ pk: String(id), sk: 'call', listedAt: startOf(id) }));
      const next = first + listedAtOnce;
      return { rows, next: next < calls ? { pk: { S: String(next) } } : undefined };
    },
    async rows(keys) {
      asked.push(keys.length);
      const found = keys.filter(({ pk }) => pk !== '7').reverse();
      return found.map((key) => ({ ...key, callId: key.pk, durationSeconds: Number(key.pk), comments: ['x'] }));
    },
  };
  const tables = { calls: table, agents: table, account: 'demo', clock: () => new Date(bounds.end) };
  const onProgress = ({ calls: read, listed }: DayProgress) => progress.push(`${read} of ${listed}`);
  const options = { withAgents: false, onProgress };
  const { timeZone } = bounds;
  const days = { ...periodArgument({ from: '2026-11-19', to: '2026-11-21' }, timeZone), timeZone };
  return {
    asked,
    progress,
    readDay: () => readDay(tables, { day: '2026-11-21', ...bounds }, options),
    readPeriod: (maxCalls: number) => readPeriod(tables, days, { ...options, maxCalls }),
  };
};
/** A request for the list, from an instant on. */
const list = (from: string, first: number) => [
  'demo',
  from,
  '2026-11-21T18:29:59.999Z',
  ['pk', 'sk', 'listedAt'],
  1_000,
  first,
  true,
];

it('a day is read page by page of the list, a hundred rows at once, in the order of the list, without expired rows', async () => {
  const { asked, progress, readDay } = tableOf(251, 250);
  const { calls, agents } = await readDay();

  expect(asked).toEqual([list(bounds.start, 0), list(bounds.start, 250), 100, 100, 51]);
  const ids = Array.from({ length: 251 }, (_, id) => id).toSpliced(7, 1);
  expect(calls.map(({ callId }) => Number(callId))).toEqual(ids);
  expect(calls[0]).toEqual({ callId: '0', durationSeconds: 0, listedAt: '2026-11-21T18:00:00.000Z' });
  expect([progress, agents]).toEqual([['0 of 250', '0 of 251', '250 of 251'], []]);
});

it('of a period no row is read if it has more calls than it may, and the list only as far as needed to know that', async () => {
  const since = '2026-11-18T18:30:00.000Z';
  const many = tableOf(9, 2);
  const few = tableOf(4, 2);

  expect(await many.readPeriod(4)).toEqual({ moreThan: 4, since: '2026-11-21T15:00:00.000Z' });
  expect(many.asked).toEqual([0, 2, 4].map((first) => list(since, first)));
  expect(await few.readPeriod(4)).toMatchObject({
    from: '2026-11-19',
    to: '2026-11-21',
    calls: { length: 4 },
    agents: [],
  });
  expect(few.asked).toEqual([list(since, 0), list(since, 2), 4]);
});

it('agents are found in the calls of the days, in a snapshot of each hour, and by who is logged in now', async () => {
  const d = await deployment({ startedAt: '2026-11-20T09:59:00.000Z' });
  const asha = { asha: { AgentState: 'READY', AgentName: 'Asha' } };
  const poll = (at: string, agents: object = {}) => {
    d.service.answers({ logins: [loggedIn({ ...asha, ...agents })] });
    return d.poll(`2026-11-${at}:00.000Z`);
  };
  await poll('20T10:00');
  await poll('20T18:30', { night: 'IDLE' });
  // One agent is in the snapshot of 06:30, one logs in and out between two snapshots, one is in the last one of the day.
  await poll('21T06:10', { ravi: 'PAUSE' });
  await poll('21T06:40', { brief: 'READY' });
  await poll('21T06:50');
  await poll('21T18:20', { late: 'BUSY' });
  await poll('21T18:30');
  const idTooLong = 'x'.repeat(3_000);
  const at = { StartTime: '2026-11-21 12:00:00', EndTime: '2026-11-21 12:01:00' };
  await d.post([summary({ ...at, AgentID: 'omar' }), summary({ ...at, monitorUCID: '2', AgentID: idTooLong })]);
  await d.post(summary({ ...at, monitorUCID: '3' }).without('AgentID'));
  await poll('22T04:50', { meera: 'INCALL' });
  const reads: DayProgress[] = [];
  const client = createCallfeedClient({
    dynamodb: d.dynamodb,
    tables: d.tables,
    account: 'demo',
    clock: () => new Date('2026-11-22T05:30:00.000Z'),
  });
  const onProgress = (read: DayProgress) => reads.push(read);

  const { agents, agentsUpTo } = await client.day('2026-11-21', 'Asia/Kolkata', { onProgress });
  const of = (agentId: string, secondsByState?: object, name?: string) => ({
    agentId,
    name,
    secondsByState,
    secondsByDay: secondsByState && { '2026-11-21': secondsByState },
  });
  expect(agents).toEqual([
    of('asha', { ready: 24 * 3600 }, 'Asha'),
    of('late', { busy: 600 }),
    of('night', { idle: (5.5 + 6 + 10 / 60) * 3600 }),
    of('omar'),
    of('ravi', { pause: 1800 }),
    of(idTooLong),
  ]);
  // Of meera, who is logged in now, nothing is of the day.
  expect([agentsUpTo, reads.at(-1)]).toEqual([bounds.end, { listed: 3, calls: 3, hours: 25, agents: 7 }]);

  const period = await client.period({ from: '2026-11-20', to: '2026-11-22' }, 'Asia/Kolkata', { onProgress });
  expect(period).toMatchObject({ agentsUpTo: '2026-11-22T04:50:00.000Z', agents: { length: 6 } });
  expect('agents' in period && period.agents[0]?.secondsByDay).toEqual({
    '2026-11-20': { ready: 8.5 * 3600 },
    '2026-11-21': { ready: 24 * 3600 },
    '2026-11-22': { ready: 10 * 3600 + 20 * 60 },
  });
  expect(reads.at(-1)).toEqual({ listed: 3, calls: 3, hours: 24 + 24 + 12, agents: 6 });
  await expect(client.agentDay('night', '2026-11-20', 'UTC')).rejects.toThrow(/^timeZone: /);
  await expect(client.period({ from: '2026-11-20', to: '2026-11-22' }, 'UTC')).rejects.toThrow(/^timeZone: /);
});
