import * as z from 'zod';
import { field, instant, text, texts } from '../schema/field.ts';
import { loggedInStates, loggedOut } from '../telephony/agent-fields.ts';

/** What one answer reports about an agent. Blank fields are absent. */
export const AgentFacts = z
  .strictObject({
    agentId: field(text, 'The login id. Calls name the agent by it too.', { origin: 'AgentId' }),
    name: field(text.optional(), 'The agent’s name.', { origin: 'AgentName', personal: true }),
    phoneNumber: field(text.optional(), 'The number with which the agent is logged in.', {
      origin: 'PhoneNumber',
      personal: true,
    }),
    state: field(z.enum([...loggedInStates, loggedOut]), 'What the agent is doing.', {
      origin: 'AgentState',
    }),
    stateAsSent: field(text.optional(), 'The state in the sender’s word; absent once the agent has logged out.', {
      origin: 'AgentState',
      personal: true,
    }),
    skills: field(texts.optional(), 'The agent’s skills, sorted and without duplicates.', { origin: 'SkillName' }),
  })
  .meta({ title: 'Agent facts' });
export type AgentFacts = z.infer<typeof AgentFacts>;

/** An agent and the times of its state. Instants are those of polls, so they are up to 15 seconds late. */
export const Agent = z
  .strictObject({
    ...AgentFacts.shape,
    since: field(instant, 'When the agent entered this state.'),
    loggedInSince: field(instant, 'When the agent logged in.'),
  })
  .meta({ title: 'Agent' });
export type Agent = z.infer<typeof Agent>;

/** An agent's row without its keys. */
export const CurrentAgent = z.object({
  ...Agent.shape,
  /** Counts the agent's published changes since the log-in, from 1. */
  version: z.int().positive(),
  /** The poll that found the latest published change (ISO instant). */
  changedAt: z.string(),
  /** When that change was written (ISO instant). */
  recordedAt: z.string(),
  /** When the open interval of the timeline begins: with the state, or at the latest local midnight. */
  intervalFrom: z.string(),
});
export type CurrentAgent = Readonly<z.infer<typeof CurrentAgent>>;

/** Whether the agent has logged out. Its row stays for one write, so that the stream carries the log-out. */
export const isLoggedOut = ({ state }: Pick<CurrentAgent, 'state'>): boolean => state === loggedOut;
