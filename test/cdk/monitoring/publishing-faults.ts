import { newCall } from '../../lib/support/change-of.ts';
import { down } from '../../lib/support/ports.ts';
import type { Fault, Happening } from './fault.ts';
import { type Publishing, publishing } from './runs/publishing.ts';

const published = (what: string, setting: Omit<Publishing, 'deployment' | 'subscription'>): Happening => ({
  what,
  cause: ({ deployment, subscription }) => publishing({ deployment, subscription, ...setting }),
});

const hours = 60;

/** What can go wrong between a row and its event, by the alarm that is there for it. */
export const publishingFaults: readonly Fault[] = [
  {
    alarm: 'EventsLate',
    ...published('The bus cannot be reached for six minutes.', { downMinutes: 6, minutes: 10, ill: down }),
    near: [published('It is back after four.', { downMinutes: 4, minutes: 10, ill: down })],
  },
  {
    alarm: 'EventsSetAside',
    ...published('The bus refuses events for a day.', { downMinutes: 24 * hours, minutes: 24 * hours }),
    near: [published('It takes them again after 22 hours.', { downMinutes: 22 * hours, minutes: 24 * hours })],
  },
  {
    alarm: 'RowsPassedOver',
    ...published('Somebody else writes a row of a published kind.', { row: { kind: 'call', pk: 'x', sk: 'y' } }),
    near: [published('A row of ours is written.', { row: newCall(7).after })],
  },
];
