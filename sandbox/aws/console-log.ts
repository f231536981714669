import * as z from 'zod';
import { tryParseJson } from '../../lib/core/json.ts';
import type { DeliveredEvent } from './event-bus.ts';

/** Called with one line for the user. The line holds counts of a payload, never its values. */
export type OnLogLine = (line: string) => void;

export type ConsoleLog = ReturnType<typeof createConsoleLog>;

/** The events of one poll or callback arrive in several batches, and are shown in one line. */
const collectMs = 1_000;

export const createConsoleLog = (onLog: OnLogLine = () => undefined, now: () => Date = () => new Date()) => {
  const line = (subject: string, text: string): void =>
    onLog(`${now().toTimeString().slice(0, 8)}  ${subject.padEnd(9)} ${text}`.trimEnd());
  /** For what succeeds or fails as a whole: the returned function gets the number of failures. */
  const outage = (subject: string, failedText: string, endedText: string) => {
    const print = atMostOften(subject, failedText);
    return outageOf(print, () => line(subject, endedText));
  };
  /** The returned function prints a line, at most every half minute, and answers whether it did. */
  const atMostOften = (subject: string, text: string) => {
    let loggedAt = Number.NEGATIVE_INFINITY;
    return (): boolean => {
      if (now().getTime() < loggedAt + quietMs) return false;
      loggedAt = now().getTime();
      line(subject, text);
      return true;
    };
  };
  const publishing = outage('event', 'changes are not published; they are retried', 'changes are published again');
  let collected: readonly string[] = [];
  let timer: NodeJS.Timeout | undefined;
  const flush = (): void => {
    clearTimeout(timer);
    if (collected.length > 0) line('event', countedTexts(collected));
    collected = [];
  };
  const note = (text: string): void => line('sandbox', text);
  const notedOnce = new Set<string>();
  const noteOnce = (text: string): void => {
    if (!notedOnce.has(text)) note(text);
    notedOnce.add(text);
  };

  return {
    line,
    note,
    callback(method: string, status: number, reply: string) {
      const { reason, ...counts } = readReply(reply);
      line('callback', `${method} ${status}  ${status === 500 ? functionFailedText : replyText(reason, counts)}`);
      if (status === 503) noteOnce(unavailableText);
      if (counts.parked > 0) noteOnce(parkedText);
    },
    events(events: readonly DeliveredEvent[]) {
      publishing(0);
      if (collected.length === 0) timer = setTimeout(flush, collectMs);
      collected = [...collected, ...events.map(describeEvent)];
    },
    flush,
    outage,
    atMostOften,
    publishing,
  };
};

const quietMs = 30_000;

/** One line when it begins to fail and one when it works again, at most every half minute: retries come every second or two. */
const outageOf = (begin: () => boolean, end: () => void) => {
  let isLogged = false;

  return (failed: number): void => {
    if (failed === 0 && isLogged) end();
    isLogged = failed > 0 && (isLogged || begin());
  };
};

const functionFailedText = 'the function failed; --verbose shows its log';

/** Both also happen without a fault: to the first callbacks on a busy machine. */
const when = 'as under a fault, or while functions warm up on a busy machine';
const parkedText = `parked: the table failed or was late, ${when}; parked calls are stored within seconds of its return`;
const unavailableText = `503: the post could not be stored in time, ${when}; its sender posts it again`;

const count = z.number().catch(0);
/** The pattern admits nothing that comes from the post. */
const reason = z
  .string()
  .regex(/^[a-z-]{1,30}$/)
  .optional()
  .catch(undefined);
const Reply = z
  .object({ reason, stored: count, duplicates: count, quarantined: count, parked: count })
  .catch({ reason: undefined, stored: 0, duplicates: 0, quarantined: 0, parked: 0 });

const readReply = (reply: string) => Reply.parse(tryParseJson(reply) ?? {});

const replyText = (reason: string | undefined, counts: Readonly<Record<string, number>>): string => {
  const nonZero = Object.entries(counts).flatMap(([name, number]) => (number > 0 ? [`${number} ${name}`] : []));
  return [...(reason === undefined ? [] : [reason]), ...nonZero].join(', ');
};

const describeEvent = ({ 'detail-type': type, detail }: DeliveredEvent): string => {
  // No callback named this call: its first event comes from the call report.
  if (type === 'Call Summary Recorded' && detail['source'] === 'report') return `${type}: found in the call report`;
  const { data } = reason.safeParse(detail['reason']);
  return data === undefined ? type : `${type}: ${data}`;
};

/** Each text once, the most frequent first, with its count if that is above 1, such as ` x3`. */
const countedTexts = (texts: readonly string[]): string =>
  [...Map.groupBy(texts, String)]
    .sort(([, some], [, others]) => others.length - some.length)
    .map(([text, { length }]) => (length === 1 ? text : `${text} x${length}`))
    .join(', ');
