import * as z from 'zod';
import { tryParseJson } from '../lib/core/json.ts';
import type { Envelope } from './bus/event-log.ts';
import { affectedBy, type Fault, type FaultName } from './faults.ts';
import type { TrafficRules } from './simulator/traffic.ts';

/** Called with one line for the user. The line holds counts of a payload, never its values. */
export type OnLogLine = (line: string) => void;

export type ConsoleLog = ReturnType<typeof createConsoleLog>;

/** Writes one line for each thing that happens: the time, the subject and the outcome. */
export const createConsoleLog = (onLog: OnLogLine, now: () => Date = () => new Date()) => {
  const log = (subject: string, text: string): void =>
    onLog(`${now().toTimeString().slice(0, 8)}  ${subject.padEnd(9)} ${text}`.trimEnd());
  const seldom = (subject: string) =>
    createSeldom(
      (text) => log(subject, text),
      () => now().getTime(),
    );
  const outage = (subject: string) => createOutage((text) => log(subject, text), seldom(subject));
  const publishing = outage('event');
  const polling = outage('agents');
  const reconciling = outage('report');
  const forwarding = outage('forward');
  const recovering = outage('recovery');
  const givingUp = seldom('recovery');

  return {
    callback: (method: string, status: number, reply: string) =>
      log('callback', `${method} ${status}  ${status === 500 ? functionFailedText : summariseReply(reply)}`),
    events(events: readonly Envelope[]) {
      publishing.ended('changes are published again');
      const found = events.filter(isFoundCall);
      if (found.length > 0) log('found', `${found.length} ${found.length === 1 ? 'call' : 'calls'} by the call report`);
      const others = events.filter((event) => !isFoundCall(event));
      for (const text of countedTexts(others.map(describeEvent))) log('event', text);
    },
    publishRetry: (records: number) => publishing.failed(`${records} changes not published; they are retried`),
    agents: (events: readonly Envelope[]) => log('agents', agentsLine(events)),
    scripted: (steps: number) => log('agents', `scripted: ${steps} ${steps === 1 ? 'step' : 'steps'}`),
    polled: (failed: boolean) =>
      failed ? polling.failed('polls fail; each is retried') : polling.ended('polls work again'),
    ticksLost: (ticks: number, reason: string) => log('schedule', `${ticks} ticks not sent: ${reason}`),
    reportStep: (failed: boolean) =>
      failed
        ? reconciling.failed('a step of reconciliation failed; it is retried in a minute')
        : reconciling.ended('reconciliation works again'),
    forwarded: (failed: boolean) =>
      failed
        ? forwarding.failed('a delivery was not forwarded; it is retried, as in AWS, after 10 seconds and more')
        : forwarding.ended('deliveries are forwarded again'),
    recovered(failed: number, waiting: number) {
      if (failed > 0) recovering.failed(`${waiting} parked; each is retried every 2 seconds (in AWS every 6 minutes)`);
      else if (waiting === 0) recovering.ended('the parking queue is empty');
    },
    deadLetter: (all: number) =>
      givingUp(`${all} in the dead-letter queue; npx callfeed dead-letters list parked lists them`),
    fault: (name: FaultName, { mode, rate }: Fault) =>
      log(
        'fault',
        mode === 'none'
          ? `${name} ${name.endsWith('s') ? 'work' : 'works'} again`
          : `${name}: ${mode}, ${Math.round(rate * 100)} % of ${affectedBy(name)}s`,
      ),
    sent: (line: string) => log('sent', line),
    traffic: ({ on, callsPerMinute, kinds, agents }: TrafficRules) =>
      log(
        'traffic',
        on
          ? `${callsPerMinute} calls a minute, ${agents} agents${kinds.length === 0 ? '' : `, only ${kinds.join(', ')}`}`
          : 'off',
      ),
    accounts: (text: string) => log('accounts', text),
    note: (text: string) => log('sandbox', text),
  };
};

const quietMs = 30_000;

/** Writes a text unless it wrote one within the last half minute. Returns whether it did. */
const createSeldom = (log: (text: string) => void, now: () => number) => {
  let loggedAt = Number.NEGATIVE_INFINITY;

  return (text: string): boolean => {
    if (now() < loggedAt + quietMs) return false;
    loggedAt = now();
    log(text);
    return true;
  };
};

/**
 * Something that is retried until it succeeds: one line when it begins to fail, and one with the count of failed attempts when it
 * works again. Retries come every second or two, so a line for each would hide everything else. What fails now and
 * then has these lines at most every half minute.
 */
const createOutage = (log: (text: string) => void, seldom: ReturnType<typeof createSeldom>) => {
  let failures = 0;
  let isLogged = false;

  return {
    failed(text: string) {
      failures += 1;
      isLogged ||= seldom(text);
    },
    ended(text: string) {
      if (isLogged) log(failures === 1 ? text : `${text}, after ${failures} failed attempts`);
      isLogged = false;
      failures = 0;
    },
  };
};

const functionFailedText = 'the function failed; --verbose shows its log';

const count = z.number();
const ReplyCounts = z.object({ stored: count, duplicates: count, quarantined: count, parked: count }).partial();

/** The pattern admits nothing that comes from the post. */
const ReasonReply = z.object({ reason: z.string().regex(/^[a-z-]+$/) });

const summariseReply = (reply: string): string => {
  const { reason } = ReasonReply.safeParse(tryParseJson(reply)).data ?? {};
  const counts = Object.entries(ReplyCounts.safeParse(tryParseJson(reply)).data ?? {});
  const nonZero = counts.flatMap(([name, number]) => (number > 0 ? [`${number} ${name}`] : []));
  return [...(reason === undefined ? [] : [reason]), ...nonZero].join(', ');
};

/** Whether an event is the first of a call that was found by the call report and had no callback. */
const isFoundCall = ({ 'detail-type': type, detail }: Envelope): boolean =>
  type === 'Call Summary Recorded' && detail['source'] === 'report';

/** The poller's own code for a failed poll. */
const FailureReason = z.object({ reason: z.string().regex(/^[a-z-]{1,30}$/) });

const describeEvent = ({ 'detail-type': type, detail }: Envelope): string => {
  const { reason } = FailureReason.safeParse(detail).data ?? {};
  return reason === undefined ? type : `${type}: ${reason}`;
};

const counted = {
  'Agent Logged In': 'logged in',
  'Agent Logged Out': 'logged out',
  'Agent Details Changed': 'with other details',
} as const;

/** Whether an event is about one agent. Events about the feed as a whole are logged one by one. */
export const isAboutAgent = ({ 'detail-type': type }: Envelope): boolean =>
  type === 'Agent State Changed' || Object.hasOwn(counted, type);

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
