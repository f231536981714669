import * as z from 'zod';
import { tryParseJson } from '../lib/core/json.ts';
import type { Envelope } from './event-bus.ts';

/** Called with one line for the user. The line holds counts of a payload, never its values. */
export type OnLogLine = (line: string) => void;

export type ConsoleLog = ReturnType<typeof createConsoleLog>;

/** The events of one poll arrive in several batches, and are shown in one line. */
const pollMs = 1_000;

export const createConsoleLog = (onLog: OnLogLine = () => undefined, now: () => Date = () => new Date()) => {
  const line = (subject: string, text: string): void =>
    onLog(`${now().toTimeString().slice(0, 8)}  ${subject.padEnd(9)} ${text}`.trimEnd());
  const createOutage = (subject: string) => outageOf((text) => line(subject, text), now);
  const publishing = createOutage('event');
  const [recovering, givingUp] = [createOutage('recovery'), createOutage('recovery')];
  let ofAgents: readonly Envelope[] = [];
  let timer: NodeJS.Timeout | undefined;
  const flush = (): void => {
    clearTimeout(timer);
    if (ofAgents.length > 0) line('agents', agentsLine(ofAgents));
    ofAgents = [];
  };

  return {
    line,
    note: (text: string) => line('sandbox', text),
    callback: (method: string, status: number, reply: string) =>
      line('callback', `${method} ${status}  ${status === 500 ? functionFailedText : summariseReply(reply)}`),
    events(events: readonly Envelope[]) {
      publishing.ended('changes are published again');
      const { agent = [], found = [], other = [] } = Object.groupBy(events, subjectOf);
      if (found.length > 0)
        line('found', `${found.length} ${found.length === 1 ? 'call' : 'calls'} by the call report`);
      for (const text of countedTexts(other.map(describeEvent))) line('event', text);
      if (ofAgents.length === 0 && agent.length > 0) timer = setTimeout(flush, pollMs);
      ofAgents = [...ofAgents, ...agent];
    },
    flush,
    publishRetry: (records: number) => publishing.failed(`${records} changes not published; they are retried`),
    /** For what succeeds or fails as a whole: the returned function gets the number of failures. */
    outage(subject: string, failedText: string, endedText: string) {
      const outage = createOutage(subject);
      return (failed: number): void => (failed > 0 ? outage.failed(failedText) : outage.ended(endedText));
    },
    recovered(failed: number, waiting: number) {
      if (failed > 0) recovering.failed(`${waiting} parked; each is retried every 2 seconds (in AWS every 6 minutes)`);
      else if (waiting === 0) recovering.ended('the parking queue is empty');
    },
    deadLetter: (all: number) =>
      givingUp.seldom(`${all} in the dead-letter queue; npx callfeed dead-letters list parked lists them`),
  };
};

const quietMs = 30_000;

/** One line when it begins to fail and one when it works again, at most every half minute: retries come every second or two. */
const outageOf = (write: (text: string) => void, now: () => Date) => {
  let failures = 0;
  let isLogged = false;
  let loggedAt = Number.NEGATIVE_INFINITY;
  const seldom = (text: string): boolean => {
    const at = now().getTime();
    if (at < loggedAt + quietMs) return false;
    loggedAt = at;
    write(text);
    return true;
  };

  return {
    seldom,
    failed(text: string) {
      failures += 1;
      isLogged ||= seldom(text);
    },
    ended(text: string) {
      if (isLogged) write(failures === 1 ? text : `${text}, after ${failures} failed attempts`);
      isLogged = false;
      failures = 0;
    },
  };
};

const functionFailedText = 'the function failed; --verbose shows its log';

const count = z.number().catch(0);
/** The pattern admits nothing that comes from the post. */
const reason = z
  .string()
  .regex(/^[a-z-]{1,30}$/)
  .optional()
  .catch(undefined);
const Reply = z.object({ reason, stored: count, duplicates: count, quarantined: count, parked: count });

const summariseReply = (reply: string): string => {
  const { reason, ...counts } = Reply.safeParse(tryParseJson(reply)).data ?? {};
  const nonZero = Object.entries(counts).flatMap(([name, number]) => (number > 0 ? [`${number} ${name}`] : []));
  return [...(reason === undefined ? [] : [reason]), ...nonZero].join(', ');
};

/** A found call is the first event of a call that the call report has and no callback named. */
const subjectOf = ({ 'detail-type': type, detail }: Envelope): 'agent' | 'found' | 'other' => {
  if (type === 'Agent State Changed' || Object.hasOwn(counted, type)) return 'agent';
  return type === 'Call Summary Recorded' && detail['source'] === 'report' ? 'found' : 'other';
};

const describeEvent = ({ 'detail-type': type, detail }: Envelope): string => {
  const { data } = reason.safeParse(detail['reason']);
  return data === undefined ? type : `${type}: ${data}`;
};

const counted = {
  'Agent Logged In': 'logged in',
  'Agent Logged Out': 'logged out',
  'Agent Details Changed': 'with other details',
} as const;

/** A summary without personal data, such as `2 logged in, ready→in-call x3, in-call→acw`. */
const agentsLine = (events: readonly Envelope[]): string => {
  const ofType = (type: string) => events.filter((event) => event['detail-type'] === type);
  const comings = Object.entries(counted).flatMap(([type, text]) => {
    const { length } = ofType(type);
    return length === 0 ? [] : [`${length} ${text}`];
  });
  const moves = ofType('Agent State Changed').map(({ detail }) => {
    const { previous, current } = Detail.parse(detail);
    return `${previous?.state ?? 'other'}→${current?.state ?? 'other'}`;
  });
  return [...comings, ...countedTexts(moves)].join(', ');
};

/** Callfeed's own state names hold nothing personal. Any other text is replaced. */
const State = z.object({
  state: z
    .string()
    .regex(/^[a-z-]{1,20}$/)
    .catch('other'),
});
const Detail = z.object({ previous: State.optional(), current: State.optional() }).catch({});

/** Each text once, the most frequent first, with its count if that is above 1, such as ` x3`. */
const countedTexts = (texts: readonly string[]): readonly string[] =>
  [...Map.groupBy(texts, String)]
    .sort(([, some], [, others]) => others.length - some.length)
    .map(([text, { length }]) => (length === 1 ? text : `${text} x${length}`));

const none = {
  ...{ events: 0, publishRetries: 0, parked: 0, recovered: 0, recoveryRetries: 0, deadLetters: 0 },
  ...{ ticks: 0, ticksProcessed: 0, ticksRetried: 0 },
};

export type Counters = ReturnType<typeof createCounters>;

/** Counts since the start; features add their own. Callbacks are counted by the HTTP status of their reply. */
export const createCounters = () => {
  const callbacks: Record<string, number> = {};
  const counts: typeof none & Record<string, number> = { ...none };

  return {
    countCallback(status: number) {
      callbacks[status] = (callbacks[status] ?? 0) + 1;
    },
    add(what: string, count: number) {
      counts[what] = (counts[what] ?? 0) + count;
    },
    counts: () => ({ callbacks: { ...callbacks }, ...counts }),
  };
};
