import type { CallWait, ListedCall, MissedCall } from '../../client/index.ts';
import { missedStates } from '../../lib/contract/rules.ts';
import { secondsBetween } from '../../lib/core/time.ts';
import { durationText, localText } from '../frame/report.ts';
import { printable } from '../frame/terminal.ts';

const placeOf = ({ callId, listedAt, agentIds }: ListedCall) => ({ callId, listedAt, agentIds });

const endedOne = ({ call, state, answeredBy }: MissedCall) => ({
  ...placeOf(call),
  state,
  afterSeconds: answeredBy?.afterSeconds ?? 0,
});

/** What became of a missed call, and which waits a call ended, without what is personal. */
export const waitAnswer = ({ asOf, missed, ended, isComplete }: CallWait) => ({
  asOf,
  isComplete,
  missed: missed && {
    state: missed.state,
    since: missed.call.listedAt,
    /** Of an open call. */
    openSeconds:
      missed.state === 'open' ? Math.max(0, Math.floor(secondsBetween(missed.call.listedAt, asOf))) : undefined,
    endedBy: missed.answeredBy && {
      ...(missed.endedBy && placeOf(missed.endedBy)),
      ...missed.answeredBy,
    },
    attempts: missed.attempts.map(placeOf),
  },
  ended: ended.map(endedOne),
});

export type WaitAnswer = ReturnType<typeof waitAnswer>;

/** Why an answer may lack something. */
export const partlyLookedText =
  'Only calls with a usual spelling of the number were looked at: there are more than 10,000 calls around this one.';

interface NamedCall {
  readonly callId: string;
  readonly listedAt?: string | undefined;
}

/** The same in sentences, for a terminal; none for a call that was neither missed nor ended a wait. */
export const waitSentences = ({ missed, ended, isComplete }: WaitAnswer, timeZone: string): readonly string[] => {
  const textOf = ({ callId, listedAt }: NamedCall) =>
    `call ${printable(callId)}${listedAt === undefined ? '' : ` at ${localText(listedAt, timeZone)}`}`;
  const sentences = [
    ...(missed === undefined ? [] : [missedSentence(missed, textOf, timeZone)]),
    ...(missed === undefined || missed.attempts.length === 0
      ? []
      : [`Other attempts of the caller: ${missed.attempts.map(textOf).join(', ')}.`]),
    ...ended.map(
      (one) =>
        `Ended the wait of ${textOf(one)}, ${durationText(one.afterSeconds)} later: ${missedStates[one.state].text}.`,
    ),
  ];
  return sentences.length > 0 && !isComplete ? [...sentences, partlyLookedText] : sentences;
};

const missedSentence = (
  { state, since, openSeconds, endedBy }: NonNullable<WaitAnswer['missed']>,
  textOf: (call: NamedCall) => string,
  timeZone: string,
): string => {
  const { text, meaning } = missedStates[state];
  if (openSeconds !== undefined)
    return `Missed, and open since ${localText(since, timeZone)}, for ${durationText(openSeconds)}: ${meaning}.`;
  return endedBy === undefined
    ? `Missed, ${text}: ${meaning}.`
    : `Missed, and ${text} after ${durationText(endedBy.afterSeconds)}: ${textOf(endedBy)}.`;
};
