import * as z from 'zod';
import { eventSource } from './envelope.ts';
import type { EventType } from './event-schemas.ts';
import { field, text } from './field.ts';

/** An event as a subscriber gets it from the bus, by its `detail-type` and the declaration of its detail. */
export const wholeEvent = <Type extends EventType, Detail extends z.ZodObject>(type: Type, detail: Detail) =>
  z
    .strictObject({
      version: field(text, 'The version of this envelope, EventBridge’s own.'),
      id: field(text, 'Names this delivery to the bus; `detail.id` is the one that a repeat has too.'),
      'detail-type': field(z.literal(type), 'What happened.'),
      source: field(z.literal(eventSource), 'Who tells it.'),
      account: field(text, 'The AWS account.'),
      time: field(z.iso.datetime(), 'When it was written to the table, in whole seconds.'),
      region: field(text, 'The AWS region.'),
      resources: field(z.array(z.string()), 'Always empty.'),
      detail,
    })
    .meta({ title: type });
