import * as z from 'zod';
import { mapValues } from '../core/objects.ts';
import { field, text } from '../schema/field.ts';
import { agentEvents } from './agent-events.ts';
import { callEvents, eventSource } from './call-events.ts';
import { objectWithoutPersonal, type PersonalFields } from './personal-data.ts';

/** The detail of every event, by its `detail-type`. */
export const eventSchemas = { ...callEvents, ...agentEvents };

/** A `detail-type` of ours. */
export type EventType = keyof typeof eventSchemas;

/** Whether something is a `detail-type` of ours. */
export const isEventType = (type: unknown): type is EventType =>
  typeof type === 'string' && Object.hasOwn(eventSchemas, type);

/** What the details of events look like in a deployment that keeps or leaves out what is personal. */
export const eventSchemasFor = (personal: PersonalFields) =>
  mapValues(eventSchemas, (schema) => (personal === 'keep' ? schema : objectWithoutPersonal(schema)));

/** An event as a subscriber gets it from the bus, by its `detail-type` and the declaration of its detail. */
export const eventBridgeEvent = <Type extends EventType, Detail extends z.ZodObject>(type: Type, detail: Detail) =>
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

/** The drafts of JSON Schema in which the contract is told. */
export type JsonSchemaDraft = 'draft-04' | 'draft-2020-12';

/**
 * A declaration as JSON Schema. It is open at every depth, so that who checks with it takes what a later version says,
 * to which fields were added, and what others say beside it.
 */
export const openJsonSchema = (schema: z.ZodType, draft: JsonSchemaDraft) =>
  z.toJSONSchema(schema, {
    target: draft,
    override: ({ jsonSchema }) => {
      if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
    },
  });

/**
 * Every whole event as JSON Schema of draft 4, the newest that the registry of EventBridge knows. It is open, so that who
 * checks with it takes events of a later version, to which fields were added, and replayed ones, which name their replay.
 */
export const registrySchemas = (personal: PersonalFields): Readonly<Record<EventType, object>> =>
  mapValues(eventSchemasFor(personal), (detail, type) => openJsonSchema(eventBridgeEvent(type, detail), 'draft-04'));
