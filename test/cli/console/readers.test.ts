import { describe, expect, it } from 'vitest';
import type { ShownAccount } from '../../../cli/console/accounts.ts';
import { callsReader } from '../../../cli/console/calls.ts';
import { dayReader } from '../../../cli/console/day.ts';
import { floorReader } from '../../../cli/console/floor.ts';
import { printDayTables } from '../../../cli/output/day.ts';
import { printedText } from '../../../cli/output/terminal.ts';
import { callFigures } from '../../../lib/client/index.ts';
import { addDays } from '../../../lib/core/time.ts';

const now = new Date('2026-11-22T09:00:20.000Z');

/** An account whose client has these methods. */
const accountWith = (client: object, account = 'demo') =>
  ({ account, timeZone: 'UTC', client }) as unknown as ShownAccount;

/** The calls of a client, in pages that a function makes. */
const callsIn = (pageOf: (size: number, cursor?: string) => object | Promise<object>) => ({
  calls: () => ({
    async *pages(size: number, cursor?: string) {
      yield await pageOf(size, cursor);
    },
  }),
});

it('a large floor and its history take two reads per refresh in all, and show every poll at once', async () => {
  const pollAt = (ms: number) => new Date(Math.floor(ms / 15_000) * 15_000).toISOString();
  let [nowMs, taken, portions] = [now.getTime(), 0, 0];
  const client = {
    async floor() {
      taken += 2;
      const feed = { asOf: pollAt(nowMs), agentCount: 3_000, counts: { ready: 3_000 } };
      return { freshness: 'live', feed, asOf: feed.asOf, ageSeconds: 1, agents: [] };
    },
    async floorHistory({ to }: { readonly to: string }) {
      taken += 1;
      portions += 1;
      const moment = { at: to, asOf: to, status: 'live', counts: { ready: 3_000 } };
      return { moments: [moment], next: new Date(Date.parse(to) - 1).toISOString() };
    },
  };
  const floors = floorReader({ clock: () => new Date(nowMs), isPersonal: false });
  const account = accountWith(client);
  let isWhole = false;
  for (let refresh = 0; refresh < 200; refresh++, nowMs += 5_000) {
    taken = 0;
    const asOf = (await floors.floor(account, undefined)).asOf;
    if (refresh % 3 === 0) isWhole = (await floors.history(account)).isWhole;
    expect([asOf, taken <= 2]).toEqual([pollAt(nowMs), true]);
  }
  // Of so large a floor one snapshot of every two minutes is read.
  expect([isWhole, portions <= 60]).toEqual([true, true]);
});

it('the chart of the floor has each moment once where two tabs ask, and goes on while other views read the feed', async () => {
  let ms = now.getTime();
  const feed = async () => ({ freshness: 'live', feed: { counts: { ready: 2 } }, asOf: now.toISOString() });
  const floorHistory = async ({ to }: { readonly to: string }) => {
    const moment = (agoMs: number) => ({ at: new Date(Date.parse(to) - agoMs).toISOString(), status: 'live' });
    return { moments: [1, 2].map((ago) => ({ ...moment(ago * 1_000), counts: { ready: ago } })) };
  };
  const floors = floorReader({ clock: () => new Date(ms), isPersonal: false });
  const account = accountWith({ feed, floorHistory });
  const times = async () => (await floors.history(account)).points.map(([at]) => at - now.getTime());

  await Promise.all([times(), times()]);
  expect(await times()).toEqual([-2_000, -1_000]);
  for (const _ of Array(30)) {
    ms += 5_000;
    await floors.feed(account);
  }
  expect(await times()).toEqual([-2_000, -1_000, 5_000, 150_000]);
});

describe('the count of today', () => {
  /** Calls that began a tenth of a second apart, the latest first. The list can be changed. */
  const todaysCalls = (length: number, clock = () => now) => {
    const calls = Array.from({ length }, (_, index) => ({
      ...{ callId: `call-${index}`, account: 'demo', revision: 1, type: 'inbound', status: 'answered' },
      listedAt: new Date(now.getTime() - index * 100).toISOString(),
    }));
    let delayed = Promise.resolve();
    const pageOf = async (size: number, cursor = '0') => {
      if (size === 1_000) {
        const until = delayed;
        delayed = Promise.resolve();
        await until;
      }
      const from = Number(cursor);
      const next = from + size < calls.length ? String(from + size) : undefined;
      return { calls: calls.slice(from, from + size), next };
    };
    const account = accountWith({ ...callsIn(pageOf), callRows: async () => [] });
    const list = callsReader({ clock, isPersonal: false });
    const answer = async (day = 'today') => {
      const { quarters = [], countedFrom = '' } = await list(account, { day });
      const sum = quarters.reduce((all, [, ...counts]) => all + counts.reduce((one, other) => one + other), 0);
      return { sum, countedFrom };
    };
    /** Delays the next page of the count. */
    const delay = (until: Promise<void>) => {
      delayed = until;
    };
    return { calls, answer, delay };
  };

  it('has a long call, which is listed among calls that were counted before', async () => {
    const { calls, answer } = todaysCalls(5_000);
    await expect.poll(async () => (await answer()).sum, { interval: 1 }).toBe(5_000);

    calls.splice(3_000, 0, { ...calls[3_000], callId: 'long' } as (typeof calls)[number]);
    await expect.poll(async () => (await answer()).sum, { interval: 1 }).toBe(5_001);
  });

  it('has a call that was over after midnight', async () => {
    let ms = now.getTime();
    const { calls, answer } = todaysCalls(500, () => new Date(ms));
    await expect.poll(async () => (await answer()).sum, { interval: 1 }).toBe(500);

    ms += 86_400_000;
    calls.splice(300, 0, { ...calls[300], callId: 'long' } as (typeof calls)[number]);
    await expect.poll(async () => (await answer('2026-11-22')).sum, { interval: 1 }).toBe(501);
  });

  it('goes no way back where two tabs count at once and one is slow', async () => {
    const { answer, delay } = todaysCalls(2_500);
    const whole = { sum: 2_500, countedFrom: '2026-11-22T00:00:00.000Z' };
    const slow = Promise.withResolvers<void>();
    await answer();
    delay(slow.promise);
    const late = answer();
    await expect.poll(() => answer(), { interval: 1 }).toEqual(whole);
    slow.resolve();
    await late;
    expect(await answer()).toEqual(whole);
  });

  it('has the newest 100,000 calls in whole quarters of an hour, and says from when on', async () => {
    const { answer } = todaysCalls(130_000);
    let last = await answer();
    for (let refresh = 0; refresh < 220; refresh++) last = await answer();

    const from = Date.parse(last.countedFrom);
    expect([last.sum <= 100_000, last.sum > 90_000, from % 900_000]).toEqual([true, true, 0]);
    expect(last.sum).toBe((now.getTime() - from) / 100 + 1);
  });
});

it('a tab gets talk time however others ask, and an older page at once', async () => {
  const call = (index: number) => ({ callId: `c${index}`, revision: 1, listedAt: '2026-11-22T08:00:00.000Z' });
  const accountOf = (account: string) => {
    const pages = callsIn((size, cursor = '0') => ({
      ...{ calls: size === 100 ? [call(Number(cursor))] : [], next: String(Number(cursor) + 1) },
    }));
    const callRows = async ([callId]: readonly string[]) => [{ ...call(0), callId, durationSeconds: 5 }];
    return accountWith({ ...pages, callRows }, account);
  };
  const list = callsReader({ clock: () => now, isPersonal: false });
  const talk = async (account: string, cursor?: string) =>
    (await list(accountOf(account), { day: 'today', cursor })).calls[0]?.durationSeconds;

  await talk('one');
  expect([await talk('two'), await talk('one', '1'), await talk('two', '2')]).toEqual([5, 5, 5]);
  expect((await list(accountOf('one'), { day: 'today' })).calls[0]?.recordings).toEqual([]);
});

it('a call has the talk time and the recordings of its present revision', async () => {
  let [revision, durationSeconds] = [1, 5];
  const row = () => ({ callId: 'c', revision, durationSeconds, recordings: [`r${revision}`] });
  const pages = callsIn(() => ({ calls: [{ callId: 'c', revision, listedAt: '2026-11-22T08:00:00.000Z' }] }));
  const list = callsReader({ clock: () => now, isPersonal: true });
  const account = accountWith({ ...pages, callRows: async () => [row()] });
  const shown = async () => {
    // The details of a call come with one answer or the next.
    await list(account, { day: 'today' });
    const [call] = (await list(account, { day: 'today' })).calls;
    return [call?.durationSeconds, call?.recordings];
  };

  expect(await shown()).toEqual([5, ['r1']]);
  [revision, durationSeconds] = [2, 9];
  expect(await shown()).toEqual([9, ['r2']]);
});

describe('a day', () => {
  it('by agent adds up: what an agent was offered was answered by them or by others, missed, or is undecided', async () => {
    const [start, end] = ['2026-11-20T00:00:00.000Z', '2026-11-21T00:00:00.000Z'];
    const ring = (agentId: string, status: string) => ({ ucid: agentId, agentIds: [agentId], status });
    const call = { listedAt: start, type: 'inbound', agentIds: ['asha', 'ravi'] };
    const calls = [
      { ...call, status: 'answered', legs: [ring('asha', 'not-answered'), ring('ravi', 'answered')] },
      { ...call, status: 'not-answered' },
      { ...call, status: 'unknown' },
    ];
    const account = accountWith({ day: async () => ({ start, end, calls, agents: [] }) });
    const days = dayReader({ clock: () => now, isPersonal: true });
    const { groups } = await days(account, { day: '2026-11-20', by: 'agent', within: 20 });
    const names = ['offered', 'answered', 'answeredByOthers', 'missed', 'undecided'];
    const row = ({ figures }: (typeof groups)[number]) =>
      names.map((name) => figures.find((figure) => figure.name === name)?.value);

    expect(groups.map((group) => [group.label, ...row(group)])).toEqual([
      ['asha', 3, 0, 1, 1, 1],
      ['ravi', 3, 1, 0, 1, 1],
    ]);
  });

  /** Reads days of no calls, and notes which were read. */
  const noting = (clock: () => Date) => {
    const read: string[] = [];
    const day = async (asked: string) => {
      read.push(asked);
      const [start, end] = [asked, addDays(asked, 1)].map((date) => `${date}T00:00:00.000Z`);
      return { start, end, calls: [], agents: [] };
    };
    const days = dayReader({ clock, isPersonal: false });
    const readAt = async (asked: string, again?: string, by: 'agent' | 'skill' = 'agent') =>
      (await days(accountWith({ day }), { day: asked, by, within: 20, again })).readAt;
    return { read, readAt };
  };

  it('is read again once for each time that somebody asks, however it is grouped', async () => {
    let ms = now.getTime();
    const { read, readAt } = noting(() => new Date(ms++));
    const day = '2026-11-21';
    const first = await readAt(day);
    const second = await readAt(day, first);

    expect([await readAt(day, first, 'skill'), await readAt(day)]).toEqual([second, second]);
    expect((await readAt(day, second, 'skill')) > second).toBe(true);
    expect(read.filter((asked) => asked === day)).toHaveLength(3);
    // The calls of the week before may have come since, too.
    expect(read.filter((asked) => asked === '2026-11-14')).toHaveLength(3);
  });

  it('that is not over is read again after a minute, and one that is over is kept', async () => {
    let nowMs = now.getTime();
    const { read, readAt } = noting(() => new Date(nowMs));
    const first = [await readAt('today'), await readAt('2026-11-20')];
    nowMs += 59_999;
    expect([await readAt('today'), await readAt('2026-11-20')]).toEqual(first);
    nowMs += 1;
    expect([await readAt('today'), await readAt('2026-11-20')]).toEqual([new Date(nowMs).toISOString(), first[1]]);
    // Once the day is over, its last calls may still come.
    nowMs = Date.parse('2026-11-23T00:30:00.000Z');
    const atNight = await readAt('2026-11-22');
    nowMs += 60_000;
    expect(await readAt('2026-11-22')).not.toBe(atNight);
    // The days a week before are over, so they are read once.
    const [today, aWeekAgo] = ['2026-11-22', '2026-11-15'];
    expect(read).toEqual([today, aWeekAgo, '2026-11-20', '2026-11-13', today, today, today]);
  });
});

it('the share of answered and of missed calls is of those whose status is known, as on the command line', async () => {
  const statuses = ['answered', 'answered', 'not-answered', 'unknown', undefined] as const;
  const calls = statuses.map((status, index) => ({
    ...({ callId: `call-${index}`, type: 'inbound', status } as const),
    listedAt: '2026-11-20T05:00:00.000Z',
  }));
  const records = {
    ...{ day: '2026-11-20', timeZone: 'UTC', agentsUpTo: undefined, calls, agents: [] },
    ...{ start: '2026-11-20T00:00:00.000Z', end: '2026-11-21T00:00:00.000Z' },
  };
  const account = accountWith({ day: async () => records });
  const days = dayReader({ clock: () => now, isPersonal: true });
  const { figures } = await days(account, { day: '2026-11-20', by: 'skill', within: 20 });
  const settings = { shortSeconds: 10 };
  const report = { account: 'demo', records, settings, weekBefore: undefined, by: undefined, groups: [] };
  const tables = printedText(({ print }) => {
    const terminal = { print, note: print, progress: print, hasColours: false };
    printDayTables(terminal, { ...report, figures: { calls: callFigures(calls, settings) }, showPersonal: false });
  });

  expect(figures.flatMap(({ name, share }) => (share === undefined ? [] : [[name, share]]))).toEqual([
    ['answered', 2 / 3],
    ['missed', 1 / 3],
  ]);
  expect(tables).toMatch(/\n2026-11-20 +5 +2 \(67 %\) /);
});

describe('of two accounts', () => {
  const settings = { clock: () => now, isPersonal: true };
  const listedAt = '2026-11-22T08:00:00.000Z';

  /** An account with so many calls, whose ids the other one has too; the first of them took as many seconds. */
  const accountOf = (name: string, count: number) => {
    const listed = { callId: '0', revision: 1, listedAt, type: 'inbound', status: 'answered' };
    const call = { ...listed, durationSeconds: count };
    const calls = Array.from({ length: count }, (_, index) => ({ ...listed, callId: String(index) }));
    const day = async (day: string, timeZone: string, { withAgents = true } = {}) => ({
      ...{ day, timeZone, start: `${day}T00:00:00.000Z`, end: `${day}T23:59:59.999Z`, calls: [call] },
      ...{ agents: [], agentsUpTo: withAgents ? listedAt : undefined },
    });
    return accountWith({ ...callsIn(() => ({ calls })), callRows: async () => [call], day }, name);
  };
  const accounts = [accountOf('acme', 3), accountOf('globex', 7)] as const;
  const ofDay = (day: string) => ({ day, by: 'skill', within: 20 }) as const;

  it('each has its own day', async () => {
    const read = dayReader(settings);
    const answers = await Promise.all(accounts.map((account) => read(account, ofDay('2026-11-22'))));
    const talk = answers.map(({ figures }) => figures.find(({ name }) => name === 'talkTotalSeconds')?.value);

    expect(talk).toEqual([3, 7]);
  });

  it('a day that was read without agents, for the week after it, is read again with them', async () => {
    const read = dayReader(settings);
    await read(accounts[0], ofDay('2026-11-22'));

    expect((await read(accounts[0], ofDay('2026-11-15'))).agentsUpTo).toBe(listedAt);
  });

  it('each has the details and the count of its own calls', async () => {
    const read = callsReader(settings);
    const found: unknown[] = [];
    for (const account of [...accounts, ...accounts]) {
      const { calls, quarters = [] } = await read(account, { day: 'today' });
      found.push(
        calls[0]?.durationSeconds,
        quarters.reduce((sum, [, count]) => sum + count, 0),
      );
    }

    expect(found).toEqual([3, 3, 7, 7, 3, 3, 7, 7]);
  });
});
