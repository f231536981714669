import * as z from 'zod';
import { tryParseJson } from '../../lib/core/json.ts';

/** Names the row of a call or participant. */
export interface RecordName {
  readonly account: string;
  readonly callId: string;
  readonly participantId?: string | undefined;
}

/** The revisions for which there is an event, by the record that they are of. */
export interface PublishedRevisions {
  readonly has: (record: RecordName, revision: number) => boolean;
  /** How many events of calls and participants there were, repeats included. */
  readonly events: number;
  /** Lines in which no event was found. */
  readonly otherLines: number;
}

const Detail = z.object({
  account: z.string(),
  callId: z.string(),
  participantId: z.string().optional(),
  revision: z.int().positive(),
});

/** Text in which subscribers and AWS wrap an event: a message of SQS or SNS, and an entry of CloudWatch Logs. */
const Wrapped = z.union([
  z.object({ body: z.string() }).transform(({ body }) => body),
  z.object({ Body: z.string() }).transform(({ Body }) => Body),
  z.object({ Message: z.string() }).transform(({ Message }) => Message),
  z.object({ message: z.string() }).transform(({ message }) => message),
]);

/** A log may wrap an event in an entry, and that in a message. */
const maxWraps = 3;

/**
 * The event's detail in a line, or undefined if there is none: the event as “callfeed events --json” prints it, or its detail
 * alone. Either may be in a message or a log entry, after a text that a log puts before it.
 */
const detailIn = (line: string, wraps = 0): unknown => {
  const value = tryParseJson(line.slice(Math.max(0, line.indexOf('{'))));
  const event = z.object({ detail: z.looseObject({}) }).safeParse(value);
  if (event.success) return event.data.detail;
  const wrapped = Wrapped.safeParse(value);
  return wrapped.success && wraps < maxWraps ? detailIn(wrapped.data, wraps + 1) : value;
};

const keyOf = ({ account, callId, participantId }: RecordName, revision: number): string =>
  JSON.stringify([account, callId, participantId ?? null, revision]);

/** Reads lines with events. Events of agents have no revision of a call and are passed over. */
export const readRevisions = async (
  lines: AsyncIterable<string>,
  onProgress: (lines: number) => void,
): Promise<PublishedRevisions> => {
  const found = new Set<string>();
  let [read, events, otherLines] = [0, 0, 0];
  for await (const line of lines) {
    read += 1;
    onProgress(read);
    if (line.trim() === '') continue;
    const value = detailIn(line);
    const detail = Detail.safeParse(value);
    if (detail.success) {
      events += 1;
      found.add(keyOf(detail.data, detail.data.revision));
    } else if (!isOtherEvent(value)) otherLines += 1;
  }
  return { has: (record, revision) => found.has(keyOf(record, revision)), events, otherLines };
};

const isOtherEvent = (value: unknown): boolean =>
  z.object({ schemaVersion: z.number(), account: z.string() }).safeParse(value).success;
