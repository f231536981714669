import * as z from 'zod';
import { tryParseJson } from '../lib/core/json.ts';
import type { Envelope } from './bus/event-log.ts';
import { affectedBy, type Fault, type FaultName } from './faults.ts';
import type { TrafficRules } from './simulator/traffic.ts';

/** Called with one line for the user. The line holds counts of a payload, never its values. */
export type OnLogLine = (line: string) => void;

/** Writes one line for each thing that happens: the time, the subject and the outcome. */
export const createConsoleLog = (onLog: OnLogLine, now: () => Date = () => new Date()) => {
  const log = (subject: string, text: string): void =>
    onLog(`${now().toTimeString().slice(0, 8)}  ${subject.padEnd(9)} ${text}`.trimEnd());
  const ms = (): number => now().getTime();
  const recovery = createRetryLog((text) => log('recovery', text), ms);
  const settingAside = createRetryLog((text) => log('recovery', text), ms);
  const publishing = createRetryLog((text) => log('event', text), ms);
  const polling = createRetryLog((text) => log('agents', text), ms);
  const reports = createRetryLog((text) => log('report', text), ms);
  const forwards = createRetryLog((text) => log('forward', text), ms);

  return {
    callback: (method: string, status: number, reply: string) =>
      log('callback', `${method} ${status}  ${status === 500 ? functionFailedText : summariseReply(reply)}`),
    events(events: readonly Envelope[]) {
      publishing.ended('changes are published again');
      const found = events.filter(isFoundCall);
      if (found.length > 0) log('found', `${found.length} ${found.length === 1 ? 'call' : 'calls'} by the call report`);
      const others = events.filter((event) => !isFoundCall(event));
      for (const [text, same] of Map.groupBy(others, describeEvent)) log('event', `${text}${timesSuffix(same.length)}`);
    },
    agents: (events: readonly Envelope[]) => log('agents', agentsLine(events)),
    scripted: (steps: number) => log('agents', `scripted: ${steps} ${steps === 1 ? 'step' : 'steps'}`),
    reportStep: (failed: boolean) =>
      failed
        ? reports.failed('a step of reconciliation failed; it is retried in a minute')
        : reports.ended('reconciliation works again'),
    forwarded: (failed: boolean) =>
      failed
        ? forwards.failed('a delivery was not forwarded; it is retried, as in AWS, after 10 seconds and more')
        : forwards.ended('deliveries are forwarded again'),
    polled: (failed: boolean) =>
      failed ? polling.failed('polls fail; each is retried') : polling.ended('polls work again'),
    ticksLost: (ticks: number, reason: string) => log('schedule', `${ticks} ticks not sent: ${reason}`),
    publishRetry: (records: number) => publishing.failed(`${records} changes not published; they are retried`),
    recovered(succeeded: number, failed: number, waiting: number) {
      recovery.succeeded(succeeded);
      if (failed > 0) recovery.failed(`${waiting} parked; each is retried every 2 seconds (in AWS every 6 minutes)`);
      else if (waiting > 0) recovery.progressed(`${waiting} still parked`);
      else recovery.ended('the parking queue is empty');
    },
    deadLetter: (all: number) =>
      settingAside.failed(`${all} in the dead-letter queue; npx callfeed dead-letters list parked lists them`),
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

/** The first wait until a failure that goes on is logged again, and the longest. Each wait is twice the one before. */
const firstWaitMs = 30_000;
const longestWaitMs = 30 * 60_000;
const progressMs = 5_000;

/**
 * Logs something that is retried until it succeeds: its first failure, how far it is after growing waits, and its end.
 * Retries come every second or two, so a line for each would hide everything else. Something that fails now and then
 * has growing waits as well, until it works for as long as the first wait.
 */
const createRetryLog = (log: (text: string) => void, now: () => number) => {
  let waitMs = 0;
  let loggedAt = Number.NEGATIVE_INFINITY;
  let failedAt = Number.NEGATIVE_INFINITY;
  let hasLoggedFailure = false;
  let done = 0;
  const write = (text: string): void => {
    loggedAt = now();
    log(done > 0 ? `${done} recovered, ${text}` : text);
  };

  return {
    failed(text: string) {
      if (now() >= failedAt + firstWaitMs) waitMs = 0;
      failedAt = now();
      if (now() < loggedAt + waitMs) return;
      waitMs = waitMs === 0 ? firstWaitMs : Math.min(2 * waitMs, longestWaitMs);
      hasLoggedFailure = true;
      write(text);
    },
    succeeded(count: number) {
      done += count;
    },
    /** Logs every few seconds how much of what failed has succeeded. */
    progressed(text: string) {
      if (now() >= loggedAt + progressMs) write(text);
    },
    ended(text: string) {
      if (hasLoggedFailure || done > 0) write(text);
      hasLoggedFailure = false;
      done = 0;
    },
  };
};

/** Logs what happens in the sandbox for the user. */
export type ConsoleLog = ReturnType<typeof createConsoleLog>;

const functionFailedText = 'the function failed; --verbose shows its log';

const count = z.number();
const ReplyCounts = z.object({ stored: count, duplicates: count, quarantined: count, parked: count }).partial();

/** The receiver's word for what it did not understand. The pattern admits nothing that comes from the post. */
const ReasonReply = z.object({ reason: z.string().regex(/^[a-z-]+$/) });

/** The reason and the counts of a reply, such as `1 stored, 2 duplicates`, and nothing else of it. */
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

/** The type of an event, with the reason if the event has one. */
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

/**
 * A summary of agent events without personal data.
 *
 * @example agentsLine(events) // '2 logged in, ready→in-call x3, in-call→acw'
 */
export const agentsLine = (events: readonly Envelope[]): string => {
  const comings = Object.entries(counted).flatMap(([type, text]) => {
    const count = events.filter((event) => event['detail-type'] === type).length;
    return count === 0 ? [] : [`${count} ${text}`];
  });
  const changes = events
    .filter((event) => event['detail-type'] === 'Agent State Changed')
    .map(({ detail }) => Detail.parse(detail))
    .map(({ previous, current }) => `${previous?.state ?? 'other'}→${current?.state ?? 'other'}`);

  const moves = [...Map.groupBy(changes, (change) => change)].sort(
    ([, some], [, others]) => others.length - some.length,
  );
  return [...comings, ...moves.map(([change, same]) => `${change}${timesSuffix(same.length)}`)].join(', ');
};

/** Callfeed's own state names hold nothing personal. Any other text is replaced. */
const State = z.object({
  state: z
    .string()
    .regex(/^[a-z-]{1,20}$/)
    .catch('other'),
});
const Detail = z.object({ previous: State.optional(), current: State.optional() }).catch({});

/** A count such as ` x3`; empty for a count of 1. */
const timesSuffix = (count: number): string => (count === 1 ? '' : ` x${count}`);
