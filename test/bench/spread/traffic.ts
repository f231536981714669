import type { Random } from '../../../sandbox/simulator/random.ts';

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
export const trafficShape = {
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

const { missedShare, repeatedShare, revisedShare, leastSecondsBetweenCalls, mostSecondsBetweenCalls } = trafficShape;

const callbacksACall = 1 + repeatedShare + (1 - missedShare) * revisedShare;

/** Calls that end in a second, on average. */
export const callsASecond = ({ callbacksASecond }: Traffic): number => callbacksASecond / callbacksACall;

/** As many agents as it takes to answer the calls. */
const agentsFor = (traffic: Traffic): number =>
  Math.round((callsASecond(traffic) * (1 - missedShare) * (leastSecondsBetweenCalls + mostSecondsBetweenCalls)) / 2);

/** Who calls whom, by numbers: agents, customers and accounts are counted from 0 throughout. */
export interface People {
  readonly agents: number;
  readonly customers: number;
  readonly accounts: number;
  accountOf(agent: number): number;
  /** Somebody of the same account. */
  colleagueOf(agent: number): number;
  /** A customer of that account. */
  callerOf(account: number): number;
}

/** The people of such traffic. */
export const people = (traffic: Traffic, random: Random): People => {
  const { accounts } = traffic;
  const agents = agentsFor(traffic);
  const harmonic = Array.from({ length: accounts }, (_, index) => 1 / (index + 1)).reduce((sum, part) => sum + part, 0);
  const firstAgents = new Int32Array(accounts + 1);
  let share = 0;
  for (let account = 0; account < accounts; account++) {
    firstAgents[account] = Math.round((agents * share) / harmonic);
    share += 1 / (account + 1);
  }
  firstAgents[accounts] = agents;

  const accountOfAgent = new Int32Array(agents);
  for (let account = 0; account < accounts; account++)
    accountOfAgent.fill(account, firstAgents[account], firstAgents[account + 1]);

  const first = (account: number): number => firstAgents[account] ?? 0;
  const sizeOf = (account: number): number => first(account + 1) - first(account);
  const accountOf = (agent: number): number => accountOfAgent[agent] ?? 0;

  return {
    agents,
    accounts,
    // Each account has one entry more: whoever withholds the number.
    customers: agents * trafficShape.customersPerAgent + accounts,
    accountOf,
    colleagueOf(agent) {
      const account = accountOf(agent);
      return first(account) + Math.floor(random() * sizeOf(account));
    },
    callerOf(account) {
      const withheld = first(account) * trafficShape.customersPerAgent + account;
      if (random() < trafficShape.withheldShare) return withheld;
      // Logarithms that are spread evenly make the n-th caller an n-th as frequent as the first.
      const rank = Math.floor((sizeOf(account) * trafficShape.customersPerAgent) ** random());
      return withheld + rank;
    },
  };
};
