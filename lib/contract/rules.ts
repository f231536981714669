import type { AgentFacts } from '../agents/schema.ts';
import { patternTest } from '../core/patterns.ts';
import { wordText } from '../telephony/vocabularies.ts';
import type { CallSummary } from './call-events.ts';

/**
 * The rules by which a call counts as missed or abandoned, and an agent as free: one place for programs, events, figures and
 * the command line. Each is a pattern of EventBridge, and a function that holds of what the pattern selects. They read words and
 * instants, which are not personal, so events without personal fields suffice. An `unknown` word fits no rule, because it may
 * mean anything; once the word is known, `callfeed renormalise` corrects the call and publishes it again.
 *
 * They judge a call, never one of its legs: a leg that rang in vain is no missed call if another leg was answered.
 */

/** What decides whether a call was missed. A call of an event, a row and an entry of a list all have it. */
export type CallOutcome = Pick<CallSummary, 'status' | 'type'>;

/** What decides whether a call was abandoned, and how soon. */
export type CallEnd = CallOutcome & Pick<CallSummary, 'hangupBy' | 'startedAt' | 'endedAt'>;

export type Durations = Pick<
  CallSummary,
  'timeToAnswerSeconds' | 'durationSeconds' | 'holdSeconds' | 'wrapUpSeconds' | 'handleSeconds'
>;

/** Selects the calls of customers. A post may lack the type: such a call counts too. */
export const inboundCalls = { type: ['inbound', { exists: false }] } as const;

/** Selects missed calls, as `isMissed` does: `where: { call: missedCalls }`. */
export const missedCalls = { status: ['not-answered'], ...inboundCalls } as const;

/** What may have become of a missed call: the words for people, and what they mean for those who read the answer. */
export const missedStates = {
  open: { text: 'open', meaning: 'nobody has spoken with the customer since' },
  returned: { text: 'returned', meaning: 'a call to the customer was answered, later or at that moment' },
  'rang-again': {
    text: 'rang again',
    meaning: 'another call of the customer was answered, later or at that moment',
  },
  continued: {
    text: 'continued as another call',
    meaning: 'it went on as another call, in which somebody spoke with the customer',
  },
  'no-number': { text: 'without a number', meaning: 'it has no number, or one that was withheld' },
  'shared-number': {
    text: 'with a shared number',
    meaning: 'it came from one of the account’s `sharedNumbers`, behind which are many people',
  },
  erased: { text: 'with an erased customer', meaning: 'its customer was erased' },
} as const;
export type MissedState = keyof typeof missedStates;

/** Selects abandoned calls, as `isAbandoned` does: `where: { call: abandonedCalls }`. */
export const abandonedCalls = { ...missedCalls, hangupBy: ['user'] } as const;

/** The pattern of short abandoned calls. The seconds may also be a column of SQL. */
export const abandonedWithin = <Seconds>(seconds: Seconds) =>
  ({ ...abandonedCalls, elapsedSeconds: [{ numeric: ['<', seconds] }] }) as const;

/** Selects calls that were abandoned in less than `seconds`, as `isShortAbandoned` does. */
export const shortAbandonedCalls = (seconds: number) => abandonedWithin(seconds);

/** Selects agents who become free, as `isFree` does: `where: { current: freeAgents }`. */
export const freeAgents = { state: ['ready'] } as const;

export const handlingAgents = { state: ['calling', 'in-call', 'acw'] } as const;

const fitsInbound = patternTest(inboundCalls);
const fitsMissed = patternTest(missedCalls);
const fitsAbandoned = patternTest(abandonedCalls);
const fitsFree = patternTest(freeAgents);

/** Whether a customer called. */
export const isInbound = (call: Pick<CallOutcome, 'type'>): boolean => fitsInbound(call);

/**
 * Whether a customer called and nobody answered. Only inbound calls count: in an outgoing call the customer did not
 * answer, and nobody waits for a call back. A post may lack the type. Such a call counts too, because to call back in vain
 * costs less than to lose a customer.
 */
export const isMissed = (call: CallOutcome): boolean => fitsMissed(call);

/** How a call ended, as people read it: a missed call is `missed`, another one that nobody answered is `not answered`. */
export const outcomeText = (
  call: Readonly<Partial<Record<keyof CallOutcome, string | undefined>>>,
): string | undefined => (fitsMissed(call) ? 'missed' : call.status && wordText(call.status));

/**
 * Whether the customer of a missed call hung up before anybody answered. `hangupBy` decides, because it is about the whole
 * call. The statuses of agents are about single attempts. Without `hangupBy` nobody knows who gave up, so the answer is no.
 */
export const isAbandoned = (call: Omit<CallEnd, 'startedAt' | 'endedAt'>): boolean => fitsAbandoned(call);

/**
 * Whether the customer gave up less than `seconds` after the start of the call. Many reports leave out such calls. The time
 * in a menu counts, because the start of waiting is not known. A call without both instants is not short.
 */
export const isShortAbandoned = (call: CallEnd, seconds: number): boolean =>
  patternTest(shortAbandonedCalls(seconds))({ ...call, elapsedSeconds: elapsedSecondsOf(call) });

/** The time from start to end: undefined without both of them, or where the end lies before the start. */
export const elapsedSecondsOf = ({
  startedAt,
  endedAt,
}: Pick<CallEnd, 'startedAt' | 'endedAt'>): number | undefined => {
  const seconds = (Date.parse(endedAt ?? '') - Date.parse(startedAt ?? '')) / 1000;
  return seconds >= 0 ? seconds : undefined;
};

/** How long a call lasted: as the service sends it, else from start to end. */
export const lastedSecondsOf = (
  call: Pick<CallEnd, 'startedAt' | 'endedAt'> & Pick<CallSummary, 'callDurationSeconds'>,
): number | undefined => call.callDurationSeconds ?? elapsedSecondsOf(call);

/**
 * The agents' time for a call: talk, hold and wrap-up, where all three are known, else what the service sends as its sum. Real
 * records have that sum and no hold time. Undefined where neither is known.
 */
export const handleSecondsOf = (call: Omit<Durations, 'timeToAnswerSeconds'>): number | undefined => {
  const known = handleParts.flatMap((part) => call[part] ?? []);
  return known.length === handleParts.length ? known.reduce((sum, seconds) => sum + seconds, 0) : call.handleSeconds;
};

/** Talk, hold and wrap-up: the parts of handle time. */
export const handleParts = ['durationSeconds', 'holdSeconds', 'wrapUpSeconds'] as const;

/**
 * Whether an agent can be given a call now: only in the state `ready`. `idle` is not free: the service names both, so they
 * differ, and it does not say how. Ask about live agents only: the state of stale ones may have changed.
 */
export const isFree = (agent: Pick<AgentFacts, 'state'>): boolean => fitsFree(agent);
