import { eventSource } from '../../lib/contract/envelope.ts';
import type { EventType } from '../../lib/contract/event-schemas.ts';
import { eventGuides } from './event-guides.ts';
import { eventTypes } from './event-types.ts';
import type { Examples } from './examples.ts';
import { eventSchemaPath, schemaName } from './schema-files.ts';

/** JSON Schema of another draft than AsyncAPI's own. */
const schemaFormat = 'application/schema+json;version=draft-2020-12';

const reference = ($ref: string) => ({ $ref });

/** An object with an entry for each event. */
const forEachEvent = <Value>(make: (type: EventType) => Value): Readonly<Record<string, Value>> =>
  Object.fromEntries(eventTypes.map((type) => [schemaName(type), make(type)]));

/** The events as an AsyncAPI 3.0 document: one channel, the bus, on which Callfeed sends; subscribers have rules on it. */
export const asyncApi = ({ byType }: Examples) => ({
  asyncapi: '3.0.0',
  info: {
    title: 'Callfeed',
    version: '1.0.0',
    description:
      'Calls and agents of a contact centre, as events on EventBridge. Delivery is at least once; `detail.id` is the same ' +
      'for a repeat. Within `schemaVersion` 1 fields and detail types are only added.',
    license: { name: 'MIT' },
  },
  defaultContentType: 'application/json',
  channels: {
    bus: {
      address: eventSource,
      title: 'Event bus',
      description: `The bus that the stack names in its output BusName. The source of every event is \`${eventSource}\`.`,
      messages: forEachEvent((type) => reference(`#/components/messages/${schemaName(type)}`)),
    },
  },
  operations: {
    publish: {
      action: 'send',
      title: 'Callfeed tells what happened',
      channel: reference('#/channels/bus'),
      messages: eventTypes.map((type) => reference(`#/channels/bus/messages/${schemaName(type)}`)),
    },
  },
  components: {
    messages: forEachEvent((type) => ({
      name: type,
      title: type,
      summary: eventGuides[type].when,
      contentType: 'application/json',
      payload: { schemaFormat, schema: reference(`./${eventSchemaPath(type)}`) },
      examples: [{ name: schemaName(type), payload: byType[type] }],
    })),
  },
});
