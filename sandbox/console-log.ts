import * as z from 'zod';
import { tryParseJson } from '../lib/core/parse-json.ts';
import type { Envelope } from './bus/event-log.ts';
import type { Fault } from './faults.ts';

/** How often, where it is more than once. */
const timesSuffix = (count: number): string => (count === 1 ? '' : ` x${count}`);

/** Our words for states hold nothing personal; any other text is not told. */
const State = z.object({
  state: z
    .string()
    .regex(/^[a-z-]{1,20}$/)
    .catch('other'),
});
const Detail = z.object({ previous: State.optional(), current: State.optional() }).catch({});

const counted = {
  'Agent Logged In': 'logged in',
  'Agent Logged Out': 'logged out',
  'Agent Details Changed': 'with other details',
} as const;

/** Whether an event tells what an agent did; those of the feed as a whole are told by themselves. */
export const isAboutAgent = ({ 'detail-type': type }: Envelope): boolean =>
  type === 'Agent State Changed' || Object.hasOwn(counted, type);

/**
 * What agents did, in short and without anything personal.
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

/** One line for the user; it never holds anything of a payload but counts. */
export type OnLogLine = (line: string) => void;

const count = z.number();
const ReplyCounts = z.object({ stored: count, duplicates: count, quarantined: count, parked: count }).partial();

/** The receiver's word for why it refused a post; nothing of the post can be in it. */
const RejectionReply = z.object({ error: z.string().regex(/^[a-z-]+$/) });

/** The reason and counts in a reply, such as `1 stored, 2 duplicates`; whatever else it says is left out. */
const summariseReply = (reply: string): string => {
  const { error } = RejectionReply.safeParse(tryParseJson(reply)).data ?? {};
  const counts = Object.entries(ReplyCounts.safeParse(tryParseJson(reply)).data ?? {});
  const told = counts.flatMap(([name, number]) => (number > 0 ? [`${number} ${name}`] : []));
  return [...(error === undefined ? [] : [error]), ...told].join(', ');
};

/** What the poller says of a failed poll is a word of its own. */
const FailureReason = z.object({ reason: z.string().regex(/^[a-z-]{1,30}$/) });

/** An event by its type, and why, where it says so. */
const describeEvent = ({ 'detail-type': type, detail }: Envelope): string => {
  const { reason } = FailureReason.safeParse(detail).data ?? {};
  return reason === undefined ? type : `${type}: ${reason}`;
};

const functionFailedText = 'the function failed: --verbose says why';

/** Turns what happens into lines: the time, what it concerns, and what became of it. */
export const createConsoleLog = (onLog: OnLogLine, now: () => Date = () => new Date()) => {
  const tell = (subject: string, text: string): void =>
    onLog(`${now().toTimeString().slice(0, 8)}  ${subject.padEnd(9)} ${text}`.trimEnd());

  return {
    callback: (method: string, status: number, reply: string) =>
      tell('callback', `${method} ${status}  ${status === 500 ? functionFailedText : summariseReply(reply)}`),
    events(events: readonly Envelope[]) {
      for (const [text, same] of Map.groupBy(events, describeEvent))
        tell('event', `${text}${timesSuffix(same.length)}`);
    },
    agents: (events: readonly Envelope[]) => tell('agents', agentsLine(events)),
    scripted: (steps: number) => tell('agents', `scripted: ${steps} ${steps === 1 ? 'step' : 'steps'}`),
    pollFailed: () => tell('agents', 'a poll failed, tried again'),
    ticksLost: (ticks: number, reason: string) => tell('schedule', `${ticks} ticks not sent: ${reason}`),
    publishRetry: (records: number) => tell('event', `not published, tried again: ${records} changes`),
    parked: (count: number) => tell('parked', `${count} for later`),
    recovered: (succeeded: number, failed: number) =>
      tell('recovery', `${succeeded} recovered${failed > 0 ? `, ${failed} tried again` : ''}`),
    deadLetter: () => tell('recovery', '1 given up: moved to the dead letters'),
    fault: (name: string, { mode, rate }: Fault) =>
      tell(
        'fault',
        mode === 'none' ? `${name} works again` : `${name}: ${mode}, ${Math.round(rate * 100)} % of requests`,
      ),
    sent: (line: string) => tell('sent', line),
    note: (text: string) => tell('sandbox', text),
  };
};

/** Tells the user what happens. */
export type ConsoleLog = ReturnType<typeof createConsoleLog>;
