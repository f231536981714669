import type { WireAgentField } from '../lib/agents/normalise-agent.ts';

const states = ['READY', 'INCALL', 'ACW', 'PAUSE'];

/** A list of agents as the telephony service answers it. `change` gives some of them the next state. */
export const simulatedAgents = (agents: number) => {
  const stateIndexes = Array.from({ length: agents }, (_, index) => index);
  const recordOf = (stateIndex: number, index: number): Readonly<Record<WireAgentField, string | undefined>> => ({
    AgentId: `agent-${index}`,
    AgentName: `Asha Rao ${index}`,
    PhoneNumber: `0900000${String(index).padStart(4, '0')}`,
    AgentState: states[stateIndex % states.length],
    SkillName: 'Sales, Support',
  });

  return {
    answerText: (): string => JSON.stringify({ status: 'success', message: stateIndexes.map(recordOf) }),
    change(count: number): void {
      for (let index = 0; index < count; index++) stateIndexes[index] = (stateIndexes[index] ?? 0) + 1;
    },
  };
};
