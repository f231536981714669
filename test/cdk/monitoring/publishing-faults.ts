import { newCall } from '../../lib/support/change-of.ts';
import { down } from '../../lib/support/ports.ts';
import { later, together } from './datum.ts';
import type { Deployed, Fault, Happening } from './fault.ts';
import { calls } from './posts.ts';
import { type Publishing, publishing } from './runs/publishing.ts';
import { receiving } from './runs/receiving.ts';

const published = (what: string, setting: Omit<Publishing, 'deployment' | 'subscriptions'>): Happening => ({
  what,
  cause: ({ deployment, subscriptions }) => publishing({ deployment, subscriptions, ...setting }),
});

const minuteMs = 60_000;
const hours = 60;

/** Calls are stored for 40 minutes, and nobody publishes. */
const stored = ({ deployment }: Deployed, everyMs = 2.5 * minuteMs) =>
  receiving({ deployment, posts: calls((40 * minuteMs) / everyMs), everyMs });

const whatIsSetAside = { downMinutes: 24 * hours, minutes: 24 * hours };

/** What can go wrong between a row and its event, by the alarm that is there for it. */
export const publishingFaults: readonly Fault[] = [
  {
    alarm: 'EventsLate',
    ...published('The bus cannot be reached for six minutes.', { downMinutes: 6, minutes: 10, ill: down }),
    near: [published('It is back after four.', { downMinutes: 4, minutes: 10, ill: down })],
  },
  {
    alarm: 'PublisherSilent',
    what: 'The subscription is disabled: calls are stored, and the publisher is not run.',
    cause: stored,
    near: [
      {
        what: 'It is disabled after the first event, for less than half an hour.',
        cause: async (deployed) => together(await stored(deployed), await publishing(deployed)),
      },
      {
        what: 'Of all deliveries two change something, and are published.',
        cause: async (deployed) => {
          const event = await publishing(deployed);
          return together(await stored(deployed), event, later(16, event));
        },
      },
      {
        what: 'Three calls in a quarter of an hour may change nothing.',
        cause: (deployed) => stored(deployed, 5 * minuteMs),
      },
    ],
  },
  {
    alarm: 'CallEventsSetAside',
    ...published('The bus refuses events of calls for a day.', whatIsSetAside),
    near: [
      published('It takes them again after 22 hours.', { downMinutes: 22 * hours, minutes: 24 * hours }),
      published('It refuses those of agents.', { ...whatIsSetAside, table: 'Agents' }),
    ],
  },
  {
    alarm: 'AgentEventsSetAside',
    ...published('The bus refuses events of agents for a day.', { ...whatIsSetAside, table: 'Agents' }),
    near: [published('It refuses those of calls.', whatIsSetAside)],
  },
  {
    alarm: 'EventsLost',
    ...published('What is to be set aside may not be written to its bucket.', {
      ...whatIsSetAside,
      isBucketShut: true,
    }),
    near: [published('It may, and is set aside.', whatIsSetAside)],
  },
  {
    alarm: 'RowsPassedOver',
    ...published('Somebody else writes a row of a published kind.', { row: { kind: 'call', pk: 'x', sk: 'y' } }),
    near: [published('A row of ours is written.', { row: newCall(7).after })],
  },
];
