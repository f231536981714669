/**
 * Whether this is an IANA time zone that the runtime knows. Offsets and short names are not accepted, though the
 * runtime accepts them: an offset has no daylight saving, and IST means India, Israel or Ireland.
 */
export const isTimeZone = (zone: string): boolean => {
  if (zone !== 'UTC' && !zone.includes('/')) return false;
  try {
    return formatOf(zone) !== undefined;
  } catch {
    return false;
  }
};

const quarterHourMs = 15 * 60_000;

/** Bounds the cache of each zone: 10,000 quarters of an hour are some hundred days. */
const maxCachedOffsets = 10_000;

const offsets = new Map<string, Map<number, number>>();

/**
 * How far the zone's clocks are ahead of UTC at an instant, in milliseconds.
 * Since 2012 zones change their offset only on a quarter of an hour, so one offset is cached for each quarter.
 */
export const offsetAt = (zone: string, instantMs: number): number => {
  const quarterMs = Math.floor(instantMs / quarterHourMs) * quarterHourMs;
  const ofZone = offsets.get(zone) ?? new Map<number, number>();
  const cached = ofZone.get(quarterMs);
  if (cached !== undefined) return cached;

  const parts = new Map(
    formatOf(zone)
      .formatToParts(quarterMs)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const part = (name: Intl.DateTimeFormatPartTypes) => parts.get(name) ?? 0;
  const local = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'));
  if (ofZone.size >= maxCachedOffsets) ofZone.clear();
  offsets.set(zone, ofZone.set(quarterMs, local - quarterMs));
  return local - quarterMs;
};

const formats = new Map<string, Intl.DateTimeFormat>();

/** The zone's formatter. Creating one is slow, so it is cached. Throws for a zone that the runtime does not know. */
const formatOf = (zone: string): Intl.DateTimeFormat => {
  const cached = formats.get(zone);
  if (cached !== undefined) return cached;

  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  formats.set(zone, format);
  return format;
};
