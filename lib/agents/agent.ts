import * as z from 'zod';
import { field, instant, text, texts } from '../schema/field.ts';
import { loggedInStates, loggedOut } from '../telephony/agent-fields.ts';

/** What one answer says of an agent: blanks absent, the state in one case with the word as sent beside it. */
export const AgentFacts = z
  .strictObject({
    agentId: field(text, 'The login id, by which calls name the agent too.', { origin: 'AgentId' }),
    name: field(text.optional(), 'The agent’s name.', { origin: 'AgentName', personal: true }),
    phoneNumber: field(text.optional(), 'The number with which the agent is logged in.', {
      origin: 'PhoneNumber',
      personal: true,
    }),
    state: field(z.enum([...loggedInStates, loggedOut]), 'What the agent is doing.', {
      origin: 'AgentState',
    }),
    stateAsSent: field(text.optional(), 'The word as sent; absent for one who has logged out.', {
      origin: 'AgentState',
      personal: true,
    }),
    skills: field(texts.optional(), 'A set: sorted, each once.', { origin: 'SkillName' }),
  })
  .meta({ title: 'Agent facts' });
export type AgentFacts = z.infer<typeof AgentFacts>;

/** An agent, and since when that is so. Instants are those of the polls that saw it, so up to 15 seconds late. */
export const Agent = z
  .strictObject({
    ...AgentFacts.shape,
    since: field(instant, 'Since when the agent has been in this state.'),
    loggedInSince: field(instant, 'Since when the agent has been logged in, or was until now.'),
  })
  .meta({ title: 'Agent' });
export type Agent = z.infer<typeof Agent>;

/** An agent's row without its keys. */
export const CurrentAgent = z.object({
  ...Agent.shape,
  /** Counts what was told of the agent since the log-in. */
  version: z.int().positive(),
  /** The poll that brought what was told last (ISO instant). */
  changedAt: z.string(),
  /** When that was written (ISO instant). */
  recordedAt: z.string(),
  /** When the open stretch of the timeline begins: with the state, or with the day. */
  intervalFrom: z.string(),
});
export type CurrentAgent = Readonly<z.infer<typeof CurrentAgent>>;

/** Whether the agent has left: its row is about to be removed, and stands for a moment to be told of. */
export const isLoggedOut = ({ state }: Pick<CurrentAgent, 'state'>): boolean => state === loggedOut;
