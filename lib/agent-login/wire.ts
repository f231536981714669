import * as z from 'zod';

const sent = z.union([z.string(), z.number(), z.boolean(), z.null()]).optional();

/** An agent's record as getAgentLogins tells it. Required fields are not documented. */
export const WireAgent = z
  .looseObject({ AgentId: sent, AgentName: sent, PhoneNumber: sent, AgentState: sent, SkillName: sent })
  .meta({ title: 'Agent login record as sent' });

/** A documented field, in the sender's spelling. */
export type WireAgentField = keyof typeof WireAgent.shape;

/** What getAgentLogins is asked. The service refuses an empty name. */
export const WireAgentRequest = z
  .strictObject({ userName: z.string().min(1) })
  .meta({ title: 'getAgentLogins request' });
export type WireAgentRequest = z.infer<typeof WireAgentRequest>;
