/** What the calls of a day are like. */
export interface Traffic {
  /** On average. */
  readonly callbacksASecond: number;
  /** How many accounts share the calls: the n-th largest has an n-th of the largest one's agents. */
  readonly accounts: number;
  /** Dispositions come within so many seconds of their call. */
  readonly revisedWithinSeconds: number;
}

/** Of calls wherever they are. Shares are of all calls. */
export const habits = {
  missedShare: 0.2,
  transferredShare: 0.1,
  /** A callback comes once more within seconds. */
  repeatedShare: 0.5,
  repeatedWithinSeconds: 5,
  /** An answered call's comes once more with the disposition, a while later. */
  revisedShare: 0.5,
  revisedAfterSeconds: 20,
  /** From the end of an agent's call to that of the next one. */
  leastSecondsBetweenCalls: 60,
  mostSecondsBetweenCalls: 300,
  /** Callers without a number, whom a service names by the same word. */
  withheldShare: 0.05,
  /** An account's customers; the n-th most frequent caller calls an n-th as often as the first. */
  customersPerAgent: 25,
} as const;

const { missedShare, repeatedShare, revisedShare, leastSecondsBetweenCalls, mostSecondsBetweenCalls } = habits;

const callbacksACall = 1 + repeatedShare + (1 - missedShare) * revisedShare;

/** Calls that end in a second, on average. */
export const callsASecond = ({ callbacksASecond }: Traffic): number => callbacksASecond / callbacksACall;

/** As many agents as it takes to answer the calls. */
export const agentsFor = (traffic: Traffic): number =>
  Math.round((callsASecond(traffic) * (1 - missedShare) * (leastSecondsBetweenCalls + mostSecondsBetweenCalls)) / 2);
