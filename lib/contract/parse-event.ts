import * as z from 'zod';
import { mapValues } from '../core/objects.ts';
import { Envelope, eventSource } from './call-events.ts';
import { type EventType, eventBridgeEvent, eventSchemas, isEventType } from './events.ts';

/** What is wrong with an event, and where; never a value, as it may be a person's. */
export interface EventProblem {
  /** As in `detail.call.status`; empty for the event itself. */
  readonly at: string;
  /** What is wrong, and what is allowed. */
  readonly problem: string;
}

/** What zod complains of, told by its place in the declaration. */
const eventProblem = (schema: z.ZodType, { path, message }: z.core.$ZodIssue): EventProblem => ({
  at: pathOf(schema, path),
  problem: message,
});

const pathOf = (schema: z.ZodType, path: readonly PropertyKey[]): string => {
  let within: z.core.$ZodType | undefined = schema;
  const steps = path.map((step) => {
    within = within && unwrapped(within);
    const isDeclared = within instanceof z.ZodObject || within instanceof z.ZodArray;
    within = isDeclared ? childSchema(within, step) : undefined;
    // The name of something that nobody declared is the sender's own, and may say anything.
    return isDeclared ? String(step) : '*';
  });
  return steps.join('.');
};

const unwrapped = (schema: z.core.$ZodType): z.core.$ZodType =>
  schema instanceof z.ZodOptional || schema instanceof z.ZodReadonly ? unwrapped(schema.unwrap()) : schema;

const childSchema = (schema: z.core.$ZodType | undefined, step: PropertyKey): z.core.$ZodType | undefined => {
  if (schema instanceof z.ZodArray) return schema.element;
  return schema instanceof z.ZodObject ? schema.shape[String(step)] : undefined;
};

/** Thrown for what is no event of this contract. Message and problems hold no value of what was given. */
export class NotACallfeedEvent extends Error {
  override readonly name = 'NotACallfeedEvent';
  /** Everything that is wrong, each with its place. */
  readonly problems: readonly EventProblem[];

  constructor(problems: readonly EventProblem[]) {
    super(problems.map(({ at, problem }) => (at === '' ? problem : `${at}: ${problem}`)).join('; '));
    this.problems = problems;
  }
}

const schemas: Readonly<Record<EventType, z.ZodObject>> = mapValues(eventSchemas, (detail, type) =>
  eventBridgeEvent(type, detail),
);

/**
 * Checks an event as EventBridge hands it over, and types it. Fields that a later version added are no fault, at any
 * depth, and stay; nor does it matter whether the deployment leaves out what is personal. The event is not copied.
 *
 * From a queue the event is the JSON in a record's `body`: parse that first.
 *
 * @throws {NotACallfeedEvent} for anything else: another source, an unknown `detail-type` (have rules select those that
 * you handle), another `schemaVersion`, a field that is missing or wrong.
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

/** What is wrong first: there is no use in telling the fields that another kind of event lacks. */
const problemsOf = (event: unknown): readonly EventProblem[] => {
  if (!isObject(event))
    return [
      { at: '', problem: 'Expected an event as EventBridge hands it over (in a record of SQS: its body, parsed)' },
    ];
  if (event['source'] !== eventSource) return [{ at: 'source', problem: `Expected "${eventSource}"` }];

  const type = event['detail-type'];
  if (!isEventType(type)) return [{ at: 'detail-type', problem: `Expected ${oneOf(Object.keys(schemas))}` }];

  const version = isObject(event['detail']) ? event['detail']['schemaVersion'] : undefined;
  if (version !== undefined && version !== schemaVersion)
    return [{ at: 'detail.schemaVersion', problem: `Expected ${schemaVersion}, the version that is known here` }];

  const schema = schemas[type];
  const issues = schema.safeParse(event).error?.issues ?? [];
  return issues.filter(({ code }) => code !== 'unrecognized_keys').map((issue) => eventProblem(schema, issue));
};

const schemaVersion = Envelope.schemaVersion.value;

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  value !== null && typeof value === 'object' && !Array.isArray(value);

const oneOf = (words: readonly string[]): string => `one of ${words.map((word) => `"${word}"`).join(', ')}`;

/**
 * The whole event of a `detail-type`, as EventBridge hands it to a subscriber.
 * @example type Missed = EventOf<'Call Summary Recorded'>
 */
export type EventOf<Type extends EventType> = z.infer<
  ReturnType<typeof eventBridgeEvent<Type, (typeof eventSchemas)[Type]>>
>;

/**
 * Any event of Callfeed, told apart by its `detail-type`.
 *
 * `detail.id` is the same for every repeat of an event: delivery is at least once, so a subscriber for whom twice is too
 * often keeps the ids that it has dealt with (a conditional write is enough), and passes over what it knows.
 */
export type CallfeedEvent = { [Type in EventType]: EventOf<Type> }[EventType];
