import * as z from 'zod';
import { parsed } from '../../lib/json/parsed.ts';
import type { Envelope } from '../bus/envelope.ts';
import type { Fault } from '../faults/fault.ts';
import { agentsLine } from './agents-line.ts';
import { times } from './times.ts';

/** One line for the user; it never holds anything of a payload but counts. */
export type OnTold = (line: string) => void;

const count = z.number();
const ReplyCounts = z.object({ stored: count, duplicates: count, quarantined: count, parked: count }).partial();

/** The receiver's word for why it refused a post; nothing of the post can be in it. */
const Refusal = z.object({ error: z.string().regex(/^[a-z-]+$/) });

/** The reason and counts in a reply, such as `1 stored, 2 duplicates`; whatever else it says is left out. */
const saidIn = (reply: string): string => {
  const { error } = Refusal.safeParse(parsed(reply)).data ?? {};
  const counts = Object.entries(ReplyCounts.safeParse(parsed(reply)).data ?? {});
  const told = counts.flatMap(([name, number]) => (number > 0 ? [`${number} ${name}`] : []));
  return [...(error === undefined ? [] : [error]), ...told].join(', ');
};

/** What the poller says of a failed poll is a word of its own. */
const Reason = z.object({ reason: z.string().regex(/^[a-z-]{1,30}$/) });

/** An event by its type, and why, where it says so. */
const textOf = ({ 'detail-type': type, detail }: Envelope): string => {
  const { reason } = Reason.safeParse(detail).data ?? {};
  return reason === undefined ? type : `${type}: ${reason}`;
};

const failed = 'the function failed: --verbose says why';

/** Turns what happens into lines: the time, what it concerns, and what became of it. */
export const telling = (onTold: OnTold, now: () => Date = () => new Date()) => {
  const tell = (subject: string, text: string): void =>
    onTold(`${now().toTimeString().slice(0, 8)}  ${subject.padEnd(9)} ${text}`.trimEnd());

  return {
    callback: (method: string, status: number, reply: string) =>
      tell('callback', `${method} ${status}  ${status === 500 ? failed : saidIn(reply)}`),
    events(events: readonly Envelope[]) {
      for (const [text, same] of Map.groupBy(events, textOf)) tell('event', `${text}${times(same.length)}`);
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
export type Telling = ReturnType<typeof telling>;
