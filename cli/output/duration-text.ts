/**
 * A length of time for people.
 * @example durationText(3723) // '1h 02m 03s'
 */
export const durationText = (seconds: number): string => {
  const whole = Math.max(0, Math.floor(seconds));
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const two = (number: number) => String(number).padStart(2, '0');
  if (hours > 0) return `${hours}h ${two(minutes)}m ${two(rest)}s`;
  return minutes > 0 ? `${minutes}m ${two(rest)}s` : `${rest}s`;
};
