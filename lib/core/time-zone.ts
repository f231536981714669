const quarterHourMs = 15 * 60_000;

const formats = new Map<string, Intl.DateTimeFormat>();
const offsets = new Map<string, Map<number, number>>();

/** Bounds what is remembered of each zone: the quarters of some hundred days. */
const maxCachedOffsets = 10_000;

const formatOf = (zone: string): Intl.DateTimeFormat => {
  const known = formats.get(zone);
  if (known !== undefined) return known;

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

/**
 * Whether this is an IANA time zone that the runtime knows. Offsets and short names are none, though the runtime takes
 * them: an offset knows no daylight saving, and IST is India, Israel or Ireland.
 */
export const isTimeZone = (zone: string): boolean => {
  if (zone !== 'UTC' && !zone.includes('/')) return false;
  try {
    return formatOf(zone) !== undefined;
  } catch {
    return false;
  }
};

/**
 * How far the zone's clocks are ahead of UTC at an instant, in milliseconds.
 * Since 2012 zones have changed on a quarter of an hour only, so a quarter is what is remembered.
 */
export const offsetAt = (zone: string, instantMs: number): number => {
  const quarterMs = Math.floor(instantMs / quarterHourMs) * quarterHourMs;
  const ofZone = offsets.get(zone) ?? new Map<number, number>();
  const known = ofZone.get(quarterMs);
  if (known !== undefined) return known;

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
