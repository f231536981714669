/** The fields of an agent's record as getAgentLogins tells it. Which of them are required is not documented. */
export const wireAgentFields = ['AgentId', 'AgentName', 'PhoneNumber', 'AgentState', 'SkillName'] as const;

/** A documented field, in the sender's spelling. */
export type WireAgentField = (typeof wireAgentFields)[number];

/** What getAgentLogins is asked. The service refuses an empty name. */
export interface WireAgentRequest {
  readonly userName: string;
}
