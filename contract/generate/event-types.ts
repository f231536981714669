import { type EventType, eventSchemas, isEventType } from '../../lib/contract/event-schemas.ts';

/** Every `detail-type`, in the order of the page. */
export const eventTypes: readonly EventType[] = Object.keys(eventSchemas).filter(isEventType);
