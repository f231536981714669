import type * as z from 'zod';
import type { EventType, eventSchemas } from '../lib/contract/event-schemas.ts';
import type { wholeEvent } from '../lib/contract/whole-event.ts';

/**
 * The whole event of a `detail-type`, as EventBridge hands it to a subscriber.
 * @example type Missed = EventOf<'Call Summary Recorded'>
 */
export type EventOf<Type extends EventType> = z.infer<ReturnType<typeof wholeEvent<Type, (typeof eventSchemas)[Type]>>>;

/**
 * Any event of Callfeed, told apart by its `detail-type`.
 *
 * `detail.id` is the same for every repeat of an event: delivery is at least once, so a subscriber for whom twice is too
 * often keeps the ids that it has dealt with (a conditional write is enough), and passes over what it knows.
 */
export type CallfeedEvent = { [Type in EventType]: EventOf<Type> }[EventType];
