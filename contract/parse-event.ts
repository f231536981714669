import type * as z from 'zod';
import { Envelope, eventSource } from '../lib/contract/envelope.ts';
import { type EventType, eventSchemas, isEventType } from '../lib/contract/event-schemas.ts';
import { wholeEvent } from '../lib/contract/whole-event.ts';
import { mapValues } from '../lib/map-values.ts';
import type { CallfeedEvent } from './callfeed-event.ts';
import { type EventProblem, problemOf } from './event-problem.ts';
import { NotACallfeedEvent } from './not-a-callfeed-event.ts';

const schemas: Readonly<Record<EventType, z.ZodObject>> = mapValues(eventSchemas, (detail, type) =>
  wholeEvent(type, detail),
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
  if (isSound(event, problems)) return event;
  throw new NotACallfeedEvent(problems);
};

const isSound = (_event: unknown, problems: readonly EventProblem[]): _event is CallfeedEvent => problems.length === 0;

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
  return issues.filter(({ code }) => code !== 'unrecognized_keys').map((issue) => problemOf(schema, issue));
};

const schemaVersion = Envelope.schemaVersion.value;

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  value !== null && typeof value === 'object' && !Array.isArray(value);

const oneOf = (words: readonly string[]): string => `one of ${words.map((word) => `"${word}"`).join(', ')}`;
