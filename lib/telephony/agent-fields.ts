import { vocabulary } from './vocabularies.ts';

/** What an agent is doing. Paper names three words; practice has them all, in any letter case. */
export const agentStates = vocabulary([
  'ready',
  'acw',
  'idle',
  'busy',
  'in-call',
  'calling',
  'aux',
  'pause',
  'release',
  'offline',
]);

/** Every state that an agent who is there can be in. */
export const loggedInStates = [...agentStates.words, 'unknown'] as const;
export type LoggedInState = (typeof loggedInStates)[number];

/** What we say of an agent who is in the list no more. */
export const loggedOut = 'logged-out';

/** The fields of an agent's record as getAgentLogins tells it. Which of them are required is not documented. */
export const wireAgentFields = ['AgentId', 'AgentName', 'PhoneNumber', 'AgentState', 'SkillName'] as const;

/** A documented field, in the sender's spelling. */
export type WireAgentField = (typeof wireAgentFields)[number];

/** What getAgentLogins is asked. The service refuses an empty name. */
export interface WireAgentRequest {
  readonly userName: string;
}
