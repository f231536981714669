import { en } from 'zod/locales';
import * as z from 'zod/mini';
import { $ZodArray, $ZodObject } from 'zod/v4/core';
import { isObject, mapValues } from '../core/collections.ts';
import { Envelope, eventSource } from '../storage/event.ts';
import { unwrapped } from '../storage/field.ts';
import { type EventType, eventBridgeEvent, eventSchemas, isEventType } from './events.ts';

// zod/mini, with which functions start faster, contains no error messages. This adds the English ones, unless the program
// that uses the contract has chosen another language.
if (z.config().localeError === undefined) z.config(en());

/** What is wrong with an event, and where. It never holds a value, which may be personal. */
export interface EventProblem {
  /** A path such as `detail.call.status`; empty for the event itself. */
  readonly at: string;
  /** What is wrong, and what is allowed. */
  readonly problem: string;
}

/** Thrown for a value that is no event of this contract. Its message and problems hold no part of that value. */
export class NotACallfeedEvent extends Error {
  override readonly name = 'NotACallfeedEvent';
  /** Every problem, with its path. */
  readonly problems: readonly EventProblem[];

  constructor(problems: readonly EventProblem[]) {
    super(problems.map(({ at, problem }) => (at === '' ? problem : `${at}: ${problem}`)).join('; '));
    this.problems = problems;
  }
}

const schemas: Readonly<Record<EventType, z.ZodMiniObject>> = mapValues(eventSchemas, (detail, type) =>
  eventBridgeEvent(type, detail),
);

/**
 * Validates an event from EventBridge and types it. Fields that a later version adds are valid at any depth, and stay in
 * the event. Events without personal data are valid too. The event is not copied.
 *
 * In a message from SQS the event is the JSON in the record's `body`: parse that first.
 *
 * @throws {NotACallfeedEvent} for another source, another `schemaVersion`, a field that is missing or wrong, or an unknown
 * `detail-type`. Let your rules select the types that you handle.
 * @example
 * const event = parseEvent(JSON.parse(record.body));
 * if (event['detail-type'] === 'Call Summary Recorded') console.log(event.detail.call.status);
 */
export const parseEvent = (event: unknown): CallfeedEvent => {
  const problems = problemsOf(event);
  if (isValid(event, problems)) return event;
  throw new NotACallfeedEvent(problems);
};

const isValid = (_event: unknown, problems: readonly EventProblem[]): _event is CallfeedEvent => problems.length === 0;

/** Source, type and version come first: the fields of another kind of event would only be noise. */
const problemsOf = (event: unknown): readonly EventProblem[] => {
  if (!isObject(event))
    return [
      { at: '', problem: 'Expected an event from EventBridge (in a message from SQS: the parsed body of the record)' },
    ];
  if (event['source'] !== eventSource) return [{ at: 'source', problem: `Expected "${eventSource}"` }];

  const type = event['detail-type'];
  if (!isEventType(type)) return [{ at: 'detail-type', problem: `Expected ${oneOf(Object.keys(schemas))}` }];

  const version = isObject(event['detail']) ? event['detail']['schemaVersion'] : undefined;
  if (version !== undefined && version !== schemaVersion)
    return [
      { at: 'detail.schemaVersion', problem: `Expected ${schemaVersion}, the version that this contract defines` },
    ];

  const schema = schemas[type];
  const issues = schema.safeParse(event).error?.issues ?? [];
  return issues
    .filter(({ code }) => code !== 'unrecognized_keys')
    .map(({ path, message }) => ({ at: pathOf(schema, path), problem: message }));
};

const pathOf = (schema: z.core.$ZodType, path: readonly PropertyKey[]): string => {
  let within: z.core.$ZodType | undefined = schema;
  const keys = path.map((key) => {
    within = within && unwrapped(within);
    const isDeclared = within instanceof $ZodObject || within instanceof $ZodArray;
    within = isDeclared ? childSchema(within, key) : undefined;
    // The name of an undeclared field is the sender's own, and may hold any text.
    return isDeclared ? String(key) : '*';
  });
  return keys.join('.');
};

const childSchema = (schema: z.core.$ZodType | undefined, key: PropertyKey): z.core.$ZodType | undefined => {
  if (schema instanceof $ZodArray) return schema._zod.def.element;
  return schema instanceof $ZodObject ? schema._zod.def.shape[String(key)] : undefined;
};

const schemaVersion = Envelope.schemaVersion.def.values[0];

const oneOf = (words: readonly string[]): string => `one of ${words.map((word) => `"${word}"`).join(', ')}`;

/**
 * The whole event of a `detail-type`, as a subscriber receives it.
 * @example type Missed = EventOf<'Call Summary Recorded'>
 */
export type EventOf<Type extends EventType> = z.infer<
  ReturnType<typeof eventBridgeEvent<Type, (typeof eventSchemas)[Type]>>
>;

/**
 * Any event of Callfeed, discriminated by its `detail-type`.
 *
 * Delivery is at least once, and every repeat of an event has the same `detail.id`. A subscriber that must not handle an
 * event twice stores the ids that it has handled (a conditional write is enough), and skips those.
 */
export type CallfeedEvent = { [Type in EventType]: EventOf<Type> }[EventType];
