import { Envelope } from '../../lib/contract/envelope.ts';
import { type EventType, eventSchemas } from '../../lib/contract/event-schemas.ts';
import { eventGuides, narrowing, selecting } from './event-guides.ts';
import { fieldTable } from './field-table.ts';
import { jsonBlock, jsonLine } from './markdown.ts';
import { eventSchemaPath } from './schema-files.ts';
import type { Delivered } from './story/as-delivered.ts';

/** What the page says of one event. */
export const eventSection = (type: EventType, example: Delivered): string => {
  const { when, narrowed } = eventGuides[type];
  return [
    `### ${type}`,
    when,
    'A rule that takes them all:',
    jsonLine(selecting(type)),
    `One that takes only ${narrowed.to}:`,
    jsonLine(narrowing(type)),
    'The `detail`, beside [what every one has](#every-detail):',
    fieldTable(eventSchemas[type], Envelope),
    'As it is delivered:',
    jsonBlock(example),
    `JSON Schema: [${eventSchemaPath(type)}](${eventSchemaPath(type)})`,
  ].join('\n\n');
};
