import { describe, expect, it } from 'vitest';
import type { ShownAccount } from '../../../cli/console/accounts.ts';
import { dayReader } from '../../../cli/console/day.ts';
import { dayRecords } from '../../../cli/console/day-records.ts';
import type { DayPeriod } from '../../../client/index.ts';
import { addDays, startOfDay } from '../../../lib/core/time.ts';

const timeZone = 'Europe/London';

interface Stored {
  readonly listedAt: string;
  readonly status: string;
}

const callAt = (listedAt: string, status = 'answered'): Stored => ({ listedAt, status });

/** The figures of days in London, of a deployment with these calls, at a moment. */
const figuresAt = async (
  now: string,
  calls: readonly Stored[],
  query: object,
  { callDays = 90, most = 1_000 } = {},
) => {
  const period = async ({ from, to }: DayPeriod) => {
    const bounds = { start: startOfDay(from, timeZone), end: startOfDay(addDays(to, 1), timeZone) };
    const found = calls.filter(({ listedAt }) => listedAt >= bounds.start && listedAt < bounds.end);
    if (found.length > most) return { moreThan: most, since: bounds.start };
    const listed = found.map((call, index) => ({ callId: String(index), type: 'inbound', ...call }));
    return { from, to, ...bounds, timeZone, calls: listed, agents: [], agentsUpTo: undefined };
  };
  const account = { account: 'demo', timeZone, client: { period }, deployment: { retention: { callDays } } };
  const settings = { clock: () => new Date(now), isPersonal: true, location: { stack: '' } };
  const read = dayReader(settings, dayRecords(settings));
  const answer = await read(account as unknown as ShownAccount, { day: 'today', within: 20, ...query });
  if ('tooMany' in answer) throw new Error(answer.tooMany.text);
  const figure = (name: string) => answer.weeksBefore.figures.find((one) => one.name === name);
  return { ...answer.weeksBefore, figure, by: answer.by };
};

/** A call an hour, from 9 to 17 o’clock in winter, on each of these days. */
const hourly = (...days: readonly string[]) =>
  days.flatMap((date) =>
    Array.from({ length: 9 }, (_, hour) => callAt(`${date}T${String(9 + hour).padStart(2, '0')}:30:00.000Z`)),
  );

describe('the figures of the weeks before', () => {
  it('end at the same local time where the day is not over, with the difference', async () => {
    const calls = [...hourly('2026-11-13'), ...hourly('2026-11-20').slice(0, 5)];
    const { figure, upTo, opens, from } = await figuresAt('2026-11-20T12:00:00.000Z', calls, {});

    expect([from, upTo]).toEqual(['2026-11-13', '2026-11-13T12:00:00.000Z']);
    expect(opens).toEqual({ from: '2026-11-13T00:00:00.000Z', to: '2026-11-13T11:59:59.999Z' });
    expect(figure('answered')).toMatchObject({ value: 3, change: { by: 2, isBetter: true }, opens: { count: 3 } });
    expect(figure('offered')).toMatchObject({ value: 3, change: { by: 2, isBetter: undefined } });
  });

  it('end at the same local time of a week that is not over, where clocks were put back in between', async () => {
    const calls = [
      callAt('2026-10-21T07:30:00.000Z'),
      callAt('2026-10-21T08:30:00.000Z'),
      callAt('2026-10-27T09:30:00.000Z'),
    ];
    const week = { from: '2026-10-26', to: '2026-10-28' };
    const { figure, upTo, ...weeks } = await figuresAt('2026-10-28T09:00:00.000Z', calls, week);

    expect([weeks.from, weeks.to, weeks.weeks]).toEqual(['2026-10-19', '2026-10-21', 1]);
    // 9 o’clock was an hour earlier in UTC.
    expect(upTo).toBe('2026-10-21T08:00:00.000Z');
    expect(figure('offered')).toMatchObject({ value: 1, change: { by: 0 } });
  });

  it('are those of whole days where the days are over', async () => {
    const calls = hourly('2026-11-13', '2026-11-20');
    const { figure, upTo, opens } = await figuresAt('2026-11-21T12:00:00.000Z', calls, { day: '2026-11-20' });

    expect([upTo, opens]).toEqual([undefined, { day: '2026-11-13' }]);
    expect(figure('answered')).toMatchObject({ value: 9, change: { by: 0, isBetter: undefined } });
  });

  it.each([
    ['no call is stored', hourly('2026-11-20'), {}, 'no call is stored to compare with'],
    [
      'calls may have expired',
      hourly('2026-11-13', '2026-11-20'),
      { callDays: 7 },
      'some calls may be gone, as they are kept for 7 days',
    ],
  ])('are unknown and no zero where %s', async (_why, calls, settings, reason) => {
    const found = await figuresAt('2026-11-20T18:00:00.000Z', calls, {}, settings);

    expect(found.reason).toBe(reason);
    expect(found.figures.length).toBeGreaterThan(20);
    expect(found.figures.filter(({ value, opens, change }) => value ?? opens ?? change)).toEqual([]);
    expect(new Set(found.figures.map(({ note }) => note))).toEqual(new Set([`Not known: ${reason}.`]));
  });

  it('are unknown where the period before has too many calls', async () => {
    const calls = [...hourly('2026-11-12', '2026-11-13'), ...hourly('2026-11-19')];
    const found = await figuresAt(
      '2026-11-21T12:00:00.000Z',
      calls,
      { from: '2026-11-19', to: '2026-11-20' },
      { most: 9 },
    );

    expect([found.reason, found.figure('offered')?.value]).toEqual([
      'there are too many calls to compare with',
      undefined,
    ]);
  });

  it('say on how many days calls are stored where these are fewer than now', async () => {
    const week = { from: '2026-11-16', to: '2026-11-20' };
    const now = ['2026-11-16', '2026-11-17', '2026-11-18'];
    const storedDays = async (...before: readonly string[]) =>
      (await figuresAt('2026-11-21T12:00:00.000Z', hourly(...before, ...now), week)).storedDays;

    expect(await storedDays('2026-11-11')).toBe(1);
    // Closed on the same days.
    expect(await storedDays('2026-11-09', '2026-11-10', '2026-11-11')).toBeUndefined();
  });

  it('have no agents’ time, which is not read again for them', async () => {
    const { figure } = await figuresAt('2026-11-21T12:00:00.000Z', hourly('2026-11-14', '2026-11-21'), {});

    expect(figure('occupancy')).toMatchObject({
      value: undefined,
      note: 'Not known: agents’ time of earlier days is not read.',
    });
  });
});

it('a day that is asked for by day, as an address of a period may say, is by agent', async () => {
  expect((await figuresAt('2026-11-21T12:00:00.000Z', [], { day: '2026-11-20', by: 'day' })).by).toBe('agent');
});
