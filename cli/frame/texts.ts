import { offsetAt } from '../../lib/core/time.ts';

/** @example counted(2, 'call') // '2 calls' */
export const counted = (count: number, noun: string, plural = `${noun}s`): string =>
  `${count} ${count === 1 ? noun : plural}`;

/**
 * A duration for people.
 * @example durationText(3723) // '1h 02m 03s'
 */
export const durationText = (seconds: number): string => {
  const whole = Math.max(0, Math.floor(seconds));
  const hours = Math.floor(whole / 3600);
  const minutes = Math.floor(whole / 60) % 60;
  const rest = whole % 60;
  const twoDigits = (number: number) => String(number).padStart(2, '0');
  if (hours > 0) return `${hours}h ${twoDigits(minutes)}m ${twoDigits(rest)}s`;
  return minutes > 0 ? `${minutes}m ${twoDigits(rest)}s` : `${rest}s`;
};

export const percent = (share: number): string => `${Math.round(share * 100)} %`;

/**
 * The offset of a time zone from UTC at an instant in milliseconds.
 * @example offsetText('Asia/Kolkata', 0) // '+05:30'
 */
export const offsetText = (timeZone: string, instantMs: number): string => {
  const offsetMs = offsetAt(timeZone, instantMs);
  return `${offsetMs < 0 ? '-' : '+'}${new Date(Math.abs(offsetMs)).toISOString().slice(11, 16)}`;
};

/**
 * An instant on the clocks of a time zone, to the second, as `--from` takes it.
 * @example localText('2026-11-20T05:30:00.000Z', 'Asia/Kolkata') // '2026-11-20T11:00:00+05:30'
 */
export const localText = (instant: string, timeZone: string): string => {
  const ms = Date.parse(instant);
  const local = new Date(ms + offsetAt(timeZone, ms)).toISOString().slice(0, 19);
  return `${local}${offsetText(timeZone, ms)}`;
};
