import type { CallWait, ListedCall, MissedCall } from '../../client/index.ts';
import { secondsBetween } from '../../lib/core/time.ts';

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
