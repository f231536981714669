import { type EventType, eventSchemas } from '../../lib/contract/event-schemas.ts';

const isEventType = (name: string): name is EventType => Object.hasOwn(eventSchemas, name);

/** Every `detail-type`, in the order of the page. */
export const eventTypes: readonly EventType[] = Object.keys(eventSchemas).filter(isEventType);
