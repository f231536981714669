/**
 * An instant (milliseconds since the epoch) on the clock of an IANA zone.
 *
 * @example localTime(0, 'Asia/Kolkata') // '1970-01-01 05:30:00'
 */
export const localTime = (at: number, timeZone: string): string => formatFor(timeZone).format(at);

/** To construct a format takes far longer than to use it. */
const formats = new Map<string, Intl.DateTimeFormat>();

const formatFor = (timeZone: string): Intl.DateTimeFormat => {
  // Sweden writes dates as the service does.
  const format =
    formats.get(timeZone) ?? new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
  formats.set(timeZone, format);
  return format;
};

/**
 * Seconds as the service writes them.
 *
 * @example clockOf(90) // '00:01:30'
 */
export const clockOf = (seconds: number): string =>
  [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
    .map((part) => String(part).padStart(2, '0'))
    .join(':');

/** The seconds in `HH:MM:SS`. */
export const secondsOf = (clock: string): number =>
  clock.split(':').reduce((seconds, part) => seconds * 60 + Number(part), 0);
