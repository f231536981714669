import type { AgentDay } from '../../client/index.ts';
import { instantOf } from '../../lib/time/instant-of.ts';

/** Two digits and room to tell them from the next ones. */
const leastRoom = 5;

/** The local hours above a bar, as many as there is room for; on days of 23 or 25 hours they stand where they were. */
export const hourScale = (
  { day, timeZone, start, end }: Pick<AgentDay, 'day' | 'timeZone' | 'start' | 'end'>,
  width: number,
): string => {
  const step = [1, 2, 3, 4, 6, 12].find((hours) => (width * hours) / 24 >= leastRoom) ?? 24;
  const partMs = (Date.parse(end) - Date.parse(start)) / width;
  let scale = '';
  for (let hour = 0; hour < 24; hour += step) {
    const label = String(hour).padStart(2, '0');
    const at = instantOf(`${day} ${label}:00:00`, timeZone)?.at ?? start;
    const place = Math.floor((Date.parse(at) - Date.parse(start)) / partMs);
    // An hour that clocks skip would stand where the next one does.
    if (hour === 0 || place > scale.length) scale = scale.padEnd(place) + label;
  }
  return scale;
};
