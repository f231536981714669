import { readFileSync } from 'node:fs';
import type { WireAgentField } from '../lib/agents/normalise-agent.ts';

export const example = (name: string): string =>
  readFileSync(new URL(`../sandbox/examples/${name}.json`, import.meta.url), 'utf8');

const localTime = /"2026-11-20 (\d\d:\d\d:\d\d)"/g;

/**
 * An example, or several, as they would be if they had just ended: the call of 11:00 began half an hour before `now`, a time
 * on the account's clocks. A call that is recorded much later than it began costs one write unit more.
 */
export const justEnded = (json: string, now: Date): string =>
  json.replace(localTime, (_, time) => {
    const sinceEleven = Date.parse(`2026-11-20T${time}Z`) - Date.parse('2026-11-20T11:00:00Z');
    const at = new Date(now.getTime() - 30 * 60_000 + sinceEleven).toISOString();
    return `"${at.slice(0, 10)} ${at.slice(11, 19)}"`;
  });

export const callbacks = {
  first: example('call-summary'),
  revision: example('with-disposition'),
  another: example('missed-call'),
} as const;

/** The first callback, of another call. `number` has at most nine digits. */
export const callNumbered = (number: number): string =>
  callbacks.first.replace(/(?<="monitorUCID": )\d+/, `"41781234${String(number).padStart(9, '0')}"`);

export const postedCalls = (length: number): string =>
  `[${Array.from({ length }, (_, index) => callNumbered(index + 1)).join(',')}]`;

const states = ['READY', 'INCALL', 'ACW', 'PAUSE'];

/** Agents who are logged in, as the telephony service lists them; `change` gives some of them another state. */
export const simulatedAgents = (agents: number) => {
  const turns = Array.from({ length: agents }, (_, index) => index);
  const recordOf = (turn: number, index: number): Readonly<Record<WireAgentField, string | undefined>> => ({
    AgentId: `agent-${index}`,
    AgentName: `Asha Rao ${index}`,
    PhoneNumber: `0900000${String(index).padStart(4, '0')}`,
    AgentState: states[turn % states.length],
    SkillName: 'Sales, Support',
  });

  return {
    answer: (): string => JSON.stringify({ status: 'success', message: turns.map(recordOf) }),
    change(count: number): void {
      for (let index = 0; index < count; index++) turns[index] = (turns[index] ?? 0) + 1;
    },
  };
};
