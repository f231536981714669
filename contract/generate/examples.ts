import type { EventType } from '../../lib/contract/event-schemas.ts';
import { mapValues } from '../../lib/map-values.ts';
import { eventGuides } from './event-guides.ts';
import { asDelivered, type Delivered } from './story/as-delivered.ts';
import type { Story } from './story/story.ts';

/** The events that are shown. */
export interface Examples {
  /** The first of each type that the story has. */
  readonly byType: Readonly<Record<EventType, Delivered>>;
  /** A call that nobody took. */
  readonly missed: Delivered;
}

/** Picks the examples from the story. Throws where it lacks one. */
export const examples = ({ calls, agents }: Story): Examples => {
  const events = [...calls.events, ...agents.events].map(asDelivered);
  const first = (isMeant: (event: Delivered) => boolean): Delivered => {
    const found = events.find(isMeant);
    if (found === undefined) throw new Error('The story lacks an example');
    return found;
  };
  return {
    byType: mapValues(eventGuides, (_guide, type) => first((event) => event['detail-type'] === type)),
    missed: first(({ detail }) => JSON.stringify(detail['call'])?.includes('"status":"not-answered"') ?? false),
  };
};
