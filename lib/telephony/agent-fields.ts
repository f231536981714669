import { keysOf } from '../core/collections.ts';
import { vocabulary } from './vocabulary.ts';

/** The states of an agent. The specification names three; in practice all of them occur, in any letter case. */
export const agentStates = vocabulary({
  ready: ['READY'],
  acw: ['ACW'],
  idle: ['Idle'],
  busy: ['BUSY'],
  'in-call': ['INCALL'],
  calling: ['calling'],
  aux: ['AUX'],
  pause: ['PAUSE'],
  release: ['release'],
  offline: ['OFFLINE'],
});

/** Every state of a logged-in agent. */
export const loggedInStates = [...agentStates.words, 'unknown'] as const;
export type LoggedInState = (typeof loggedInStates)[number];

/** The state that we give to an agent who is missing from the list. */
export const loggedOut = 'logged-out';

/**
 * The fields of an agent's record in a response of getAgentLogins. Which of them are required is not documented. Skills
 * come as one text, separated by commas, or as a list.
 */
export const agentFields = {
  AgentId: {},
  AgentName: {},
  PhoneNumber: {},
  AgentState: { vocabulary: agentStates },
  SkillName: { isList: true },
} as const;

/** Every documented field. */
export const wireAgentFields = keysOf(agentFields);

/** A documented field, in the sender's spelling. */
export type WireAgentField = keyof typeof agentFields;

/** The body of a getAgentLogins request. The service rejects an empty name. */
export interface WireAgentRequest {
  readonly userName: string;
}
