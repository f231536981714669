import { down } from '../../lib/support/ports.ts';
import type { Fault, Happening } from './fault.ts';
import { calls, noTable, posted } from './posts.ts';
import { recovering } from './runs/recovering.ts';

const parked = (what: string, downMinutes: number, minutes: number): Happening => ({
  what,
  cause: ({ deployment, queue }) => recovering({ deployment, queue, downMinutes, minutes }),
});

/** What can go wrong with calls that wait for their table, by the alarm that is there for it. */
export const parkingFaults: readonly Fault[] = [
  {
    alarm: 'CallbacksParked',
    ...posted('The table takes no writes.', calls(5), noTable),
    near: [
      posted('A few writes are too slow.', calls(4), noTable),
      posted('The quarantine’s table is not even asked.', calls(5), () => ({ quarantine: { keep: down } })),
    ],
  },
  {
    alarm: 'ParkedWaitLong',
    ...parked('The table is down for 40 minutes.', 40, 60),
    near: [parked('The table is back after 20 minutes.', 20, 60)],
  },
  {
    alarm: 'ParkedSetAside',
    ...parked('The table is down for more than a day.', 25 * 60, 25 * 60),
    near: [parked('The table is back after 23 hours.', 23 * 60, 25 * 60)],
  },
];
