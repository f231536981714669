import * as z from 'zod/mini';
import { erased } from '../calls/call-keys.ts';
import { compare, withoutUndefined } from '../core/collections.ts';
import { secondsBetween } from '../core/time.ts';
import { field, instant, nonEmpty, seconds } from '../storage/field.ts';
import { callerKey } from '../telephony/caller-key.ts';
import { e164 } from '../telephony/e164.ts';
import { countryOfZone } from '../telephony/zone-countries.ts';
import { isConversation } from './conversations.ts';
import type { ListedCall } from './rows.ts';
import { isInbound, isMissed, type MissedState } from './rules.ts';
import { continuations, conversationsUnderWay, nextConversations } from './wait-ends.ts';

/** The fields of a call that decide. Every entry of a list has them. */
export type CallOfCustomer = Pick<
  ListedCall,
  'callId' | 'status' | 'type' | 'customerNumber' | 'skillName' | 'timeZone' | 'listedAt' | 'endedAt' | 'linkedCallId'
>;

export interface MissedCall<Call extends CallOfCustomer = ListedCall> {
  readonly call: Call;
  readonly state: MissedState;
  /** What all spellings of the caller's number have in common; absent where the state says that nobody knows who called. */
  readonly caller?: string;
  /** The number of the call in E.164, where it has that. A person may have two, such as a mobile of Brazil without its ninth digit. */
  readonly callerE164?: string;
  /** The call that ended the wait, and the seconds from the start of the missed one to its start: 0 if it was under way. */
  readonly answeredBy?: { readonly callId: string; readonly afterSeconds: number };
}

export interface MissedRules {
  /** Where numbers belong that have no country’s code: by default to the country of the call’s time zone. */
  readonly country?: string | undefined;
  /** Numbers of many people, such as a switchboard, in any spelling. */
  readonly sharedNumbers?: readonly string[] | undefined;
  /** Within how many seconds after a missed call another one ends the wait. */
  readonly withinSeconds?: number | undefined;
}

/** A day: who was not called back by then has called somebody else. */
export const defaultReturnSeconds = 86_400;

type Caller =
  | { readonly caller: string; readonly callerE164?: string }
  | { readonly caller?: never; readonly state: MissedState };

const callersBy = ({ country, sharedNumbers = [] }: MissedRules) => {
  const shared = new Set(sharedNumbers.flatMap((number) => callerKey(number, country) ?? []));
  const callerOf = (number: string, home: string | undefined): Caller => {
    if (number === erased) return { state: 'erased' };
    const caller = callerKey(number, home);
    if (caller === undefined) return { state: 'no-number' };
    return shared.has(caller)
      ? { state: 'shared-number' }
      : withoutUndefined({ caller, callerE164: e164(number, home) });
  };
  const callers = new Map<string, Caller>();
  return ({ customerNumber = '', timeZone = '' }: CallOfCustomer): Caller => {
    const home = country ?? countryOfZone(timeZone);
    const found = callers.get(`${home} ${customerNumber}`) ?? callerOf(customerNumber, home);
    callers.set(`${home} ${customerNumber}`, found);
    return found;
  };
};

/** The newest first. Of two calls that start at once the missed one is first: the other one is not later, but may be under way. */
const newestFirst = (a: CallOfCustomer, b: CallOfCustomer): number =>
  compare(b.listedAt, a.listedAt) || Number(isMissed(b)) - Number(isMissed(a)) || compare(b.callId, a.callId);

/** What became of missed calls, given the ids of outgoing calls in which nobody spoke with the customer, as their rows say. */
export type MissedJudge<Call extends CallOfCustomer> = (inVain?: ReadonlySet<string>) => readonly MissedCall<Call>[];

/**
 * Judges the missed calls among these, newest first. A missed call is open until somebody spoke with the customer: in a call that
 * starts later, in either direction, in one that was under way when it began and ended later, or in the call as which it went on.
 * Two calls have the same customer if their numbers are the same in E.164, however each is written; a number without E.164 is
 * compared as it was sent. A call that is open may turn out to be returned, as a callback may come late. Numbers are read once,
 * however often it judges.
 * @example Missed at 9:00 and 9:10, called back at 9:40 and answered: both are returned, after 2,400 and 1,800 seconds.
 */
export const missedCallJudge = <Call extends CallOfCustomer>(
  calls: readonly Call[],
  rules: MissedRules,
): MissedJudge<Call> => {
  const { withinSeconds = defaultReturnSeconds } = rules;
  const callerOf = callersBy(rules);
  const deciding = calls.filter((one) => isMissed(one) || isConversation(one) || one.linkedCallId !== undefined);
  const ofCallers = deciding.toSorted(newestFirst).map((call) => {
    const found = callerOf(call);
    return { call, found, caller: found.caller };
  });
  return (inVain = new Set()) => {
    const isSpoken = (call: Call) => isConversation(call) && !inVain.has(call.callId);
    const goesOnAs = continuations(ofCallers, isSpoken);
    const underWay = conversationsUnderWay(ofCallers.toReversed(), isSpoken);
    const next = nextConversations(ofCallers, isSpoken);
    return ofCallers
      .filter(({ call }) => isMissed(call))
      .map(({ call, found }): MissedCall<Call> => {
        const endedBy = (by: Call | undefined, state?: MissedState) =>
          by && outcome(call, { by, state, withinSeconds });
        const end = endedBy(goesOnAs(call), 'continued') ?? endedBy(underWay(call)) ?? endedBy(next(call));
        return { call, state: 'open', ...found, ...end };
      });
  };
};

interface WaitEnd extends Required<Pick<MissedRules, 'withinSeconds'>> {
  readonly by: CallOfCustomer;
  /** By default that of a call with the same customer, by its direction. */
  readonly state: MissedState | undefined;
}

const outcome = (missed: CallOfCustomer, { by, state, withinSeconds }: WaitEnd) => {
  const afterSeconds = Math.max(0, secondsBetween(missed.listedAt, by.listedAt));
  if (afterSeconds > withinSeconds) return undefined;
  const direction: MissedState = isInbound(by) ? 'rang-again' : 'returned';
  return { state: state ?? direction, answeredBy: { callId: by.callId, afterSeconds } };
};

const attempts = z.int().check(z.positive());

/** Somebody who called in vain and still waits: a row for each caller, as people ring back callers and not calls. */
export const WaitingCaller = z
  .object({
    customerNumber: field(nonEmpty, 'The number as it was sent with the last of these calls.', { personal: true }),
    customerNumberE164: field(z.optional(nonEmpty), 'The same in E.164, where it has that.', {
      personal: true,
    }),
    attempts: field(attempts, 'How many missed calls of this caller are open.'),
    firstMissedAt: field(instant, 'The `listedAt` of the first of them.'),
    lastMissedAt: field(instant, 'The `listedAt` of the last of them.'),
    waitingSeconds: field(seconds, 'The time since the first of them.'),
    skills: field(z.readonly(z.array(nonEmpty)), 'Their skills.'),
    callIds: field(z.readonly(z.array(nonEmpty)), 'Their ids, the first call first.'),
  })
  .register(z.globalRegistry, { title: 'Waiting caller' });
export type WaitingCaller = Readonly<z.infer<typeof WaitingCaller>>;

/** The callers of the open calls among these: the most attempts first, then the longest waiting. */
export const waitingCallers = (
  missed: readonly MissedCall<CallOfCustomer>[],
  asOf: string,
): readonly WaitingCaller[] => {
  const open = missed
    .filter(({ state }) => state === 'open')
    .toSorted((a, b) => compare(a.call.listedAt, b.call.listedAt));
  const rows = [...Map.groupBy(open, ({ caller = '' }) => caller)].map(([caller, of]): WaitingCaller => {
    const calls = of.map(({ call }) => call);
    const { listedAt: firstMissedAt = asOf } = calls.at(0) ?? {};
    const { listedAt: lastMissedAt = asOf, customerNumber = caller } = calls.at(-1) ?? {};
    const customerNumberE164 = of.at(-1)?.callerE164;
    return {
      customerNumber,
      ...(customerNumberE164 !== undefined && { customerNumberE164 }),
      attempts: calls.length,
      firstMissedAt,
      lastMissedAt,
      waitingSeconds: Math.max(0, Math.floor(secondsBetween(firstMissedAt, asOf))),
      skills: [...new Set(calls.flatMap(({ skillName = [] }) => skillName))],
      callIds: calls.map(({ callId }) => callId),
    };
  });
  return rows.sort((a, b) => b.attempts - a.attempts || compare(a.firstMissedAt, b.firstMissedAt));
};
