import type { Facts } from '../record/delivery.ts';

/** The time from start to end in seconds, where both are known. Practice: the end may equal and even precede the start. */
export const elapsed = ({ startedAt, endedAt }: Facts): Facts => {
  if (typeof startedAt !== 'string' || typeof endedAt !== 'string') return {};
  const seconds = (Date.parse(endedAt) - Date.parse(startedAt)) / 1000;
  return seconds < 0 ? {} : { elapsedSeconds: seconds };
};
