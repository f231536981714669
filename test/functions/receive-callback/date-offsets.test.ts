import { isMainThread } from 'node:worker_threads';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { dateOffsets } from '../../../functions/receive-callback/environment.ts';
import { parseAccounts } from '../../../lib/accounts/accounts.ts';
import { askForOffsetsFirst, instantOf, offsetAt } from '../../../lib/core/time.ts';

// They are compared with those of Intl. In a thread, as the mutation test has one, `Date` follows no TZ.
beforeAll(() => askForOffsetsFirst(() => undefined));

describe.skipIf(!isMainThread)('dateOffsets', () => {
  const hourMs = 3_600_000;
  /** Each hour around every change of clocks of a year, and some instants of other years. */
  const instantsOf = (zone: string): readonly number[] => {
    const days = Array.from({ length: 366 }, (_, day) => Date.UTC(2026, 0, 1) + day * 24 * hourMs);
    const changes = days.filter((ms) => offsetAt(zone, ms) !== offsetAt(zone, ms + 24 * hourMs));
    const near = changes.flatMap((ms) => Array.from({ length: 25 }, (_, hour) => ms + hour * hourMs));
    return [
      ...near,
      ...['0099', '1900', '1985', '2011', '2036'].flatMap((year) => [`${year}-01-03`, `${year}-07-03`].map(Date.parse)),
    ];
  };

  it.each([
    ...['Asia/Kolkata', 'Europe/London', 'America/New_York', 'Australia/Lord_Howe', 'Africa/Casablanca'],
    ...['Pacific/Apia', 'America/Argentina/Ushuaia', 'America/Port-au-Prince', 'Etc/GMT+5', 'US/Eastern'],
  ])('of %s are those of Intl', (zone) => {
    for (const ms of instantsOf(zone))
      expect([zone, ms, dateOffsets(zone, ms)]).toEqual([zone, ms, offsetAt(zone, ms)]);
  });

  it.each(['UTC', 'Africa/Abidjan', 'Asia/Nowhere', 'asia/tokyo', ':Asia/Tokyo', 'AAA+5BBB', ''])(
    'leave %j to Intl',
    (zone) => {
      expect(dateOffsets(zone, Date.UTC(2026, 10, 20))).toBeUndefined();
    },
  );

  it.each(['Asia/Dhaka', 'Canada/Pacific', 'UTC'])(
    'spare a new process of accounts in %s the use of Intl',
    (timeZone) => {
      askForOffsetsFirst(dateOffsets);
      const intl = vi.spyOn(Intl, 'DateTimeFormat');
      const accounts = parseAccounts(JSON.stringify([{ userName: 'demo', apiKeys: ['KKdemo'], timeZone }]));
      const read = [accounts.ok, instantOf('2015-03-01 10:00:00', timeZone) !== undefined, intl.mock.calls];
      intl.mockRestore();
      askForOffsetsFirst(() => undefined);

      expect(read).toEqual([true, true, []]);
    },
  );

  it('leave the zone of the process as it was', () => {
    const zones = [undefined, 'Asia/Tokyo'].map((own) => {
      vi.stubEnv('TZ', own);
      dateOffsets('Asia/Dhaka', 0);
      return [process.env['TZ'], new Date(0).getHours()];
    });
    vi.unstubAllEnvs();
    const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();

    expect(zones).toEqual([
      [undefined, Number(new Intl.DateTimeFormat('en-GB', { timeZone, hour: 'numeric' }).format(0))],
      ['Asia/Tokyo', 9],
    ]);
  });
});
