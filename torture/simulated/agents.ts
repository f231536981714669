import { between, chance, pick, type Random } from '../../sandbox/simulator/random.ts';

const states = ['READY', 'INCALL', 'ACW', 'PAUSE', 'Idle'] as const;

/** How many of the floor do something else at a poll that finds it changed. */
const movesPerChange = 5;

/** How likely a poll finds the floor changed. */
const changeRate = 0.5;

/** A floor of so many agents, as getAgentLogins answers with it: now and then some of them do something else. */
export const busyAgents = (count: number, random: Random) => {
  const floor = Array.from({ length: count }, (_, index) => ({
    AgentId: `agent-${index}`,
    AgentName: `Agent ${index}`,
    PhoneNumber: `0800${String(index).padStart(6, '0')}`,
    AgentState: 'READY' as string,
    SkillName: 'Sales, Support',
  }));

  return (): string => {
    for (let move = 0; chance(random, changeRate) && move < movesPerChange; move++) {
      const agent = floor[between(random, 0, count - 1)];
      if (agent !== undefined) agent.AgentState = pick(random, states);
    }
    return JSON.stringify({ status: 'success', message: floor });
  };
};
