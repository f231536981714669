import { secondsBetween } from '../core/time.ts';
import type { ListedCall } from './rows.ts';
import { isMissed } from './rules.ts';

type CallInTime = Pick<ListedCall, 'callId' | 'status' | 'type' | 'listedAt' | 'endedAt' | 'linkedCallId'>;

/** A call among those that are looked through, and whose it is: no caller where nobody knows. */
interface Known<Call> {
  readonly call: Call;
  readonly caller?: string | undefined;
}

/** Which conversation may have ended the wait of a missed call; a lookup by the missed call. */
type Ends<Call> = (missed: Call) => Call | undefined;

/** How long before a missed call another one may have begun, and still be under way. Who looks back further finds no more. */
export const maxUnderWaySeconds = 4 * 3_600;

/** Instants have milliseconds, and the service tells the time of a call in seconds. */
const secondOf = (instant: string): string => instant.slice(0, 'yyyy-mm-ddThh:mm:ss'.length);

/**
 * The conversation as which a call went on, at once or over further calls. A transfer to a skill is a call of its own, which
 * begins in the same second or later, and says which call it continues.
 */
export const continuations = <Call extends CallInTime>(
  calls: readonly Known<Call>[],
  isSpoken: (call: Call) => boolean,
): Ends<Call> => {
  const linkedTo = Map.groupBy(
    calls.map(({ call }) => call),
    ({ linkedCallId }) => linkedCallId,
  );
  return (missed) => {
    const parts = new Set([missed]);
    // What is added meanwhile is looked at too. A set ends where calls continue each other.
    for (const part of parts)
      for (const next of linkedTo.get(part.callId) ?? []) {
        if (secondOf(next.listedAt) < secondOf(part.listedAt)) continue;
        if (isSpoken(next)) return next;
        parts.add(next);
      }
    return undefined;
  };
};

/** The conversation of the same caller that was under way when a missed call began, and ended later. */
export const conversationsUnderWay = <Call extends CallInTime>(
  oldestFirst: readonly Known<Call>[],
  isSpoken: (call: Call) => boolean,
): Ends<Call> => {
  const found = new Map<Call, Call>();
  const running = new Map<string, readonly Call[]>();
  for (const { call, caller } of oldestFirst) {
    if (caller === undefined) continue;
    const isRunning = ({ listedAt, endedAt = '' }: Call) =>
      endedAt > call.listedAt && secondsBetween(listedAt, call.listedAt) <= maxUnderWaySeconds;
    const others = (running.get(caller) ?? []).filter(isRunning);
    const [first] = others;
    if (isMissed(call) && first !== undefined) found.set(call, first);
    running.set(caller, isSpoken(call) ? [...others, call] : others);
  }
  return (missed) => found.get(missed);
};

/** The first conversation of the same caller that began after a missed call. */
export const nextConversations = <Call extends CallInTime>(
  newestFirst: readonly Known<Call>[],
  isSpoken: (call: Call) => boolean,
): Ends<Call> => {
  const found = new Map<Call, Call>();
  const latest = new Map<string, Call>();
  for (const { call, caller } of newestFirst) {
    if (caller === undefined) continue;
    const next = latest.get(caller);
    if (isMissed(call) && next !== undefined) found.set(call, next);
    if (isSpoken(call)) latest.set(caller, call);
  }
  return (missed) => found.get(missed);
};
