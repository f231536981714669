import type { WireAgentField } from '../../lib/agent-login/wire.ts';

const states = ['READY', 'INCALL', 'ACW', 'PAUSE'];

/** A floor of so many agents, of whom some can change their state, as the telephony service tells of it. */
export const simulatedFloor = (agents: number) => {
  const turns = Array.from({ length: agents }, (_, index) => index);

  return {
    answer(): string {
      return JSON.stringify({ status: 'success', message: turns.map(recordOf) });
    },
    /** As many agents go on to their next state. */
    change(count: number): void {
      for (let index = 0; index < count; index++) turns[index] = (turns[index] ?? 0) + 1;
    },
  };
};

const recordOf = (turn: number, index: number): Readonly<Record<WireAgentField, string | undefined>> => ({
  AgentId: `agent-${index}`,
  AgentName: `Asha Rao ${index}`,
  PhoneNumber: `0900000${String(index).padStart(4, '0')}`,
  AgentState: states[turn % states.length],
  SkillName: 'Sales, Support',
});
