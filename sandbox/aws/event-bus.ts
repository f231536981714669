import { randomUUID } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { appendFileSync, readFileSync } from 'node:fs';
import * as z from 'zod';
import { compare } from '../../lib/core/collections.ts';
import { tryParseJson } from '../../lib/core/json.ts';
import { type AwsJson, awsJson, failure, operation, result } from '../frame/aws-json.ts';
import { type FaultBoard, withFaults } from '../frame/faults.ts';
import { localAccount, localRegion } from '../frame/local-aws.ts';
import type { Handle } from '../frame/serve.ts';

/** A request succeeds as a whole while single entries fail. The rate of the fault `throttle` is of entries. */
export const busEndpoint = (
  { name, onEvents }: { readonly name: string; readonly onEvents: (events: readonly DeliveredEvent[]) => void },
  board: Pick<FaultBoard, 'draw' | 'untilLifted'>,
): Handle => {
  const outcomeOf = (entry: PutEventsEntry): DeliveredEvent | EntryProblem =>
    board.draw('eventbridge') === 'throttle' ? throttled : toEnvelope(entry, name, new Date());

  const putEvents = operation(eventBridge, z.object({ Entries: z.array(PutEventsEntry) }), ({ Entries }) => {
    if (Entries.length < 1 || Entries.length > 10) return validationFailure('A request must have 1 to 10 entries.');
    const bytes = Entries.reduce((sum, entry) => sum + entryBytes(entry), 0);
    if (bytes > limitBytes) return validationFailure('Total size of the entries in the request is over the limit.');

    const outcomes = Entries.map(outcomeOf);
    const events = outcomes.flatMap((outcome) => ('id' in outcome ? [outcome] : []));
    if (events.length > 0) onEvents(events);

    return result(eventBridge, {
      FailedEntryCount: outcomes.length - events.length,
      Entries: outcomes.map((outcome) => ('id' in outcome ? { EventId: outcome.id } : outcome)),
    });
  });

  return withFaults(board, 'eventbridge', { error: internalError }, awsJson(eventBridge, { PutEvents: putEvents }));
};

const eventBridge: AwsJson = { version: '1.1', service: 'AWSEvents', namespace: 'com.amazonaws.events' };
const validationFailure = (message: string) => failure(eventBridge, 400, 'ValidationException', message);

const throttled: EntryProblem = { ErrorCode: 'ThrottlingException', ErrorMessage: 'Rate exceeded' };
const internalError = failure(eventBridge, 500, 'InternalException', 'An internal error occurred.');

/** An entry of a request. All fields are optional, as EventBridge rejects incomplete entries one by one. `Time` is in seconds. */
const PutEventsEntry = z.object({
  Source: z.string().optional(),
  DetailType: z.string().optional(),
  Detail: z.string().optional(),
  EventBusName: z.string().optional(),
  Resources: z.array(z.string()).default([]),
  Time: z.number().optional(),
});
export type PutEventsEntry = z.infer<typeof PutEventsEntry>;

interface EntryProblem {
  readonly ErrorCode: string;
  readonly ErrorMessage: string;
}

const parseDetail = (detail: string): DeliveredEvent['detail'] | undefined =>
  z.record(z.string(), z.unknown()).safeParse(tryParseJson(detail)).data;

export const toEnvelope = (entry: PutEventsEntry, busName: string, now: Date): DeliveredEvent | EntryProblem => {
  const { Source, DetailType, Detail, EventBusName = 'default', Resources, Time } = entry;
  if (!Source) return invalid('Parameter Source is not valid. Reason: Source is a required argument.');
  if (!DetailType) return invalid('Parameter DetailType is not valid. Reason: DetailType is a required argument.');
  if (Detail === undefined) return invalid('Parameter Detail is not valid. Reason: Detail is a required argument.');
  if (Source.startsWith('aws.'))
    return { ErrorCode: 'NotAuthorizedForSourceException', ErrorMessage: `Not authorized for the source ${Source}.` };
  if (EventBusName.slice(EventBusName.lastIndexOf('/') + 1) !== busName)
    return { ErrorCode: 'ResourceNotFoundException', ErrorMessage: `Event bus ${EventBusName} does not exist.` };

  const detail = parseDetail(Detail);
  if (detail === undefined) return { ErrorCode: 'MalformedDetail', ErrorMessage: 'Detail is malformed.' };

  return {
    version: '0',
    id: randomUUID(),
    'detail-type': DetailType,
    source: Source,
    account: localAccount,
    time: `${new Date(Time === undefined ? now : Time * 1000).toISOString().slice(0, 19)}Z`,
    region: localRegion,
    resources: Resources,
    detail,
  };
};

const entryBytes = ({ Time, Source, DetailType, Detail, Resources }: PutEventsEntry): number =>
  (Time === undefined ? 0 : 14) +
  [Source, DetailType, Detail, ...Resources].reduce((sum, text) => sum + bytes(text), 0);

const invalid = (ErrorMessage: string): EntryProblem => ({ ErrorCode: 'InvalidArgument', ErrorMessage });

const limitBytes = 256 * 1024;

const bytes = (text = ''): number => Buffer.byteLength(text);

export const DeliveredEvent = z.object({
  version: z.literal('0'),
  id: z.string(),
  'detail-type': z.string(),
  source: z.string(),
  account: z.string(),
  time: z.string(),
  region: z.string(),
  resources: z.array(z.string()),
  detail: z.record(z.string(), z.unknown()),
});
export type DeliveredEvent = z.infer<typeof DeliveredEvent>;

/**
 * The events so far, in the order in which they came or in that of their time, and those who follow. A file may hold the events of
 * days, so it is read on demand.
 */
export const createEventLog = (file?: string, { byTime = false } = {}) => {
  const inMemory: string[] = [];
  const appended = new EventEmitter().setMaxListeners(0);
  // The last line is incomplete if the machine stopped during the write. The next line must not be appended to it.
  if (file !== undefined) appendFileSync(file, '\n');
  const inOrder = (): readonly string[] =>
    file === undefined ? inMemory : readFileSync(file, 'utf8').split('\n').filter(isEvent);
  const lines = byTime ? () => sortedByTime(inOrder()) : inOrder;
  let count = lines().length;

  return {
    append(events: readonly DeliveredEvent[]) {
      const added = events.map((event) => JSON.stringify(event));
      if (file === undefined) inMemory.push(...added);
      else appendFileSync(file, added.map((line) => `${line}\n`).join(''));
      count += added.length;
      for (const [index, line] of added.entries()) appended.emit('line', line, events[index]);
    },
    count: () => count,
    lines,
    follow(listener: (line: string, event: DeliveredEvent) => void) {
      appended.on('line', listener);
      return (): void => {
        appended.off('line', listener);
      };
    },
  };
};

export type EventLog = ReturnType<typeof createEventLog>;

const sortedByTime = (lines: readonly string[]): readonly string[] =>
  lines
    .map((line) => ({ line, time: DeliveredEvent.parse(tryParseJson(line)).time }))
    .toSorted((one, later) => compare(one.time, later.time))
    .map(({ line }) => line);

const isEvent = (line: string): boolean => DeliveredEvent.safeParse(tryParseJson(line)).success;
