import { describe, expect, it } from 'vitest';
import type { ShownAccount } from '../../../cli/console/accounts.ts';
import { consoleApi } from '../../../cli/console/api.ts';
import { spellingsReader } from '../../../cli/console/call-query.ts';
import { callsReader } from '../../../cli/console/calls.ts';
import { dayReader } from '../../../cli/console/day.ts';
import { dayRecords, quartersReader } from '../../../cli/console/day-records.ts';
import { historyReader } from '../../../cli/console/floor.ts';
import { missedReader } from '../../../cli/console/missed.ts';
import { printDayTables } from '../../../cli/day/day-tables.ts';
import { printedText } from '../../../cli/frame/terminal.ts';
import { callFigures, type DayPeriod } from '../../../client/index.ts';
import { accountIndex } from '../../../lib/accounts/account-index.ts';
import type { Account } from '../../../lib/accounts/accounts.ts';
import { addDays } from '../../../lib/core/time.ts';
import { kolkataAccount } from '../../fixtures/accounts.ts';
import { stubDeployment } from '../support/local-deployment.ts';

const now = new Date('2026-11-22T09:00:20.000Z');

/** An account whose client has these methods. */
const accountWith = (client: object, account = 'demo') =>
  ({
    account,
    timeZone: 'UTC',
    client,
    isPersonal: true,
    deployment: { retention: { callDays: 90 } },
  }) as unknown as ShownAccount;

/** The calls of a client, in pages that a function makes. */
const callsIn = (pageOf: (size: number, cursor?: string) => object | Promise<object>) => ({
  calls: () => ({
    async *pages(size: number, cursor?: string) {
      yield await pageOf(size, cursor);
    },
  }),
});

it('an account that has got another zone and country is shown by them once the page is loaded again', async () => {
  let present: Account = { ...kolkataAccount };
  const deployment = { ...stubDeployment(), accounts: async () => accountIndex([present]) };
  const api = consoleApi({ deployment, location: { stack: '' }, clock: () => now, isPersonal: true });
  const { signal } = new AbortController();
  const shown = async () => Object(await api.gets['about']?.({}, { signal })).accounts;
  const account = 'demo';

  expect(await shown()).toEqual([{ account, timeZone: 'Asia/Kolkata', country: 'IN' }]);
  present = { ...present, timeZone: 'Europe/London', country: 'US' };
  expect(await shown()).toEqual([{ account, timeZone: 'Europe/London', country: 'US' }]);
});

it('the chart of a large floor samples its past, one snapshot of every two minutes, until it has two hours', async () => {
  let portions = 0;
  const client = {
    async floorHistory({ from, to = now.toISOString() }: { readonly from?: Date; readonly to?: string }) {
      if (from !== undefined) return { moments: [] };
      portions += 1;
      const moment = { at: to, asOf: to, status: 'live', counts: { ready: 3_000 } };
      return { moments: [moment], next: new Date(Date.parse(to) - 1).toISOString() };
    },
  };
  const read = historyReader({ clock: () => now });
  const account = accountWith(client);
  await expect.poll(async () => (await read(account)).isWhole, { interval: 1 }).toBe(true);
  await read(account);
  expect([portions > 50, portions <= 61]).toEqual([true, true]);
});

describe('the chart of the floor', () => {
  /** A table of snapshots, of which a portion has so many. */
  const snapshots = (portion: number) => {
    const times: number[] = [];
    const floorHistory = async ({ from, to = '9' }: { readonly from?: Date; readonly to?: string }) => {
      const first = from?.toISOString() ?? '';
      const all = times.map((ms) => new Date(ms).toISOString()).filter((at) => at >= first && at <= to);
      const moments = all
        .toReversed()
        .slice(0, portion)
        .map((at) => ({ at, status: 'live', counts: { ready: 1 } }));
      const last = moments.at(-1)?.at;
      return { moments, next: last && all.length > portion ? new Date(Date.parse(last) - 1).toISOString() : undefined };
    };
    return { times, account: accountWith({ floorHistory }) };
  };

  it('has each snapshot once, also where two tabs ask, and what is new with each look', async () => {
    let ms = now.getTime();
    const { times, account } = snapshots(500);
    const read = historyReader({ clock: () => new Date(ms) });
    const shown = async () => (await read(account)).points.map(([at]) => at);
    times.push(ms - 3 * 3600_000, ms - 2 * 3600_000 - 1, ms - 2_000, ms - 1_000);

    await Promise.all([shown(), shown()]);
    // The one before the two hours says how they began.
    expect(await shown()).toEqual(times.slice(1));
    ms += 15_000;
    times.push(ms - 10_000, ms - 5_000);
    await Promise.all([shown(), shown()]);
    expect(await shown()).toEqual(times.slice(1));
  });

  it('begins with the first poll, also for somebody who looked before it', async () => {
    const { times, account } = snapshots(500);
    const read = historyReader({ clock: () => now });
    expect(await read(account)).toMatchObject({ points: [], isWhole: true });
    times.push(now.getTime());
    expect((await read(account)).points).toHaveLength(1);
  });

  /** What it shows of snapshots every 15 seconds, most of which came while nobody looked. */
  const shownAfterPause = async (portion: number) => {
    let ms = now.getTime();
    const { times, account } = snapshots(portion);
    const read = historyReader({ clock: () => new Date(ms) });
    times.push(ms - 2_000, ms - 1_000);
    await read(account);
    times.push(...Array.from({ length: 100 }, (_, index) => ms + index * 15_000));
    ms += 100 * 15_000;
    await read(account);

    await expect.poll(async () => (await read(account)).isWhole, { interval: 1 }).toBe(true);
    return { times, shown: (await read(account)).points.map(([at]) => at) };
  };

  it('begins anew where nobody has looked for longer than a portion goes back', async () => {
    const { times, shown } = await shownAfterPause(60);
    expect(shown).toEqual(times);
  });

  it('does so too on a large floor, of which it reads one snapshot of every two minutes', async () => {
    const { times, shown } = await shownAfterPause(1);
    const longest = Math.max(...shown.map((at, index) => at - (shown[index - 1] ?? at)));
    expect([longest <= 240_000, shown.length >= 12, shown.at(-1)]).toEqual([true, true, times.at(-1)]);
  });
});

const listReader = (settings: { readonly clock: () => Date }) =>
  callsReader(settings, missedReader(settings), spellingsReader(settings));

it('a list has the talk time of its calls at once, and so has an older page', async () => {
  const call = (index: number) => ({ callId: `c${index}`, revision: 1, listedAt: '2026-11-22T08:00:00.000Z' });
  const accountOf = (account: string) => {
    const pages = callsIn((size, cursor = '0') => ({
      calls: size === 100 ? [call(Number(cursor))] : [],
      next: String(Number(cursor) + 1),
    }));
    const callRows = async ([callId]: readonly string[]) => [{ ...call(0), callId, durationSeconds: 5 }];
    return accountWith({ ...pages, callRows }, account);
  };
  const list = listReader({ clock: () => now });
  const talk = async (account: string, cursor?: string) =>
    (await list(accountOf(account), { day: 'today', cursor })).calls[0]?.durationSeconds;

  expect([await talk('one'), await talk('two'), await talk('one', '1')]).toEqual([5, 5, 5]);
  expect((await list(accountOf('one'), { day: 'today' })).calls[0]?.recordings).toEqual([]);
});

it('a list of a customer’s calls looks for other spellings of the number once in a while, and says where there are too many calls', async () => {
  const time = { ms: now.getTime(), reads: 0 };
  const otherSpellings = async () => {
    time.reads += 1;
    return { calls: [], isComplete: time.reads > 1 };
  };
  const callsOfCustomer = callsIn(() => ({ calls: [] })).calls;
  const account = accountWith({ otherSpellings, callsOfCustomer, callRows: async () => [] });
  const list = listReader({ clock: () => new Date(time.ms) });
  const asked = async () => (await list(account, { day: 'today', customer: '4021' })).isUsualSpellingsOnly;

  expect([await asked(), await asked(), time.reads]).toEqual([true, true, 1]);
  time.ms += 15_000;
  expect([await asked(), time.reads]).toEqual([false, 2]);
});

it('a list reads the rows of 100 of the newest calls at once, and those of all calls of an older page', async () => {
  const calls = Array.from({ length: 150 }, (_, index) => ({ callId: `c${index}`, revision: 1, listedAt: '1' }));
  const callRows = async (ids: readonly string[]) => calls.filter(({ callId }) => ids.includes(callId));
  const account = accountWith({ ...callsIn(() => ({ calls })), callRows });
  const counted = async (cursor?: string) => {
    const list = listReader({ clock: () => now });
    return (await list(account, { day: 'today', cursor })).calls.filter(({ recordings }) => recordings).length;
  };

  expect([await counted(), await counted('older')]).toEqual([100, 150]);
});

/** A list of one missed call, read from a client whose answers about missed calls come one after the other. */
const missedList = (answerTo: (reads: number) => object) => {
  const time = { ms: now.getTime(), reads: 0 };
  const call = { callId: 'c', revision: 1, listedAt: '2026-11-22T08:00:00.000Z', status: 'not-answered' };
  const missedCalls = async () => {
    time.reads += 1;
    return { asOf: now.toISOString(), calls: [{ call, ...answerTo(time.reads) }] };
  };
  const account = accountWith({ ...callsIn(() => ({ calls: [call] })), callRows: async () => [call], missedCalls });
  const settings = { clock: () => new Date(time.ms) };
  const missed = missedReader(settings);
  const list = callsReader(settings, missed, spellingsReader(settings));
  return { time, account, missed, read: (cursor?: string) => list(account, { day: 'today', cursor }) };
};

it('a list does not wait for what became of missed calls, an older page does, and it is read again after a while', async () => {
  const { time, read } = missedList((reads) => ({ state: reads === 1 ? 'open' : 'returned' }));
  const shown = async (cursor?: string) => (await read(cursor)).calls[0]?.missed?.state;

  expect([await shown(), await shown('older'), await shown()]).toEqual([undefined, 'open', 'open']);
  time.ms += 15_000;
  expect([await shown(), await shown('older'), time.reads]).toEqual(['open', 'returned', 2]);
});

it('a list is shown without what became of missed calls where that fails, with the reason, and tries it again after a while', async () => {
  const asOf = now.toISOString();
  const { time, account, missed, read } = missedList((reads) => {
    if (reads === 2) throw new RangeError('from, to: expected at most 31 days.');
    return { state: 'open' };
  });
  const shown = async () => {
    const { calls, missedReading } = await read('older');
    return [calls[0]?.missed?.state, missedReading];
  };

  expect(await shown()).toEqual(['open', { asOf, problem: undefined }]);
  time.ms += 15_000;
  const problem = 'Invalid value: from, to: expected at most 31 days.';
  expect([await shown(), await shown(), time.reads]).toEqual([...Array(2).fill(['open', { asOf, problem }]), 2]);
  // Who asks for it alone gets it read at once.
  await missed.whole(account, { from: '2026-11-22T00:00:00.000Z', to: '2026-11-22T23:59:59.999Z' });
  expect([await shown(), time.reads]).toEqual([['open', { asOf, problem: undefined }], 3]);
});

it('what became of missed calls is read again soon after their table did not answer, and an answer has its own time', async () => {
  const { time, read } = missedList(() => {
    time.ms += 10_000;
    throw Object.assign(new Error('no answer'), { name: 'TimeoutError' });
  });
  expect((await read('older')).now).toBe(new Date(time.ms).toISOString());
  time.ms += 30_000;
  await read('older');

  expect(time.reads).toBe(2);
});

it('a call has the talk time and the recordings of its present revision', async () => {
  let revision = 1;
  let durationSeconds = 5;
  // A leg has more fields than are kept.
  const legs = [{ ucid: '1', agentIds: ['asha'], skillName: 'Sales' }];
  const row = () => ({ callId: 'c', revision, durationSeconds, recordings: [`r${revision}`], legs });
  const pages = callsIn(() => ({ calls: [{ callId: 'c', revision, listedAt: '2026-11-22T08:00:00.000Z' }] }));
  const list = listReader({ clock: () => now });
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

const readerOf = (settings: Parameters<typeof dayReader>[0]) => {
  const records = dayRecords(settings);
  return { day: dayReader(settings, records), quarters: quartersReader(settings, records, missedReader(settings)) };
};
type Days = ReturnType<typeof readerOf>;

const reading = () => readerOf({ clock: () => now, isPersonal: true, location: { stack: '' } });

/** A day that is not too large. */
const dayIn = async (account: ShownAccount, query: Parameters<Days['day']>[1], days: Days = reading()) => {
  const answer = await days.day(account, query);
  if ('tooMany' in answer) throw new Error(answer.tooMany.text);
  return answer;
};

describe('a day', () => {
  it('by agent adds up: what an agent was offered was answered by them or by others, missed, or is undecided', async () => {
    const start = '2026-11-20T00:00:00.000Z';
    const end = '2026-11-21T00:00:00.000Z';
    const ring = (agentId: string, status: string) => ({ ucid: agentId, agentIds: [agentId], status });
    const call = { listedAt: start, type: 'inbound', agentIds: ['asha', 'ravi'] };
    const calls = [
      { ...call, status: 'answered', legs: [ring('asha', 'not-answered'), ring('ravi', 'answered')] },
      { ...call, status: 'not-answered' },
      { ...call, status: 'unknown' },
    ];
    const period = async (days: DayPeriod) => ({ ...days, timeZone: 'UTC', start, end, calls, agents: [] });
    const { groups } = await dayIn(accountWith({ period }), { day: '2026-11-20', by: 'agent', within: 20 });
    const names = ['offered', 'answered', 'answeredByOthers', 'missed', 'undecided'];
    const row = ({ figures }: (typeof groups)[number]) =>
      names.map((name) => figures.find((figure) => figure.name === name)?.value);

    expect(groups.map((group) => [group.label, ...row(group)])).toEqual([
      ['asha', 3, 0, 1, 1, 1],
      ['ravi', 3, 1, 0, 1, 1],
    ]);
  });

  /** Reads days of no calls, and notes which were read. */
  const noting = (clock: () => Date, timeZone = 'UTC') => {
    const read: string[] = [];
    const period = async ({ from, to }: DayPeriod) => {
      read.push(from);
      const [start, end] = [from, addDays(to, 1)].map((date) => `${date}T00:00:00.000Z`);
      return { from, to, timeZone: 'UTC', start, end, calls: [], agents: [] };
    };
    const days = readerOf({ clock, isPersonal: false, location: { stack: '' } });
    const account = { ...accountWith({ period }), timeZone };
    const readAt = async (asked: string, by: 'agent' | 'skill' = 'agent') =>
      (await days.day(account, { day: asked, by, within: 20 })).readAt;
    return { read, readAt, quarters: async (asked: string) => days.quarters(account, { day: asked }) };
  };

  it.each([
    ['UTC', now.toISOString()],
    // In UTC it is over.
    ['America/New_York', '2026-11-23T04:00:00.000Z'],
  ])(
    'is read once for all who ask within a minute, however it is grouped, and one that is over within a quarter of an hour: in %s',
    async (timeZone, begin) => {
      let nowMs = Date.parse(begin);
      const { read, readAt } = noting(() => new Date(nowMs), timeZone);
      const first = [await readAt('today'), await readAt('2026-11-20')];
      nowMs += 59_999;
      expect([await readAt('today', 'skill'), await readAt('2026-11-20')]).toEqual(first);
      nowMs += 1;
      expect([await readAt('today'), await readAt('2026-11-20')]).toEqual([new Date(nowMs).toISOString(), first[1]]);
      const today = '2026-11-22';
      const aWeekAgo = '2026-11-15';
      expect(read).toEqual([today, aWeekAgo, '2026-11-20', '2026-11-13', today]);
      nowMs += 900_000;
      expect(await readAt('2026-11-20')).not.toBe(first[1]);
    },
  );

  it('that is one of too many calls says so, and is listed once within a minute, without the weeks before', async () => {
    const asked: DayPeriod[] = [];
    const period = async ({ from, to }: DayPeriod) => {
      asked.push({ from, to });
      return { from, to, moreThan: 50_000, since: '2026-11-20T00:00:00.000Z' };
    };
    const days = reading();
    const account = { ...accountWith({ period }), deployment: stubDeployment() };
    const query = { day: 'today', from: '2026-11-01', within: 20 };
    const answers = [await days.day(account, query), await days.day(account, { ...query, by: 'agent' })];

    const range = { from: '2026-11-01', to: '2026-11-22' };
    const commanding = (text: string) => ({ ...range, tooMany: { command: expect.stringContaining(text) } });
    expect(answers).toMatchObject([
      commanding('query calls-by-day --from'),
      commanding('query agents-by-day --from 2026-11-01 --to 2026-11-22'),
    ]);
    expect(asked).toEqual([range]);
  });

  it('of a period is in its bar of calls per day, from midnight on by the account’s clocks', async () => {
    const at = (listedAt: string, status: string) => ({ callId: listedAt, listedAt, type: 'inbound', status });
    // Clocks go back on the second day, which has 25 hours.
    const calls = [
      at('2026-10-24T22:59:59.999Z', 'answered'),
      at('2026-10-24T23:00:00.000Z', 'not-answered'),
      at('2026-10-25T23:59:59.999Z', 'answered'),
      at('2026-10-26T00:00:00.000Z', 'unknown'),
    ];
    const bounds = { start: '2026-10-23T23:00:00.000Z', end: '2026-10-27T00:00:00.000Z', timeZone: 'Europe/London' };
    const period = async (days: DayPeriod) => ({ ...days, ...bounds, calls, agents: [] });
    const account = { ...accountWith({ period }), timeZone: 'Europe/London' };
    const answer = await dayIn(account, { day: 'today', from: '2026-10-24', to: '2026-10-26', within: 20 });

    expect(answer.bars).toEqual([
      [Date.parse('2026-10-23T23:00:00.000Z'), 1, 0, 0],
      [Date.parse('2026-10-24T23:00:00.000Z'), 1, 1, 0],
      [Date.parse('2026-10-26T00:00:00.000Z'), 0, 0, 1],
    ]);
    const days = ['2026-10-24 Sat', '2026-10-25 Sun', '2026-10-26 Mon'];
    expect(answer.groups.map(({ key, label }) => [key, label])).toEqual(days.map((day) => [day.slice(0, 10), day]));
    expect([answer.by, answer.weeksBefore.weeks, answer.weeksBefore.from]).toEqual(['day', 1, '2026-10-17']);
  });

  it('that was read with agents is not read again for its quarters, or for the week after it', async () => {
    const { read, readAt, quarters } = noting(() => now);
    for (const ask of [readAt, quarters]) await ask('2026-11-13');
    await readAt('2026-11-20');

    expect(read).toEqual(['2026-11-13', '2026-11-06', '2026-11-20']);
  });

  it('that takes long to read is read less often', async () => {
    let nowMs = now.getTime();
    const { read, readAt } = noting(() => {
      nowMs += 2_000;
      return new Date(nowMs);
    });
    await readAt('today');
    const reads = read.length;
    nowMs += 60_000;
    await readAt('today');
    expect(read).toHaveLength(reads);
  });
});

it('the share of answered and of missed calls is of those whose status is known, as on the command line', async () => {
  const statuses = ['answered', 'answered', 'not-answered', 'unknown', undefined] as const;
  const calls = statuses.map((status, index) => ({
    callId: `call-${index}`,
    type: 'inbound' as const,
    status,
    listedAt: '2026-11-20T05:00:00.000Z',
  }));
  const records = {
    from: '2026-11-20',
    to: '2026-11-20',
    timeZone: 'UTC',
    agentsUpTo: undefined,
    calls,
    agents: [],
    start: '2026-11-20T00:00:00.000Z',
    end: '2026-11-21T00:00:00.000Z',
  };
  const query = { day: '2026-11-20', by: 'skill', within: 20 } as const;
  const { figures } = await dayIn(accountWith({ period: async () => records }), query);
  const settings = { shortSeconds: 10 };
  const report = { account: 'demo', records, settings, weeksBefore: undefined, by: undefined, groups: [] };
  const tables = printedText(({ print }) => {
    const terminal = { print, note: print, progress: print, hasColours: false };
    printDayTables(terminal, { ...report, figures: { calls: callFigures(calls, settings) }, showPersonal: false });
  });

  const shares = figures.flatMap(({ name, share }) => (share === undefined ? [] : [[name, share]]));
  expect(Object.fromEntries(shares)).toEqual({ answered: 2 / 3, missed: 1 / 3 });
  expect(tables).toMatch(/\n2026-11-20 +5 +2 \(67 %\) /);
});

describe('of two accounts', () => {
  const settings = { clock: () => now, isPersonal: true, location: { stack: '' } };
  const listedAt = '2026-11-22T08:00:00.000Z';

  /** An account with so many calls, whose ids the other one has too; the first of them took as many seconds. */
  const accountOf = (name: string, count: number) => {
    const listed = { callId: '0', revision: 1, listedAt, type: 'inbound', status: 'answered' };
    const call = { ...listed, durationSeconds: count };
    const calls = Array.from({ length: count }, (_, index) => ({ ...listed, callId: String(index) }));
    const period = async ({ from, to }: DayPeriod, timeZone: string, { withAgents = true } = {}) => ({
      from,
      to,
      timeZone,
      start: `${from}T00:00:00.000Z`,
      end: `${to}T23:59:59.999Z`,
      calls: [call, ...calls.slice(1)],
      agents: [],
      agentsUpTo: withAgents ? listedAt : undefined,
    });
    return accountWith({ ...callsIn(() => ({ calls })), callRows: async () => [call], period }, name);
  };
  const accounts = [accountOf('acme', 3), accountOf('globex', 7)] as const;
  const ofDay = (day: string) => ({ day, by: 'skill', within: 20 }) as const;

  it('each has its own day', async () => {
    const days = readerOf(settings);
    const answers = await Promise.all(accounts.map((account) => dayIn(account, ofDay('2026-11-22'), days)));
    const talk = answers.map(({ figures }) => figures.find(({ name }) => name === 'talkTotalSeconds')?.value);

    expect(talk).toEqual([3, 7]);
  });

  it('a day that was read without agents, for the week after it, is read again with them', async () => {
    const days = readerOf(settings);
    await dayIn(accounts[0], ofDay('2026-11-22'), days);

    expect((await dayIn(accounts[0], ofDay('2026-11-15'), days)).agentsUpTo).toBe(listedAt);
  });

  it('each has what became of its own missed calls, as of each moment', async () => {
    const missed = missedReader(settings);
    const missedOf = (name: string) =>
      accountWith({ missedCalls: async ({ asOf }: { readonly asOf?: string }) => ({ asOf: `${name} ${asOf}` }) }, name);
    const range = { from: '2026-11-22T00:00:00.000Z', to: '2026-11-22T23:59:59.999Z' };
    const found: string[] = [];
    for (const account of [missedOf('acme'), missedOf('globex')])
      for (const asOf of [undefined, listedAt]) found.push((await missed.whole(account, { ...range, asOf })).asOf);

    expect(found).toEqual(['acme undefined', `acme ${listedAt}`, 'globex undefined', `globex ${listedAt}`]);
  });

  it('each has the details and the quarters of its own calls', async () => {
    const read = listReader(settings);
    const days = readerOf(settings);
    const found: unknown[] = [];
    for (const account of [...accounts, ...accounts]) {
      const { calls } = await read(account, { day: 'today' });
      const { quarters } = await days.quarters(account, { day: 'today' });
      const counted = quarters.reduce((sum, [, count]) => sum + count, 0);
      found.push(calls[0]?.durationSeconds, counted);
    }

    expect(found).toEqual([3, 3, 7, 7, 3, 3, 7, 7]);
  });
});
