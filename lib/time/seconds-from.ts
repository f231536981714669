const seconds = /^\d{1,9}(?:\.\d{1,3})?$/;
const clock = /^(?:(\d{1,4}):)?(\d{1,4}):(\d{2})$/;

/**
 * Seconds in a duration, or undefined if it is none. Practice: `HH:MM:SS`, `MM:SS` and a plain number of seconds arrive.
 * @example secondsFrom('01:02:03') // 3723
 */
export const secondsFrom = (text: string): number | undefined => {
  if (seconds.test(text)) return Number(text);

  const [, hours, minutes, rest] = clock.exec(text) ?? [];
  if (minutes === undefined || Number(rest) > 59) return undefined;
  if (hours !== undefined && Number(minutes) > 59) return undefined;
  return Number(hours ?? 0) * 3600 + Number(minutes) * 60 + Number(rest);
};
