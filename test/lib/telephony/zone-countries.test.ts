import { getAllTimezones, getTimezone } from 'countries-and-timezones';
import { describe, expect, it, vi } from 'vitest';
import { isTimeZone } from '../../../lib/core/time.ts';
import { countryOfZone } from '../../../lib/telephony/zone-countries.ts';

describe('the country of a time zone', () => {
  // `Intl` takes Johnston, an island without people, for Honolulu.
  const zones = Object.keys(getAllTimezones({ deprecated: true })).filter(
    (zone) => isTimeZone(zone) && !/^Antarctica|Johnston$/.test(zone),
  );

  it('is the one of zone.tab, under each name of the zone', () => {
    expect(zones.length).toBeGreaterThan(500);
    for (const zone of zones) expect([zone, countryOfZone(zone)]).toEqual([zone, getTimezone(zone)?.countries[0]]);
  });

  it.each([
    ['Singapore', 'SG'],
    ['Japan', 'JP'],
    ['GB', 'GB'],
    ['NZ', 'NZ'],
    ['Eire', 'IE'],
    ['Navajo', 'US'],
    ['PRC', 'CN'],
  ])('of the alias %s is %s', (zone, country) => {
    expect(countryOfZone(zone)).toBe(country);
  });

  it.each(['UTC', 'Etc/GMT+5', 'Mars/Phobos', ''])('is unknown for %j', (zone) => {
    expect(countryOfZone(zone)).toBeUndefined();
  });

  it.each([
    ['UTC', 0],
    ['Etc/GMT+5', 1],
    ['Mars/Phobos', 1],
    ['', 1],
  ])('of %j takes at most %d formats of `Intl`, however often it is asked', (zone, most) => {
    using formats = vi.spyOn(Intl, 'DateTimeFormat');
    for (let calls = 0; calls < 100; calls++) countryOfZone(zone);
    const returned = formats.mock.results.filter(({ type }) => type === 'return');
    expect(returned.length).toBeLessThanOrEqual(most);
  });
});
