import { matcherOf } from '../core/patterns.ts';
import { secondsBetween } from '../core/time.ts';
import { countedCalls, defaultCountSettings } from './call-counts.ts';
import type { ListedCall } from './rows.ts';
import { inboundCalls, isMissed } from './rules.ts';

/**
 * What became of a missed call. It is `open` until a call with the same customer that starts later, in either direction, is
 * answered by a person: then it is `returned`, or `rang-again` where the customer called. People whom the number does not tell
 * apart are named apart: a call without a number, from a number that many share, or of somebody who was erased.
 */
export const missedStates = ['open', 'returned', 'rang-again', 'no-number', 'shared-number', 'erased'] as const;
export type MissedState = (typeof missedStates)[number];

/** What decides. The number may be in any spelling: `callerOf` says who it is. */
export type CallWithCaller = Pick<
  ListedCall,
  'callId' | 'status' | 'type' | 'customerNumber' | 'skillName' | 'listedAt'
>;

/** Who called: a key that all spellings of one number share, or why there is none. */
export type Caller =
  | { readonly key: string }
  | { readonly state: Extract<MissedState, 'no-number' | 'shared-number' | 'erased'> };

export interface MissedCall<Call extends CallWithCaller> {
  readonly call: Call;
  readonly state: MissedState;
  /** The call that answered, and the seconds from the start of the missed one to its start. Absent while none did. */
  readonly answeredBy?: { readonly callId: string; readonly afterSeconds: number };
}

export interface MissedRules {
  readonly callerOf: (call: CallWithCaller) => Caller;
  /** Within how many seconds after a missed call a call answers it: by default a day. */
  readonly withinSeconds?: number;
}

export const defaultReturnSeconds = 86_400;

/** A menu answers nobody, and a call without a type may be one of a person. */
const isAnsweredByPerson = (() => {
  const fits = matcherOf(countedCalls(defaultCountSettings).handled);
  return (call: CallWithCaller) => fits({ ...call, isAnswered: call.status === 'answered' });
})();

const isInbound = matcherOf(inboundCalls);

/**
 * The missed calls among these, each with its state, in the order given. `calls` has the missed ones and the later calls of their
 * callers. As a callback may come late, a call that is open now may turn out to be returned.
 * @example Missed at 9:00 and 9:10, called back at 9:40 and answered: both returned, after 2,400 and 1,800 seconds.
 */
export const missedCallStates = <Call extends CallWithCaller>(
  calls: readonly Call[],
  { callerOf, withinSeconds = defaultReturnSeconds }: MissedRules,
): readonly MissedCall<Call>[] => {
  const answers = new Map<string, Call[]>();
  for (const call of calls.filter(isAnsweredByPerson).toSorted((a, b) => a.listedAt.localeCompare(b.listedAt))) {
    const caller = callerOf(call);
    if ('key' in caller) answers.set(caller.key, [...(answers.get(caller.key) ?? []), call]);
  }

  return calls.filter(isMissed).map((call) => {
    const caller = callerOf(call);
    if ('state' in caller) return { call, state: caller.state };

    const answer = answers.get(caller.key)?.find(({ listedAt }) => listedAt > call.listedAt);
    const afterSeconds =
      answer === undefined ? Number.POSITIVE_INFINITY : secondsBetween(call.listedAt, answer.listedAt);
    if (answer === undefined || afterSeconds > withinSeconds) return { call, state: 'open' };
    const state = isInbound({ ...answer }) ? 'rang-again' : 'returned';
    return { call, state, answeredBy: { callId: answer.callId, afterSeconds } };
  });
};

/** Somebody who called in vain and still waits, over all open calls. */
export interface OpenCaller {
  /** As it was sent with the last of these calls. */
  readonly customerNumber: string | undefined;
  readonly attempts: number;
  readonly firstMissedAt: string;
  readonly lastMissedAt: string;
  readonly waitingSeconds: number;
  readonly skills: readonly string[];
  readonly callIds: readonly string[];
}

/** A row for each caller, as people ring back callers and not calls: the most attempts first, then the longest waiting. */
export const openCallers = <Call extends CallWithCaller>(
  missed: readonly MissedCall<Call>[],
  callerOf: MissedRules['callerOf'],
  now: string,
): readonly OpenCaller[] => {
  const open = missed.filter(({ state }) => state === 'open').map(({ call }) => call);
  const byCaller = Map.groupBy(open, (call) => {
    const caller = callerOf(call);
    return 'key' in caller ? caller.key : call.callId;
  });
  return [...byCaller.values()]
    .map((calls) => {
      const sorted = calls.toSorted((a, b) => a.listedAt.localeCompare(b.listedAt));
      const [first, last] = [sorted[0]?.listedAt ?? now, sorted.at(-1)?.listedAt ?? now];
      return {
        customerNumber: sorted.at(-1)?.customerNumber,
        attempts: sorted.length,
        firstMissedAt: first,
        lastMissedAt: last,
        waitingSeconds: Math.max(0, secondsBetween(first, now)),
        skills: [...new Set(sorted.flatMap(({ skillName }) => skillName ?? []))],
        callIds: sorted.map(({ callId }) => callId),
      };
    })
    .sort((a, b) => b.attempts - a.attempts || b.waitingSeconds - a.waitingSeconds);
};
