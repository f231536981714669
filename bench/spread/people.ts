import type { Random } from '../../sandbox/simulator/random.ts';
import { agentsFor, habits, type Traffic } from './traffic.ts';

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
    customers: agents * habits.customersPerAgent + accounts,
    accountOf,
    colleagueOf(agent) {
      const account = accountOf(agent);
      return first(account) + Math.floor(random() * sizeOf(account));
    },
    callerOf(account) {
      const withheld = first(account) * habits.customersPerAgent + account;
      if (random() < habits.withheldShare) return withheld;
      // Logarithms that are spread evenly make the n-th caller an n-th as frequent as the first.
      const rank = Math.floor((sizeOf(account) * habits.customersPerAgent) ** random());
      return withheld + rank;
    },
  };
};
