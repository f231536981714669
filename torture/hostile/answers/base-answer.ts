import { between, chance, pick, type Random } from '../../../sandbox/simulator/random.ts';
import type { LoginRow } from '../../../sandbox/simulator/service/logins-rows.ts';
import type { Fields, JsonNode } from '../json/node.ts';

const states = ['READY', 'ACW', 'Idle', 'BUSY', 'INCALL', 'AUX', 'PAUSE'];

/** Agents who are logged in. */
export const someAgents = (random: Random): readonly LoginRow[] =>
  Array.from({ length: between(random, 1, 6) }, (_, index) => ({
    AgentId: `agent-${index}`,
    AgentName: `Agent No. ${index}`,
    PhoneNumber: `0900000000${index}`,
    AgentState: pick(random, states),
    SkillName: pick(random, ['Sales', 'Sales, Support', '']),
  }));

/** A quarter of an hour later somebody is in another state. */
export const movedOn = (random: Random, rows: readonly LoginRow[]): readonly LoginRow[] =>
  rows.map((row) => (chance(random, 0.3) ? { ...row, AgentState: pick(random, states) } : row));

/** A record as it is to be written. */
export const recordOf = (row: LoginRow): Fields => ({ fields: Object.entries(row) });

/** The answer of the specification. */
export const answerOf = (message: JsonNode, status: JsonNode = 'success'): Fields => ({
  fields: [
    ['status', status],
    ['message', message],
  ],
});
