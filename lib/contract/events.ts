import * as z from 'zod/mini';
import { keysOf, mapValues } from '../core/collections.ts';
import { type EventGuide, eventGuides, eventSource } from '../storage/event.ts';
import { field, nonEmpty, withInner } from '../storage/field.ts';
import type { PersonalFields } from '../storage/rows.ts';
import { agentEvents } from './agent-events.ts';
import { callEvents } from './call-events.ts';
import { featureEvents } from './features.ts';

/** The detail of every event, by its `detail-type`. */
export const eventSchemas = { ...callEvents, ...featureEvents, ...agentEvents };

/** A `detail-type` of Callfeed. */
export type EventType = keyof typeof eventSchemas;

export type DetailOf<Type extends EventType> = z.infer<(typeof eventSchemas)[Type]>;

export const isEventType = (type: unknown): type is EventType =>
  typeof type === 'string' && Object.hasOwn(eventSchemas, type);

export const eventTypes: readonly EventType[] = keysOf(eventSchemas);

export const guideOf = (type: EventType): EventGuide => {
  const guide = eventGuides.get(eventSchemas[type]);
  if (guide === undefined) throw new Error(`The event ${type} has no guide`);
  return guide;
};

/** The schemas of details, with or without personal fields, as the deployment is configured. */
export const eventSchemasFor = (personal: PersonalFields) =>
  mapValues(eventSchemas, (schema) => (personal === 'keep' ? schema : objectWithoutPersonal(schema)));

/** The schema of a whole event as a subscriber receives it, by its `detail-type` and the schema of its detail. */
export const eventBridgeEvent = <Type extends EventType, Detail extends z.ZodMiniObject>(type: Type, detail: Detail) =>
  z
    .strictObject({
      version: field(nonEmpty, 'The version of EventBridge’s envelope.'),
      id: field(nonEmpty, 'The id of this entry on the bus. A repeat has another one, and the same `detail.id`.'),
      'detail-type': field(z.literal(type), 'The type of the event.'),
      source: field(z.literal(eventSource), 'The publisher of the event.'),
      account: field(nonEmpty, 'The AWS account.'),
      time: field(z.iso.datetime(), 'When the change was written to the table, in whole seconds.'),
      region: field(nonEmpty, 'The AWS region.'),
      resources: field(z.array(z.string()), 'Always empty.'),
      detail,
    })
    .register(z.globalRegistry, { title: type });

/**
 * A schema as JSON Schema. It is open at every depth: a validator that uses it accepts the fields that a later version
 * adds.
 */
export const openJsonSchema = (schema: z.core.$ZodType, draft: 'draft-04' | 'draft-2020-12') =>
  z.toJSONSchema(schema, {
    target: draft,
    override: ({ jsonSchema }) => {
      if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
    },
  });

/**
 * Every whole event as JSON Schema of draft 4, the newest that EventBridge's registry supports. It is open, so a validator
 * accepts the fields that a later version adds, and EventBridge's `replay-name` in the events of an archive.
 */
export const registrySchemas = (personal: PersonalFields): Readonly<Record<EventType, object>> =>
  mapValues(eventSchemasFor(personal), (detail, type) => openJsonSchema(eventBridgeEvent(type, detail), 'draft-04'));

/** An object's schema without the fields that are declared personal, at any depth. */
export const objectWithoutPersonal = (schema: z.ZodMiniObject): z.ZodMiniObject =>
  withInner(schema, withoutPersonal) ?? schema;

/** The schema without its personal parts, or undefined if nothing is left: a list of personal values is personal itself. */
const withoutPersonal = (schema: z.core.$ZodType): z.core.$ZodType | undefined =>
  z.globalRegistry.get(schema)?.['personal'] === true ? undefined : withInner(schema, withoutPersonal);
